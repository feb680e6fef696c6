#include <gtest/gtest.h>

#include "abut/load/load.h"

namespace abut {
namespace {

template <typename List>
std::vector<std::string> names(const List& list) {
  std::vector<std::string> all;
  for (const auto& thing : list) all.push_back(thing.name);
  return all;
}
using Names = std::vector<std::string>;

// The example of MuJoCo's documentation.
TEST(MjcfReplicate, NestedNamesAndPoses) {
  const World w = parse_mjcf(R"(<mujoco><worldbody>
    <replicate count="2" offset="0 1 0" euler="90 0 0">
      <replicate count="2" sep="-" offset="1 0 0" euler="0 90 0">
        <geom name="Alice" size=".1"/>
      </replicate>
    </replicate></worldbody>
    <sensor><insidesite name="Bob" site="s" objtype="geom" objname="Alice"/></sensor></mujoco>)");
  EXPECT_EQ(names(w.worldbody.geoms), (Names{"Alice-00", "Alice-10", "Alice-01", "Alice-11"}));
  EXPECT_EQ(names(w.sensors), (Names{"Bob-00", "Bob-10", "Bob-01", "Bob-11"}));
  EXPECT_EQ(w.sensors[1].object, "Alice-10");
  const Pose& last = w.worldbody.geoms[3].pose;
  EXPECT_NEAR((last.p - Vec3(1, 1, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(last.q.angularDistance(Quat(0.5, 0.5, 0.5, 0.5)), 0, 1e-14);
}

TEST(MjcfReplicate, APrefixIsAcceptedWithAWarning) {
  const World w = parse_mjcf(
      "<mujoco><worldbody><replicate count='2' prefix='p'><body name='b'/></replicate></worldbody>"
      "</mujoco>");
  EXPECT_EQ(names(w.worldbody.bodies), (Names{"b0", "b1"}));
  ASSERT_EQ(w.warnings.size(), 1u);
  EXPECT_NE(w.warnings[0].text.find("prefix of <replicate> has no effect"), std::string::npos);
}

TEST(MjcfReplicate, SuffixesHaveTheDigitsOfTheCount) {
  const World w = parse_mjcf(
      "<mujoco><worldbody><replicate count='10'><body name='b'/></replicate></worldbody></mujoco>");
  EXPECT_EQ(w.worldbody.bodies.front().name, "b00");
  EXPECT_EQ(w.worldbody.bodies.back().name, "b09");
}

TEST(MjcfReplicate, OffsetTurnsWithTheCopies) {
  const World w = parse_mjcf(R"(<mujoco><worldbody>
    <replicate count="4" offset="1 0 0" euler="0 0 90"><body><geom size="1"/></body></replicate>
    </worldbody></mujoco>)");
  const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR((w.worldbody.bodies[i].pose.p - corners[i]).norm(), 0, 1e-15);
}

// What refers to the inside is repeated, behind what does not, copy by copy.
TEST(MjcfReplicate, ReferencesFollow) {
  const World w = parse_mjcf(R"(<mujoco><worldbody>
    <body name="base"><joint name="k"/></body>
    <replicate count="2" sep="_"><body name="b"><joint name="j"/><site name="s"/></body></replicate>
    </worldbody>
    <tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed></tendon>
    <equality><joint name="e" joint1="j" joint2="k"/></equality>
    <contact><exclude name="x" body1="base" body2="b"/></contact>
    <actuator>
      <motor name="on_j" joint="j"/><motor name="on_k" joint="k"/><motor name="on_t" tendon="t"/>
    </actuator>
    <sensor><actuatorfrc name="f" actuator="on_t"/></sensor></mujoco>)");
  EXPECT_EQ(names(w.actuators), (Names{"on_k", "on_j_0", "on_t_0", "on_j_1", "on_t_1"}));
  EXPECT_EQ(w.actuators[1].target, "j_0");
  EXPECT_EQ(w.actuators[4].target, "t_1");
  EXPECT_EQ(w.tendons[1].joints, (Names{"j_1", "k"}));
  EXPECT_EQ(w.equalities[1].first, "j_1");
  EXPECT_EQ(w.equalities[1].second, "k");
  EXPECT_EQ(w.excludes[1].body2, "b_1");
  EXPECT_EQ(w.sensors[1].object, "on_t_1");
}

TEST(MjcfReplicate, SameAsWrittenOut) {
  const World w = parse_mjcf(R"(<mujoco><worldbody>
    <frame pos="0 0 1" euler="0 0 90">
      <replicate count="2" offset="1 0 0">
        <body pos="0 2 0"><freejoint/><geom size="1"/></body>
      </replicate>
    </frame></worldbody></mujoco>)");
  EXPECT_NEAR((w.worldbody.bodies[0].pose.p - Vec3(-2, 0, 1)).norm(), 0, 1e-15);
  EXPECT_NEAR((w.worldbody.bodies[1].pose.p - Vec3(-2, 1, 1)).norm(), 0, 1e-15);
}

TEST(MjcfFrame, MovesWhatIsInIt) {
  const World w = parse_mjcf(R"(<mujoco><worldbody><body>
    <frame pos="1 0 0" euler="0 0 90"><frame pos="1 0 0">
      <joint axis="1 0 0" pos="0 0 1"/>
      <geom type="box" fromto="0 0 0 2 0 0" size="0.1"/>
      <site pos="0 1 0"/>
      <inertial pos="1 2 3" mass="1" diaginertia="1 1 1"/>
    </frame></frame></body></worldbody></mujoco>)");
  const BodyDesc& body = w.worldbody.bodies[0];
  EXPECT_NEAR((body.joints[0].axis - Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_NEAR((body.joints[0].pos - Vec3(1, 1, 1)).norm(), 0, 1e-15);
  EXPECT_NEAR((body.geoms[0].pose.p - Vec3(1, 2, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((body.geoms[0].size - Vec3(0.1, 0.1, 1)).norm(), 0, 1e-15);
  EXPECT_NEAR((body.sites[0].pose.p - Vec3(0, 1, 0)).norm(), 0, 1e-15);
  EXPECT_EQ(body.inertial->pose.p, Vec3(1, 2, 3));  // in the axes of the body, as in MuJoCo
}

TEST(MjcfReplicate, ExplosionsAreRefused) {
  EXPECT_THROW(parse_mjcf(R"(<mujoco><worldbody>
    <replicate count="1000"><replicate count="1000"><replicate count="1000">
    <geom size="1"/></replicate></replicate></replicate></worldbody></mujoco>)"),
               WorldError);
}

}  // namespace
}  // namespace abut
