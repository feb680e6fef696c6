// Forces to read, overlap and energy of contacts, where the answers are known.
#include <gtest/gtest.h>

#include <random>

#include "abut/collide/broad/broad_phase.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/run.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

constexpr double kG = 9.81;

struct Scene {
  Model model;
  State state;
  Input input;
  explicit Scene(const std::string& world)
      : model(compile(parse_mjcf(world))), state(model), input(model) {}

  RunOutcome run(Simulator& simulator, Measure& measure, double seconds) {
    RunSettings settings;
    settings.time = seconds;
    return abut::run(simulator, state, input, settings, measure);
  }
};

class ForcesOfBoth : public testing::TestWithParam<const char*> {};

// A box of 2 kg and 0.2 m, pushed sideways at its centre by less than friction holds: the floor
// carries its weight, holds the push, and presses where the moments balance.
TEST_P(ForcesOfBoth, OfAPushedBoxBalance) {
  Scene s(
      "<mujoco><option timestep='0.004'/><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
      "<body name='box' pos='0 0 0.1'><freejoint/><geom name='box' type='box' "
      "size='0.1 0.1 0.1' mass='2' friction='0.5'/></body></worldbody></mujoco>");
  ContactSettings settings;
  set_contact(settings, GetParam());
  Simulator simulator(s.model, settings);
  const double push = 4;
  const int box = s.model.find_body("box");
  for (int i = 0; i < 100; ++i) {
    s.input.wrench[static_cast<std::size_t>(box)].setZero();
    s.input.wrench[static_cast<std::size_t>(box)][0] = push;
    simulator.step(s.state, s.input);
  }
  const ContactForces forces = simulator.contact_forces();
  ASSERT_EQ(forces.pairs.size(), 1u);
  const PairForce& pair = forces.pairs[0];
  EXPECT_EQ(s.model.geom_names[pair.geom_b], "box");
  EXPECT_EQ(forces.points.size(), 4u);
  EXPECT_NEAR(pair.normal_force(), 2 * kG, 1e-6);
  EXPECT_NEAR(pair.friction_force(), push, 1e-6);
  EXPECT_NEAR(pair.force.x(), -push, 1e-6);
  // the push's moment about the floor, over the weight
  EXPECT_NEAR(pair.point.x(), push * 0.1 / (2 * kG), 1e-6);
  EXPECT_NEAR(pair.point.y(), 0, 1e-6);
  EXPECT_NEAR(pair.point.z(), 0, 1e-6);
  EXPECT_NEAR(forces.total(), std::hypot(2 * kG, push), 1e-6);

  const Vec3 centre(s.state.q[0], s.state.q[1], s.state.q[2]);
  const Spatial on_box = forces.on_body(s.model, box, centre);
  EXPECT_LT((on_box.lin - Vec3(-push, 0, 2 * kG)).norm(), 1e-6);
  EXPECT_LT(on_box.ang.norm(), 1e-6);  // it does not turn
  EXPECT_LT((forces.on_body(s.model, 0, centre).lin + on_box.lin).norm(), 1e-12);
}
INSTANTIATE_TEST_SUITE_P(Models, ForcesOfBoth, testing::Values("st", "ap"),
                         [](const auto& info) { return std::string(info.param); });

TEST(ContactForces, OfAStackAreTheWeightsAbove) {
  Scene s(test::stack_of_boxes(5));
  Simulator simulator(s.model);
  Measure measure(s.model);
  s.run(simulator, measure, 0.5);
  const ContactForces forces = simulator.contact_forces();
  ASSERT_EQ(forces.pairs.size(), 5u);
  for (const PairForce& pair : forces.pairs)  // on geom_b are it and all above it
    EXPECT_NEAR(pair.normal_force(), (6 - pair.geom_b) * 1000 * kG, 1e-3);
}

// What contacts take and what post-steps lift is the change of energy.
TEST(ContactEnergy, AnImpactTakesAllThatWasThere) {
  Scene s(
      "<mujoco><option timestep='0.004' gravity='0 0 0'/><worldbody>"
      "<geom type='plane' size='5 5 1'/><body pos='0 0 0.12'><freejoint/>"
      "<geom type='box' size='0.1 0.1 0.1' mass='2'/></body></worldbody></mujoco>");
  s.state.v[2] = -3;
  Simulator simulator(s.model);
  Measure measure(s.model);
  const RunOutcome out = s.run(simulator, measure, 0.1);
  EXPECT_LT(measure.last().energy.kinetic, 1e-16);  // of 9 J: rounding of a solve to 1e-10
  EXPECT_NEAR(out.contact.work, -0.5 * 2 * 9, 1e-9);
  EXPECT_EQ(out.contact.lifted, 0);
}

TEST(ContactEnergy, SlidingTakesForceTimesWay) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody>"
      "<geom type='plane' size='5 5 1' friction='0.3'/><body pos='0 0 0.1'><freejoint/>"
      "<geom type='box' size='0.1 0.1 0.1' mass='2' friction='0.3'/></body></worldbody></mujoco>");
  s.state.v[0] = 1;
  Simulator simulator(s.model);
  Measure measure(s.model);
  const RunOutcome out = s.run(simulator, measure, 1);
  EXPECT_NEAR(s.state.v[0], 0, 1e-9);
  EXPECT_NEAR(out.contact.work, -1, 1e-8);  // 1/2 m v^2
}

