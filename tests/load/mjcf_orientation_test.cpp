#include <gtest/gtest.h>

#include <numbers>

#include "abut/load/load.h"

namespace abut {
namespace {

constexpr double kTight = 1e-14;

Quat orientation(const std::string& attribute, const std::string& compiler = "") {
  const World w = parse_mjcf("<mujoco><compiler " + compiler + "/><worldbody><body " + attribute +
                             "/></worldbody></mujoco>");
  return w.worldbody.bodies.at(0).pose.q;
}

void expect_rotates(const Quat& q, const Vec3& from, const Vec3& to) {
  EXPECT_NEAR((q * from - to).norm(), 0, kTight);
}

const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();

TEST(MjcfOrientation, EveryWayOfWritingAQuarterTurnAboutZ) {
  for (const char* turn :
       {"quat='1 0 0 1'", "axisangle='0 0 5 90'", "euler='0 0 90'", "xyaxes='0 3 0 -1 7 0'"}) {
    const Quat q = orientation(turn);
    expect_rotates(q, x, y);
    expect_rotates(q, y, -x);
    EXPECT_NEAR(q.norm(), 1, kTight);
  }
}

TEST(MjcfOrientation, ZAxisTakesTheShortestWay) {
  const Quat q = orientation("zaxis='0 2 0'");
  expect_rotates(q, z, y);
  expect_rotates(q, x, x);
  expect_rotates(orientation("zaxis='0 0 -1'"), z, -z);
}

TEST(MjcfOrientation, AngleSaysDegreesOrRadians) {
  const Quat degrees = orientation("axisangle='1 0 0 180'");
  const Quat radians = orientation("axisangle='1 0 0 3.14159265358979312'", "angle='radian'");
  EXPECT_NEAR(degrees.angularDistance(radians), 0, 1e-14);
}

// Lower case: about the axes that turn with the body; upper case: about the fixed ones.
TEST(MjcfOrientation, EulerSequences) {
  expect_rotates(orientation("euler='90 90 0'"), z, x);  // about x, then the new y
  expect_rotates(orientation("euler='90 90 0'", "eulerseq='XYZ'"), z, -y);  // about x, then old y
  expect_rotates(orientation("euler='90 90 0'", "eulerseq='zyx'"), x, -z);
  // the same angles about fixed axes in reverse order are the same rotation
  const Quat moving = orientation("euler='10 20 30'", "eulerseq='xyz'");
  const Quat fixed = orientation("euler='30 20 10'", "eulerseq='ZYX'");
  EXPECT_NEAR(moving.angularDistance(fixed), 0, 1e-14);
}

TEST(MjcfOrientation, AnAlternativeOfAClassOutlastsAQuat) {
  const World w = parse_mjcf(R"(<mujoco><default><geom euler='90 0 0'/></default>
    <worldbody><geom size='1' quat='0 0 0 1'/><geom size='1' zaxis='0 0 -1'/></worldbody></mujoco>)");
  expect_rotates(w.worldbody.geoms[0].pose.q, y, z);
  expect_rotates(w.worldbody.geoms[1].pose.q, z, -z);
}

TEST(MjcfOrientation, OnlyAnglesOfHingesAndBallsAreConverted) {
  const World w = parse_mjcf(R"(<mujoco><worldbody>
    <body><joint type='slide' range='1 2' ref='3' springref='4'/></body>
    <body><joint type='ball' range='0 180' ref='3'/></body>
    <body><joint range='-180 180' ref='90' springref='-90'/></body></worldbody>
    <actuator><position joint='j' ctrlrange='0 90'/></actuator></mujoco>)");
  const double pi = std::numbers::pi;
  const auto joint = [&](std::size_t i) { return w.worldbody.bodies[i].joints[0]; };
  EXPECT_EQ(joint(0).range[1], 2);
  EXPECT_EQ(joint(0).ref, 3);
  EXPECT_EQ(joint(0).springref, 4);
  EXPECT_NEAR(joint(1).range[1], pi, kTight);
  EXPECT_NEAR(joint(2).range[0], -pi, kTight);
  EXPECT_NEAR(joint(2).ref, pi / 2, kTight);
  EXPECT_NEAR(joint(2).springref, -pi / 2, kTight);
  EXPECT_EQ(w.actuators[0].ctrlrange[1], 90);
}

// A ball joint that may not turn: MuJoCo takes the range 0 0 where limited is given.
TEST(MjcfOrientation, ABallJointMayHaveNoRange) {
  const Model model = compile(parse_mjcf(R"(<mujoco><worldbody><body>
    <joint type="ball" range="0 0" limited="true"/><geom size="1"/></body></worldbody></mujoco>)"));
  EXPECT_TRUE(model.joints[0].limited);
  EXPECT_EQ(model.joints[0].range[1], 0);
}

}  // namespace
}  // namespace abut
