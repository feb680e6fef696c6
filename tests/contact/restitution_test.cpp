// Bounces: Newton's law and Poisson's, with st and with ap.
#include <gtest/gtest.h>

#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

using test::Scene;

constexpr double kG = 9.81;

std::string ball(double height, double e, double h) {
  return fmt::format(
      "<mujoco><custom><numeric name='abut.restitution' data='{}'/></custom><option "
      "timestep='{}'/><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 {}'><freejoint/>"
      "<geom type='sphere' size='0.1' friction='0.5'/></body></worldbody></mujoco>",
      e, h, 0.1 + height);
}

struct Kind {
  std::string model;
  RestitutionLaw law;
};

class Restitution : public testing::TestWithParam<Kind> {
 protected:
  static ContactSettings settings() {
    ContactSettings s = test::settings(GetParam().model);
    s.law = GetParam().law;
    return s;
  }
};

// To e^2 of the height, by as much as a step's fall and the place where it meets the ground can
// change: v h of height, however the steps fall on the impact.
TEST_P(Restitution, ABallBouncesToItsSquareOfTheHeight) {
  for (const double e : {0.5, 0.9}) {
    for (const double height : {1.0, 1.003, 1.007, 1.012}) {
      const double h = 1.0 / 1000, arrives = std::sqrt(2 * kG * height);
      Scene scene(ball(height, e, h), settings());
      scene.run(arrives / kG + 0.01);
      double top = 0;
      for (int i = 0; i < 600 && scene.velocity().z() > 0; ++i) {
        scene.step();
        top = std::max(top, scene.position().z() - 0.1);
      }
      EXPECT_NEAR(top, e * e * height, 2 * arrives * h) << e << ' ' << height;
    }
  }
}

// st turns it round at the floor and at its time, whatever the step; ap in the step after.
TEST_P(Restitution, NothingBouncesAtADistance) {
  const double h = 1.0 / 240, meets = std::sqrt(2 * 0.5 / kG);
  Scene scene(ball(0.5, 1, h), settings());
  double lowest = 1;
  while (scene.velocity().z() <= 0 && scene.state.time < 1) {
    scene.step();
    lowest = std::min(lowest, scene.position().z() - 0.1);
  }
  EXPECT_GT(scene.velocity().z(), 0.99 * std::sqrt(2 * kG * 0.5) - 2 * kG * h);
  if (GetParam().model == "ap") {
    EXPECT_LT(lowest, 1e-4);
    return;
  }
  for (int i = 0; i < 50; ++i) {
    const double t = scene.state.time - meets;
    EXPECT_NEAR(scene.position().z() - 0.1, kG * meets * t - 0.5 * kG * t * t, 1e-6);
    EXPECT_NEAR(scene.velocity().z(), kG * (meets - t), 1e-6);
    scene.step();
  }
}

// e = 1 and at rest: still.
TEST_P(Restitution, ABoxAtRestStaysStill) {
  std::string world = test::stack_of_boxes(2);
  world.insert(world.find("<option"),
               "<custom><numeric name='abut.restitution' data='1'/></custom>");
  Scene scene(world, settings());
  scene.run(1);
  EXPECT_NEAR(scene.position(1).z(), 1.5, 1e-6);
  EXPECT_LT(scene.velocity(1).norm(), 1e-6);
}

// Balls of the same mass, head on, with e = 1: they swap velocities, without gravity.
TEST_P(Restitution, EqualBallsSwapTheirVelocities) {
  Scene scene(
      "<mujoco><custom><numeric name='abut.restitution' data='1'/></custom><option "
      "timestep='0.002' gravity='0 0 0'/><worldbody><body><freejoint/><geom type='sphere' "
      "size='0.1'/></body><body pos='0.25 0 0'><freejoint/><geom type='sphere' "
      "size='0.1'/></body></worldbody></mujoco>",
      settings());
  scene.state.v[0] = 3;
  scene.run(0.1);
  EXPECT_NEAR(scene.velocity(0).x(), 0, 1e-9);
  EXPECT_NEAR(scene.velocity(1).x(), 3, 1e-9);
}

// A ball strikes the first of two that touch. All impulses of a step are at once, so the two go off
// together (a cradle of steel hands the blow on): 3 -> -1, 2, 2, which keeps momentum and energy.
TEST_P(Restitution, ABallIsThrownBackByTwoThatTouch) {
  Scene scene(
      "<mujoco><custom><numeric name='abut.restitution' data='1'/></custom><option "
      "timestep='0.002' gravity='0 0 0'/><worldbody><body><freejoint/><geom type='sphere' "
      "size='0.1'/></body><body pos='0.25 0 0'><freejoint/><geom type='sphere' "
      "size='0.1'/></body><body pos='0.45 0 0'><freejoint/><geom type='sphere' "
      "size='0.1'/></body></worldbody></mujoco>",
      settings());
  scene.state.v[0] = 3;
  scene.run(0.1);
  EXPECT_NEAR(scene.velocity(0).x(), -1, 1e-6);
  EXPECT_NEAR(scene.velocity(1).x(), 2, 1e-6);
  EXPECT_NEAR(scene.velocity(2).x(), 2, 1e-6);
}

// In a world with joints that close loops bounces end the substep of the world. A step of st has 16
// parts that end at a bounce; what bounces after those is struck where it is. A ball that rises
// then, and falls back within the step, cannot be: it lost its bounce.
TEST(ManyBounces, ABallThatFallsBackWithinTheStepBouncesToo) {
  constexpr int kFalling = 20, kRising = 3;
  std::string balls;
  for (int i = 0; i < kFalling + kRising; ++i) {
    const double gap = i < kFalling ? 1e-3 * (1 + i) : 3.06e-3;
    balls += fmt::format("<body pos='{} 0 {}'><freejoint/><geom type='sphere' size='0.1'/></body>",
                         i, 0.1 + gap);
  }
  Scene s(
      "<mujoco><custom><numeric name='abut.restitution' data='1'/></custom><option "
      "timestep='0.04'/><default><geom friction='0'/></default><worldbody><geom type='plane' "
      "size='50 5 1'/>" +
          balls +
          "<body name='held' pos='0 3 9'><freejoint/><geom type='sphere' size='0.1'/></body>"
          "</worldbody><equality><weld body1='held'/></equality></mujoco>",
      test::settings("st"));
  const auto at = [](int ball) { return static_cast<std::size_t>(ball); };
  for (int i = 0; i < kFalling + kRising; ++i) s.state.v[6 * at(i) + 2] = i < kFalling ? -2 : 0.05;
  const auto energy = [&](int i) {  // J/kg
    return 0.5 * s.velocity(i).squaredNorm() + kG * s.position(i).z();
  };
  std::vector<double> before;
  for (int i = 0; i < kFalling + kRising; ++i) before.push_back(energy(i));
  s.step();
  for (int i = 0; i < kFalling + kRising; ++i) EXPECT_NEAR(energy(i), before[at(i)], 1e-6) << i;
  EXPECT_GT(s.simulator.contact().report().fallbacks, 0) << "more bounces than parts";
}

INSTANTIATE_TEST_SUITE_P(
    Laws, Restitution,
    testing::Values(Kind{"st", RestitutionLaw::newton}, Kind{"ap", RestitutionLaw::newton},
                    Kind{"st", RestitutionLaw::poisson}, Kind{"ap", RestitutionLaw::poisson}),
    [](const auto& info) {
      return info.param.model + (info.param.law == RestitutionLaw::newton ? "_newton" : "_poisson");
    });

}  // namespace
}  // namespace abut