TEST(ContactEnergy, WhatAPostStepLiftsIsToldAndVelocitiesStay) {
  const double depth = 1e-3;
  Scene s(
      "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 0.099'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='2'/></body>"
      "</worldbody></mujoco>");
  Simulator simulator(s.model);
  Measure measure(s.model);
  const RunOutcome out = s.run(simulator, measure, 0.1);
  EXPECT_NEAR(out.contact.lifted, 2 * kG * depth, 1e-8);
  EXPECT_NEAR(out.contact.work, 0, 1e-9);
  EXPECT_NEAR(measure.overlap().deepest, depth, 1e-12);  // at the start
  EXPECT_LT(measure.last().overlap.deepest, 1e-8);
}

TEST(Overlap, IsTheLeastTranslationOfTouchingPairs) {
  Scene s(
      "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
      "<body pos='0 0 0.49'><freejoint/><geom name='a' type='box' size='0.5 0.5 0.5'/></body>"
      "<body pos='0.1 0 1.46'><freejoint/><geom name='b' type='box' size='0.5 0.5 0.5'/></body>"
      "<body pos='3 0 1'><freejoint/><geom type='sphere' size='1'/></body>"
      "<body pos='3 0 4'><freejoint/><geom type='sphere' size='1'/></body>"
      "</worldbody></mujoco>");
  Measure measure(s.model);
  const Sample sample = measure.record(s.state, s.input);
  EXPECT_EQ(sample.overlap.touching, 3);  // floor-a, a-b, and a sphere that kisses the floor
  EXPECT_NEAR(sample.overlap.deepest, 0.03, 1e-12);
  EXPECT_NEAR(sample.overlap.mean(), 0.04 / 3, 1e-12);
  EXPECT_EQ(s.model.geom_names[sample.overlap.deepest_a], "a");
  EXPECT_EQ(s.model.geom_names[sample.overlap.deepest_b], "b");
  EXPECT_EQ(measure.overlap().touching, 3);
}

TEST(Overlap, OfPlanarWorldsDoesNotSeeThickness) {
  for (const double thickness : {0.01, 10.0}) {
    Scene s(fmt::format(
        "<mujoco><custom><text name='abut.plane' data='xy'/></custom><worldbody>"
        "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
        "<joint axis='0 0 1'/><geom type='box' size='0.5 0.5 {0}'/></body>"
        "<body pos='0.9 0 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
        "<joint axis='0 0 1'/><geom type='box' size='0.5 0.5 {0}'/></body></worldbody></mujoco>",
        thickness));
    Measure measure(s.model);
    EXPECT_NEAR(measure.sample(s.state, s.input).overlap.deepest, 0.1, 1e-12);
  }
}

// The walk against all pairs there are, and against the broad phase.
TEST(Overlap, FindsThePairsThatAllPairsHave) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int world = 0; world < 20; ++world) {
    std::string text = "<mujoco><worldbody><geom type='plane' size='5 5 1' zaxis='0.1 0.2 1'/>";
    for (int i = 0; i < 40; ++i)
      text += fmt::format(
          "<body pos='{} {} {}' euler='{} {} {}'><freejoint/><geom type='{}' size='{} 0.2 0.1'/>"
          "</body>",
          u(random), u(random), 0.6 + u(random), 90 * u(random), 90 * u(random), 90 * u(random),
          i % 3 == 0   ? "sphere"
          : i % 3 == 1 ? "box"
                       : "capsule",
          0.1 + 0.05 * u(random));
    Scene s(text + "</worldbody></mujoco>");
    Derived d(s.model);
    positions(s.model, s.state, s.input, d);
    OverlapMeasure measure(s.model);
    const Overlap found = measure.of(d);

    Collider collider(s.model);
    std::vector<Pose> poses;
    geom_poses(s.model, d, poses);
    Overlap expected;
    collider.filter().for_each_pair([&](int a, int b) {
      const double away = proximity(collider.solids()[a], poses[static_cast<std::size_t>(a)],
                                    collider.solids()[b], poses[static_cast<std::size_t>(b)])
                              .distance;
      if (away < kKissing * pair_size(collider.solids()[a], collider.solids()[b])) {
        ++expected.touching;
        expected.sum += std::max(0.0, -away);
        expected.deepest = std::max(expected.deepest, -away);
      }
    });
    EXPECT_GT(expected.touching, 5);
    EXPECT_EQ(found.touching, expected.touching);
    EXPECT_NEAR(found.deepest, expected.deepest, 1e-12);
    EXPECT_NEAR(found.sum, expected.sum, 1e-10);

    ContactData data;
    std::vector<PairQuery> queries;
    collider.find(s.model, d, {}, {.reach = {.pair = 1e-7}}, data, queries);
    EXPECT_EQ(std::ssize(data.patches), found.touching);
  }
}

}  // namespace
}  // namespace abut
