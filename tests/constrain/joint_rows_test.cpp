// Limits and dry friction of joints, against what mechanics says.
#include "abut/constrain/rows/joint_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "abut/math/rotation.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

constexpr double kG = 9.81;

struct Scene : test::Scene {
  using test::Scene::Scene;
  Scene(const std::string& world, const std::string& contact)
      : test::Scene(world, test::settings(contact)) {}
  double h() const { return model.option.timestep; }
};

class JointRowsIn : public testing::TestWithParam<std::string> {};

// A point of 2 kg, 0.5 m from a hinge, starts level; the limit is 1 rad below.
const char kPendulum[] = R"(<mujoco><compiler angle='radian'/><option timestep='0.0005'/>
  <worldbody><body><joint name='j' type='hinge' axis='0 1 0' range='-2 1'/>
  <inertial pos='0.5 0 0' mass='2' diaginertia='1e-6 1e-6 1e-6'/></body></worldbody></mujoco>)";

TEST_P(JointRowsIn, APendulumStopsAtItsLimit) {
  Scene scene(kPendulum, GetParam());
  // theta'' = (m g l / I) cos(theta): time to fall by 1 rad, by quadrature with theta = s^2
  const double rate = 2 * kG * 0.5 / (2 * 0.25 + 1e-6);
  double fall = 0;
  for (int i = 0; i < 10000; ++i) {
    const double s = (i + 0.5) / 10000;
    fall += 2 * s / std::sqrt(2 * rate * std::sin(s * s)) / 10000;
  }
  double met = 0;
  for (int i = 0; i < 2000; ++i) {
    scene.step();
    EXPECT_LE(scene.state.q[0], 1 + 1e-9);
    if (met == 0 && scene.state.q[0] > 1 - 1e-6) met = scene.state.time;
  }
  EXPECT_NEAR(met, fall, 3 * scene.h());
  EXPECT_NEAR(scene.state.q[0], 1, 1e-9);
  EXPECT_NEAR(scene.state.v[0], 0, 1e-9);
  // a limit does not hold what pulls away: half of the weight more than the weight
  scene.input.force[0] = -1.5 * 2 * kG * 0.5 * std::cos(1.0);
  scene.step();
  EXPECT_NEAR(scene.state.v[0], -0.5 * rate * std::cos(1.0) * scene.h(), 1e-9);
  EXPECT_EQ(scene.unsolved, 0);
}

std::string slider(double frictionloss) {
  return "<mujoco><option timestep='0.001'/><worldbody><body><joint name='j' type='slide' "
         "axis='1 0 0' frictionloss='" +
         std::to_string(frictionloss) +
         "'/><geom size='0.1' mass='2' contype='0' conaffinity='0'/></body></worldbody></mujoco>";
}

TEST_P(JointRowsIn, ABlockWithDryFrictionSlidesToRest) {
  Scene scene(slider(3), GetParam());
  scene.state.v[0] = 0.6;  // stops after m v / f = 0.4 s and m v^2 / 2f = 0.12 m
  double stopped = 0;
  for (int i = 0; i < 1000; ++i) {
    scene.step();
    if (stopped == 0 && scene.state.v[0] < 1e-12) stopped = scene.state.time;
    EXPECT_GE(scene.state.v[0], -1e-15);
  }
  EXPECT_NEAR(stopped, 0.4, 1.5 * scene.h());
  EXPECT_NEAR(scene.state.q[0], 0.12, 0.6 * scene.h());
  EXPECT_EQ(scene.unsolved, 0);
}

TEST_P(JointRowsIn, DryFrictionHoldsUpToItsBound) {
  Scene scene(slider(3), GetParam());
  scene.input.force[0] = 2.999;
  for (int i = 0; i < 200; ++i) scene.step();
  EXPECT_NEAR(scene.state.q[0], 0, 1e-12);
  scene.input.force[0] = 5;
  for (int i = 0; i < 200; ++i) scene.step();
  EXPECT_NEAR(scene.state.v[0], (5.0 - 3) / 2 * 0.2, 1e-9);
}

// A leg on a ball joint falls to the cone that its limit is, and stays.
TEST_P(JointRowsIn, ABallJointStaysInItsCone) {
  Scene scene(R"(<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>
    <body><joint type='ball' range='0 0.6' damping='0.05'/>
    <geom type='capsule' fromto='0 0 0 0.2 0.1 0.4' size='0.02' mass='1'/></body></worldbody></mujoco>)",
              GetParam());
  const auto angle = [&] {
    const std::vector<double>& q = scene.state.q;
    return log_rotation(Quat(q[0], q[1], q[2], q[3])).norm();
  };
  double most = 0;
  for (int i = 0; i < 4000; ++i) {
    scene.step();
    most = std::max(most, angle());
  }
  EXPECT_LT(most, 0.6 + 1e-7);
  EXPECT_NEAR(angle(), 0.6, 1e-7);
  EXPECT_EQ(scene.unsolved, 0);
}

