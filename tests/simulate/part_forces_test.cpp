// Forces of steps that are taken in parts: the impulse of the step over its length.
#include "abut/simulate/part_forces.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/contact/scene.h"
#include "tests/support/allocations.h"

namespace abut {
namespace {

using test::Scene;

// A die of this edge that is thrown at the floor.
std::string die(double edge, const std::string& custom = "", double h = 0.001) {
  return fmt::format(
      "<mujoco><option timestep='{}'/><custom>{}</custom><worldbody><geom type='plane' size='5 5 "
      "1'/><body pos='0 0 {}' quat='0.8 0.3 0.5 0.1'><freejoint/><geom type='box' size='{} {} {}' "
      "mass='2'/></body></worldbody></mujoco>",
      h, custom, 1.1 * edge, edge / 2, edge / 2, edge / 2);
}

// m v' - m v = h (F + m g), step by step; the largest difference, as part of the largest F h.
double unaccounted(Scene& s, int steps) {
  const double m = 2, h = s.model.option.timestep;
  double worst = 0, most = 0;
  for (int i = 0; i < steps; ++i) {
    const Vec3 before = s.velocity();
    s.step();
    const Vec3 force = s.simulator.contact_forces().on_body(s.model, 1, Vec3::Zero()).lin;
    const Vec3 change = m * (s.velocity() - before) - h * m * s.model.option.gravity;
    worst = std::max(worst, (change - h * force).norm());
    most = std::max(most, h * force.norm());
  }
  EXPECT_GT(most, 0);
  return worst / most;
}

TEST(PartForces, AreTheImpulseOfAPenaltyStep) {
  for (const std::string model : {"volumetric", "multipoint"}) {
    Scene s(die(0.01), test::settings(model));
    EXPECT_GT(s.simulator.contact().parts(), 2);
    EXPECT_LT(unaccounted(s, 400), 1e-12) << model;
    // at rest the weight
    EXPECT_NEAR(s.simulator.contact_forces().total(), 2 * 9.81, 1e-2) << model;
  }
}

TEST(PartForces, AreTheImpulseOfAStepThatEndsAtImpacts) {
  for (const std::string model : {"multipoint", "baraff"})
    for (const double edge : {0.3, 0.01}) {
      ContactSettings settings = test::settings(model);
      settings.regress = true;
      if (model == "baraff") settings.friction = FrictionKind::none;
      Scene s(die(edge), settings);
      EXPECT_LT(unaccounted(s, 300), 1e-10) << model << edge;
    }
}

// Thrown so fast that for some of them no plane does for the whole step.
TEST(PartForces, AreTheImpulseOfHalvedSteps) {
  int halved = 0;
  for (int i = 0; i < 100; ++i) {
    ContactSettings settings = test::settings("peg");
    Scene s(die(0.5, "", 0.25), settings);
    s.state.v[0] = 2 * std::sin(i), s.state.v[2] = -3;
    s.state.v[3] = 12 * std::cos(i), s.state.v[4] = 12 * std::sin(2 * i);
    for (int k = 0; k < 6; ++k) {
      const Vec3 before = s.velocity();
      s.step();
      if (s.simulator.contact().report().level != 1) continue;
      ++halved;
      const Vec3 force = s.simulator.contact_forces().on_body(s.model, 1, Vec3::Zero()).lin;
      const Vec3 change = 2 * (s.velocity() - before) - 0.25 * 2 * s.model.option.gravity;
      EXPECT_LT((change - 0.25 * force).norm(), 1e-10 * change.norm()) << i;
    }
  }
  EXPECT_GT(halved, 0);
}

// Allocations of steps that were taken several times before: buffers that are swapped have all grown.
long warm_allocations(Scene& s, int steps) {
  const State start = s.state;
  for (int repeat = 0; repeat < 5; ++repeat) {
    s.state = start;
    for (int i = 0; i < steps; ++i) s.step();
  }
  s.state = start;
  const long before = test::allocation_count();
  for (int i = 0; i < steps; ++i) s.step();
  return test::allocation_count() - before;
}

TEST(PartForces, WarmStepsInPartsDoNotAllocate) {
  for (const std::string model : {"volumetric", "multipoint"}) {
    Scene s(die(0.01), test::settings(model));
    EXPECT_EQ(warm_allocations(s, 200), 0) << model;
    EXPECT_GT(s.simulator.contact().parts(), 2) << model;
  }
}

TEST(PartForces, WarmStepsThatEndAtImpactsDoNotAllocate) {
  for (const std::string model : {"multipoint", "baraff"}) {
    ContactSettings settings = test::settings(model);
    settings.regress = true;
    if (model == "baraff") settings.friction = FrictionKind::none;
    Scene s(die(0.3), settings);
    EXPECT_EQ(warm_allocations(s, 300), 0) << model;
  }
}

TEST(PartForces, WarmStepsThatEndAtBouncesDoNotAllocate) {
  for (const char* model : {"st", "fast", "ap"}) {
    Scene s(die(0.3, "<numeric name='abut.restitution' data='0.8'/>"), test::settings(model));
    EXPECT_EQ(warm_allocations(s, 400), 0) << model;
  }
}

TEST(PartForces, WarmHalvedStepsDoNotAllocate) {
  int halved = 0;
  for (int i = 0; i < 100; ++i) {
    Scene s(die(0.5, "", 0.25), test::settings("peg"));
    s.state.v[0] = 2 * std::sin(i), s.state.v[2] = -3;
    s.state.v[3] = 12 * std::cos(i), s.state.v[4] = 12 * std::sin(2 * i);
    for (int k = 0; k < 6; ++k) {
      EXPECT_EQ(warm_allocations(s, 1), 0) << i;
      halved += s.simulator.contact().report().level == 1;
    }
  }
  EXPECT_GT(halved, 0);
}

TEST(PartForces, PointsOfPartsAreOneWhereThereAreAsMany) {
  ContactForces a, b, sum;
  a.points = {{{0, 0, 0}, {0, 0, 3}, 3}, {{1, 0, 0}, {0, 0, 1}, 1}};
  a.pairs.push_back({.geom_a = 0,
                     .geom_b = 2,
                     .force = {0, 0, 4},
                     .point = {0.25, 0, 0},
                     .normal = {0, 0, 1},
                     .begin = 0,
                     .end = 2});
  b = a;
  b.points[0].position.y() = 1;
  b.pairs[0].point.y() = 0.75;
  b.pairs[0].geom_a = 1;
  // other pairs stay apart, in order
  add_forces(b, a, 0.5, sum);
  ASSERT_EQ(sum.pairs.size(), 2U);
  EXPECT_EQ(sum.pairs[0].geom_a, 0);
  EXPECT_EQ(sum.pairs[0].force.z(), 2);
  EXPECT_EQ(sum.pairs[1].begin, 2);
  b.pairs[0].geom_a = 0;
  add_forces(a, b, 1, sum);
  ASSERT_EQ(sum.points.size(), 2U);
  EXPECT_EQ(sum.points[0].position.y(), 0.5);
  EXPECT_EQ(sum.points[0].force.z(), 6);
  EXPECT_EQ(sum.pairs[0].force.z(), 8);
  EXPECT_EQ(sum.pairs[0].point.y(), 0.375);
  // else all are there, and force and moment are theirs
  b.points.pop_back();
  b.pairs[0] = {.geom_a = 0,
                .geom_b = 2,
                .force = {0, 0, 3},
                .point = {0, 1, 0},
                .normal = {0, 0, 1},
                .begin = 0,
                .end = 1};
  add_forces(a, b, 1, sum);
  ASSERT_EQ(sum.points.size(), 3U);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (const PointForce& p : sum.points) {
    force += p.force;
    moment += p.position.cross(p.force);
  }
  EXPECT_LT((force - sum.pairs[0].force).norm(), 1e-15);
  EXPECT_LT((moment - sum.pairs[0].torque - sum.pairs[0].point.cross(force)).norm(), 1e-15);
}

}  // namespace
}  // namespace abut
