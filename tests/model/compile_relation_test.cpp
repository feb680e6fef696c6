// Tendons, actuators, equalities, contact pairs, keyframes and custom data.
#include <gmock/gmock.h>

#include "abut/model/model.h"
#include "refusal.h"

namespace abut {
namespace {

using ::testing::ElementsAre;

// Two hinges about y, a metre apart; point-like bobs of 1 kg at the ends.
World double_pendulum() {
  World world;
  auto& upper = world.body("upper", {0, 0, 2});
  upper.hinge("shoulder", {0, 1, 0});
  upper.sphere(0.1, {1, 0, 0}).mass = 1;
  auto& lower = upper.body("lower", {1, 0, 0});
  lower.hinge("elbow", {0, 1, 0});
  lower.sphere(0.1, {1, 0, 0}).mass = 1;
  lower.site("tip", {{1, 0, 0}, Quat::Identity()});
  return world;
}
constexpr double kBob = 0.4 * 1 * 0.01;  // inertia of a bob

TendonDesc& add_tendon(World& world) {
  TendonDesc& tendon = world.tendons.emplace_back();
  tendon.name = "cable";
  tendon.joints = {"shoulder", "elbow"};
  tendon.coef = {0.5, -2};
  return tendon;
}

TEST(CompileTendon, RestsWhereItsJointsDo) {
  World world = double_pendulum();
  world.worldbody.bodies[0].joints[0].springref = 0.4;
  TendonDesc& d = add_tendon(world);
  d.range = {-1, 1};
  const Model m = compile(world);
  EXPECT_TRUE(m.tendons[0].limited);
  EXPECT_DOUBLE_EQ(m.tendons[0].spring_length[0], 0.2);
  EXPECT_EQ(m.tendon_terms[1].dof, 1);
  d.springlength = {0, 0.1};
  EXPECT_DOUBLE_EQ(compile(world).tendons[0].spring_length[1], 0.1);
}

TEST(CompileActuator, DampingRatioUsesTheInertiaAtRest) {
  World world = double_pendulum();
  add_tendon(world);
  ActuatorDesc& servo = world.position("servo", "shoulder", 100);
  servo.damping_ratio = 1;
  servo.gear[0] = 2;
  // the whole arm about the shoulder: bobs at 1 m and 2 m
  const double M00 = 1 + 4 + 2 * kBob, M11 = 1 + kBob;
  EXPECT_NEAR(compile(world).actuators[0].biasprm[2], -2 * std::sqrt(100 * M00 / 4), 1e-9);

  servo.transmission = TransmissionType::tendon;
  servo.target = "cable";
  servo.gear[0] = 1;
  EXPECT_NEAR(compile(world).actuators[0].biasprm[2], -2 * std::sqrt(100 * (M00 / 0.25 + M11 / 4)),
              1e-9);

  servo.transmission = TransmissionType::site;
  servo.target = "tip";
  servo.gear << 0, 0, 1, 0, 0, 0;  // the tip is 2 m and 1 m from the hinges
  EXPECT_NEAR(compile(world).actuators[0].biasprm[2], -2 * std::sqrt(100 * (M00 / 4 + M11)), 1e-9);

  world.worldbody.site("ground");
  servo.refsite = "ground";
  EXPECT_NEAR(compile(world).actuators[0].biasprm[2], -2 * std::sqrt(100 * (M00 / 4 + M11)), 1e-9);
}

TEST(CompileActuator, SpringDamperUsesTheInverseInertiaAtRest) {
  World world = double_pendulum();
  world.worldbody.bodies[0].bodies[0].joints[0].springdamper = {0.1, 0.5};
  // M = [[5 + 2k, 2 + k], [2 + k, 1 + k]]: the elbow feels the Schur complement
  const double k = kBob, felt = 1 + k - (2 + k) * (2 + k) / (5 + 2 * k);
  const Model m = compile(world);
  // bob 2 is straight ahead: M01 = 2 * 1 + k
  EXPECT_NEAR(m.joints[1].stiffness[0], felt / (0.01 * 0.25), 1e-8);
  EXPECT_NEAR(m.dofs[1].damping[0], 2 * felt / 0.1, 1e-9);
}

TEST(CompileActuator, ActivationsAndRanges) {
  World world = double_pendulum();
  world.worldbody.bodies[0].joints[0].range = {-1, 3};
  world.motor("m", "elbow").ctrlrange = {-1, 1};
  ActuatorDesc& filtered = world.motor("f", "elbow");
  filtered.dynamics = Dynamics::filter;
  ActuatorDesc& servo = world.position("p", "shoulder", 10);
  servo.inheritrange = 0.5;
  world.motor("gone", "elbow").simulated = false;
  const Model m = compile(world);
  EXPECT_EQ(m.na, 1);
  EXPECT_EQ(m.actuators[1].act, 0);
  EXPECT_EQ(m.actuators[0].act, -1);
  EXPECT_TRUE(m.actuators[0].ctrl_limited);
  EXPECT_FALSE(m.actuators[1].ctrl_limited);
  EXPECT_DOUBLE_EQ(m.actuators[2].ctrl_range[0], 0);
  EXPECT_DOUBLE_EQ(m.actuators[2].ctrl_range[1], 2);
  EXPECT_TRUE(m.actuators[2].ctrl_limited);
  EXPECT_FALSE(m.actuators[3].enabled);
}

TEST(CompileEquality, FramesCoincideAtRest) {
  World world = double_pendulum();
  EqualityDesc& connect = world.equalities.emplace_back();
  connect.first = "lower";
  connect.anchor = {1, 0, 0};
  EqualityDesc& weld = world.equalities.emplace_back();
  weld.type = EqualityType::weld;
  weld.first = "upper";
  weld.second = "lower";
  weld.anchor = {0, 0.5, 0};
  const Model m = compile(world);
  EXPECT_EQ(m.equalities[0].second, 0);
  EXPECT_NEAR((m.equalities[0].frame_second.p - Vec3(2, 0, 2)).norm(), 0, 1e-15);
  EXPECT_NEAR((m.equalities[1].frame_first.p - Vec3(1, 0.5, 0)).norm(), 0, 1e-15);
  EXPECT_EQ(m.equalities[1].frame_second.p, Vec3(0, 0.5, 0));
}

TEST(CompileContact, PairsTakeFromTheirGeoms) {
  World world = double_pendulum();
  auto& a = world.worldbody.bodies[0].geoms[0];
  auto& b = world.worldbody.bodies[0].bodies[0].geoms[0];
  a.name = "a";
  b.name = "b";
  a.friction = {0.5, 0.1, 0.2};
  b.friction = {0.7, 0.01, 0.3};
  b.condim = 1;
  world.pairs.push_back({"", "a", "b", {}, {}, {}, {}, {}});
  world.excludes.push_back({"", "world", "lower", {}});
  Model m = compile(world);
  EXPECT_THAT(m.pairs[0].friction, ElementsAre(0.7, 0.7, 0.1, 0.3, 0.3));
  EXPECT_EQ(m.pairs[0].condim, 3);
  EXPECT_THAT(m.excludes[0], ElementsAre(0, 2));
  b.priority = 1;
  world.pairs[0].friction = {0.9};
  m = compile(world);
  EXPECT_THAT(m.pairs[0].friction, ElementsAre(0.9, 0.7, 0.01, 0.3, 0.3));
  EXPECT_EQ(m.pairs[0].condim, 1);
}

TEST(CompileKeyframe, HasDefaultsAndUnitQuaternions) {
  World world = double_pendulum();
  auto& ball = world.body("ball");
  ball.free();
  ball.sphere(0.1);
  world.body("hand", {1, 2, 3}).mocap = true;
  KeyframeDesc& key = world.keyframes.emplace_back();
  key.name = "home";
  key.qpos = {0.1, 0.2, 0, 0, 0, 2, 0, 0, 0};
  world.keyframes.emplace_back().qpos = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  const Model m = compile(world);
  EXPECT_EQ(m.find_keyframe("home"), 0);
  EXPECT_THAT(m.keyframes[0].q, ElementsAre(0.1, 0.2, 0, 0, 0, 1, 0, 0, 0));
  EXPECT_EQ(m.keyframes[0].v.size(), 8u);
  EXPECT_EQ(m.keyframes[0].mocap[0].p, Vec3(1, 2, 3));
  EXPECT_EQ(m.keyframes[1].q[5], 1);
  ASSERT_EQ(m.warnings.size(), 1u);
  EXPECT_THAT(m.warnings[0].text, ::testing::HasSubstr("quaternion that is zero"));
}

TEST(CompileCustom, IsFoundByName) {
  World world;
  world.texts.push_back({"abut.contact", "peg", {}});
  world.numerics.push_back({"abut.multipoint.ki", {2}, {}});
  const Model m = compile(world);
  EXPECT_EQ(m.custom.at("abut.contact").text, "peg");
  EXPECT_THAT(m.custom.at("abut.multipoint.ki").numbers, ElementsAre(2));
}

TEST(CompileWarnings, SayWhatHasNoEffect) {
  World world;
  world.option.density = 1.2;
  BodyDesc& body = world.body("leaf");
  body.hinge("stem", {0, 1, 0});
  body.sphere(0.1).fluid_ellipsoid = true;
  TendonDesc& tendon = world.tendons.emplace_back();
  tendon.joints = {"stem"};
  tendon.coef = {1};
  tendon.armature = 0.1;
  const Model model = compile(world);
  ASSERT_EQ(model.warnings.size(), 2u);
  EXPECT_NE(model.warnings[0].text.find("fluidshape"), std::string::npos);
  EXPECT_NE(model.warnings[1].text.find("armature of tendons"), std::string::npos);
  world.option.density = 0;  // without air the shape does not matter
  tendon.armature = 0;
  EXPECT_TRUE(compile(world).warnings.empty());
}

}  // namespace
}  // namespace abut