// Two carts on one rail, and a tendon x2 - x1 that ends at 0: a plastic impact.
TEST_P(JointRowsIn, ATendonThatEndsIsAPlasticImpact) {
  Scene scene(R"(<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody>
    <body name='a'><joint name='a' type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/></body>
    <body name='b' pos='1 0 0'><joint name='b' type='slide' axis='1 0 0'/><geom size='0.1' mass='3'/>
    </body></worldbody><tendon><fixed range='-0.3 0.5'><joint joint='b' coef='1'/>
    <joint joint='a' coef='-1'/></fixed></tendon></mujoco>)",
              GetParam());
  scene.state.v = {2, -1};
  for (int i = 0; i < 50; ++i) scene.step();
  EXPECT_NEAR(scene.state.v[0], 2, 1e-12);
  for (int i = 0; i < 200; ++i) scene.step();
  EXPECT_NEAR(scene.state.v[0], -0.25, 1e-9);
  EXPECT_NEAR(scene.state.v[1], -0.25, 1e-9);
  EXPECT_NEAR(scene.state.q[1] - scene.state.q[0], -0.3, 1e-4);
}

// m1 v1 + m2 v2 stays, and the difference of the velocities dies at f (1/m1 + 1/m2).
TEST_P(JointRowsIn, ATendonRubs) {
  Scene scene(R"(<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody>
    <body name='a'><joint name='a' type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/></body>
    <body name='b' pos='9 0 0'><joint name='b' type='slide' axis='1 0 0'/><geom size='0.1' mass='3'/>
    </body></worldbody><tendon><fixed frictionloss='1.5'><joint joint='b' coef='1'/>
    <joint joint='a' coef='-1'/></fixed></tendon></mujoco>)",
              GetParam());
  scene.state.v = {2, -1};
  for (int i = 0; i < 1000; ++i) scene.step();
  EXPECT_NEAR(scene.state.v[1] - scene.state.v[0], -3 + 1.5 * (1 + 1 / 3.0), 1e-9);
  EXPECT_NEAR(scene.state.v[0] + 3 * scene.state.v[1], -1, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Models, JointRowsIn, testing::Values("none", "st", "fast", "ap"),
                         [](const auto& info) { return info.param; });

// Cones, a limit, dry friction and a closed loop in one problem: a cart stands on the ground by
// four corners; a drawer in it hangs at its limit, another sticks by friction; a lamp is welded
// on. What the ground carries is the weight of all of them.
TEST(JointRows, StandBesideConesAndLoops) {
  for (const FrictionKind friction : {FrictionKind::cone, FrictionKind::pyramid}) {
    for (const std::string contact : {"st", "ap"}) {
      ContactSettings settings = test::settings(contact);
      settings.friction = friction;
      Scene scene(R"(<mujoco><option timestep='0.004'/><worldbody>
      <geom type='plane' size='5 5 1'/>
      <body name='cart' pos='0 0 0.5'><freejoint/><geom type='box' size='0.5 0.5 0.5' mass='10'/>
        <body pos='0 0 1'><joint type='slide' axis='0 0 1' range='0 0.2'/>
          <geom size='0.1' mass='1' contype='0' conaffinity='0'/></body>
        <body pos='0.3 0 1'><joint type='slide' axis='0 0 1' frictionloss='30'/>
          <geom size='0.1' mass='2' contype='0' conaffinity='0'/></body></body>
      <body name='lamp' pos='-0.3 0 1.2'><freejoint/>
          <geom size='0.1' mass='3' contype='0' conaffinity='0'/></body></worldbody>
      <equality><weld body1='cart' body2='lamp'/></equality></mujoco>)",
                  settings);
      for (int i = 0; i < 100; ++i) scene.step();
      EXPECT_EQ(scene.unsolved, 0);
      EXPECT_LT(scene.residual, 1e-9);
      EXPECT_GE(scene.simulator.contact().stepping().report().largest, 12 + 1 + 1 + 6);
      Vec3 sum = Vec3::Zero();
      for (const Vec3& p : scene.simulator.contact().stepping().impulses()) sum += p;
      EXPECT_NEAR(std::abs(sum.z()), 16 * kG * scene.h(), 1e-7);
      EXPECT_LT(sum.head<2>().norm(), 1e-7);
      for (const double v : scene.state.v) EXPECT_NEAR(v, 0, 1e-7);
      EXPECT_NEAR(scene.state.q[7], 0, 1e-6);
      EXPECT_NEAR(scene.state.q[8], 0, 1e-6);
    }
  }
}

// Slides that fall side by side, and a tendon over all of them that ends at 1.
std::string falling(int bodies) {
  std::string world = "<mujoco><worldbody>", joints;
  for (int i = 0; i < bodies; ++i) {
    const std::string n = std::to_string(i);
    world += "<body pos='" + n + " 0 0'><joint name='" + n +
             "' type='slide' axis='0 0 -1'/><geom size='0.1'/></body>";
    joints += "<joint joint='" + n + "' coef='1'/>";
  }
  return world + "</worldbody><tendon><fixed name='t' limited='true' range='-1 1'>" + joints +
         "</fixed></tendon></mujoco>";
}

TEST(JointRows, ATendonMayLimitFourTreesAndNoMore) {
  Scene scene(falling(4), "st");
  scene.run(2);
  for (const double q : scene.state.q) EXPECT_NEAR(q, 0.25, 1e-9);
  EXPECT_EQ(scene.unsolved, 0);
  const Model five = compile(parse_mjcf(falling(5)));
  EXPECT_NE(why_not_simulated(five).find("tendon 't'"), std::string::npos);
}

}  // namespace
}  // namespace abut
