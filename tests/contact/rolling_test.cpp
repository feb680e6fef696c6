// Round solids roll as rigid ones do: down an incline, on a level floor, whatever way they are
// turned, at any step and size.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numbers>

#include "abut/math/rotation.h"
#include "support/allocations.h"
#include "support/random.h"
#include "support/tree.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

constexpr double kG = 9.81;

ContactSettings penalty(const std::string& model) {
  ContactSettings s;
  s.model = model;
  return s;
}

struct Roller {
  const char* name;
  const char* shape;  // of a radius of 1, its axis along y
  double inertia;     // about the axis it rolls about, over m r^2
};

const Roller kBall{"ball", "type='sphere' size='{0}'", 0.4};
const Roller kWheel{"wheel", "type='cylinder' size='{0} {0}' euler='90 0 0'", 0.5};
const Roller kCoin{"coin", "type='cylinder' size='{0} {1}' euler='90 0 0'", 0.5};
// a cylinder of length 4 and a ball of the same stuff: volumes 4 and 4/3
const Roller kCapsule{"capsule", "type='capsule' size='{0} {2}' euler='90 0 0'",
                      (4 * 0.5 + 4.0 / 3 * 0.4) / (4 + 4.0 / 3)};
const Roller kEgg{"egg", "type='ellipsoid' size='{0} {2} {0}'", 0.4};

// A floor that is level, under gravity that is not; x is the way down.
std::string world(const Roller& roller, double size, double step, double tilt, bool slab,
                  const Quat& turned = Quat::Identity()) {
  const double r = size / 2;
  return fmt::format(
      "<mujoco><option timestep='{:.17g}' gravity='{:.17g} 0 {:.17g}'/><worldbody>{}"
      "<body pos='0 0 {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'><freejoint/><geom {} "
      "mass='1' "
      "friction='0.8'/></body></worldbody></mujoco>",
      step, kG * std::sin(tilt), -kG * std::cos(tilt),
      slab ? fmt::format("<geom type='box' size='{0} {1} {1}' pos='0 0 -{1}' friction='.8'/>",
                         200 * size, 20 * size)
           : "<geom type='plane' size='50 50 1' friction='.8'/>",
      r, turned.w(), turned.x(), turned.y(), turned.z(),
      fmt::vformat(roller.shape, fmt::make_format_args(r, r / 10, 2 * r)));
}

const std::string kModels[] = {"volumetric", "multipoint"};

void expect_rolls_down(const std::string& model, const Roller& roller, double size, double step,
                       double tilt, bool slab) {
  Scene s(world(roller, size, step, tilt, slab), penalty(model));
  const double seconds = 6 * std::sqrt(size / kG);
  s.run(std::max(seconds, 40 * step));
  const double expected = kG * std::sin(tilt) / (1 + roller.inertia) * s.state.time;
  EXPECT_NEAR(s.velocity().x() / expected, 1, 0.01)
      << model << ", " << roller.name << " of " << size << " m at " << step << " s, tilt " << tilt
      << (slab ? " on a slab" : "");
}

TEST(Rolling, DownAnInclineAtAnyStepAndSize) {
  const double tilt = std::numbers::pi / 18;
  for (const std::string& model : kModels)
    for (const Roller& roller : {kBall, kWheel})
      for (const double size : {0.01, 0.1, 1.0})
        for (const double step : {0.25e-3, 1e-3, 4e-3})
          expect_rolls_down(model, roller, size, step, tilt, false);
}

TEST(Rolling, DownSlabsAndOtherInclines) {
  for (const std::string& model : kModels)
    for (const Roller& roller : {kBall, kWheel, kCoin, kCapsule, kEgg})
      for (const double tilt : {0.02, 0.3})
        for (const bool slab : {false, true})
          expect_rolls_down(model, roller, 0.2, 2e-3, tilt, slab);
}

// The world that comes with abut, under every model of forces that carries weights.
TEST(Rolling, TheWorldOfRollers) {
  std::ifstream file(test::in_tree("/worlds/rolling.xml"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  ASSERT_FALSE(text.empty());
  for (const std::string model : {"volumetric", "multipoint", "quasirigid", "deepest"}) {
    Scene s(text, penalty(model));
    s.run(1);
    // of the capsule's volume 3 are a cylinder's and 4/3 a ball's
    const double capsule = (3 * 0.5 + 4.0 / 3 * 0.4) / (3 + 4.0 / 3);
    const double inertia[] = {0.4, 0.5, capsule, 0.4};
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(s.velocity(i).x() * (1 + inertia[i]) / 1.7034886, 1, 0.01) << model << ' ' << i;
  }
}

// Over a metre on a level floor, and as long as it is large.
TEST(Rolling, OnALevelFloorGoesOn) {
  for (const std::string& model : kModels)
    for (const Roller& roller : {kBall, kWheel, kCoin, kCapsule, kEgg})
      for (const double size : {0.05, 0.2}) {
        Scene s(world(roller, size, 2e-3, 0, false), penalty(model));
        s.run(0.2);
        s.state.v = {1, 0, 0, 0, 2 / size, 0};
        s.run(1);
        EXPECT_NEAR(s.velocity().x(), 1, 0.01) << model << ", " << roller.name;
        EXPECT_NEAR(s.position().x(), 1, 0.02) << model << ", " << roller.name;
        EXPECT_NEAR(s.state.v[4] * size / 2, 1, 0.01) << model << ", " << roller.name;
      }
}

// Nothing of a ball is fixed to it.
TEST(Rolling, HowABallIsTurnedDoesNotShow) {
  test::Random random(7);
  for (const std::string& model : kModels)
    for (const bool slab : {false, true}) {
      Scene first(world(kBall, 0.2, 2e-3, 0.1, slab), penalty(model));
      first.run(0.5);
      for (int i = 0; i < 5; ++i) {
        Scene s(world(kBall, 0.2, 2e-3, 0.1, slab, random.quat()), penalty(model));
        s.run(0.5);
        EXPECT_LT((s.position() - first.position()).norm(), 1e-9) << model;
        EXPECT_LT((s.velocity() - first.velocity()).norm(), 1e-8) << model;
      }
    }
}

// What spins about the normal is slowed down by the friction of its area alone: mu m g times the
// mean lever arm. Over a cap that is 2/3 of the rim's radius where pressure is even (volumetric),
// and 8/15 where it grows with depth; multipoint has some of both, by its integral term.
TEST(Rolling, ABallThatSpinsIsSlowedByItsArea) {
  for (const std::string& model : kModels) {
    Scene s(world(kBall, 0.2, 1e-3, 0, false), penalty(model));
    s.run(0.5);
    const double depth = 0.1 - s.position().z(), rim = std::sqrt(2 * 0.1 * depth);
    s.state.v = {0, 0, 0, 0, 0, 20};
    s.run(0.2);
    const double torque = 0.4 * 0.01 * (20 - s.state.v[5]) / 0.2, arm = torque / (0.8 * kG * rim);
    if (model == "volumetric") {
      EXPECT_NEAR(arm, 2.0 / 3, 0.02);
    } else {
      EXPECT_GT(arm, 8.0 / 15);
      EXPECT_LT(arm, 2.0 / 3);
    }
    EXPECT_LT(s.velocity().norm(), 1e-6);
  }
}

// Two balls meet off the middle: momentum is kept, nothing is gained, and what has no friction
// leaves along the line of centres and without spin.
TEST(Rolling, TwoBallsThatMeet) {
  for (const std::string& model : kModels)
    for (const double friction : {0.0, 0.5}) {
      const std::string ball = fmt::format(
          "<freejoint/><geom type='sphere' size='0.1' mass='2' friction='{}'/>", friction);
      Scene s(fmt::format("<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body>{0}"
                          "</body><body pos='0.25 0.1 0.05'>{0}</body></worldbody></mujoco>",
                          ball),
              penalty(model));
      s.state.v = {1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0};
      const double before = test::kinetic(s);
      s.run(0.5);
      EXPECT_LT((s.velocity(0) + s.velocity(1)).norm(), 1e-12) << model;
      EXPECT_LE(test::kinetic(s), before * (1 + 1e-9)) << model;
      EXPECT_GT((s.velocity(0) - Vec3(1, 0, 0)).norm(), 0.1) << model;
      if (friction == 0) {
        EXPECT_LT(std::abs(s.state.v[3]) + std::abs(s.state.v[4]) + std::abs(s.state.v[5]), 1e-12);
      }
    }
}

// Over the edge of a box and off it: closed forms, facets and points follow each other, and no
// energy comes of it.
TEST(Rolling, OverAnEdge) {
  for (const std::string& model : kModels) {
    Scene s(
        "<mujoco><option timestep='0.001'/><worldbody><geom type='box' size='.5 .5 .1' pos='0 0 "
        "-.1'"
        " friction='.5'/><body pos='.3 0 .1'><freejoint/><geom type='sphere' size='.1' mass='1' "
        "friction='.5'/></body></worldbody></mujoco>",
        penalty(model));
    s.run(0.2);
    s.state.v = {0.5, 0, 0, 0, 5, 0};
    const double start = test::kinetic(s) + kG * s.position().z();
    double most = start;
    for (int i = 0; i < 700; ++i) {
      s.step();
      most = std::max(most, test::kinetic(s) + kG * s.position().z());
    }
    EXPECT_GT(s.position().x(), 0.5) << model;
    EXPECT_LT(s.position().z(), 0) << model;
    EXPECT_LT(most - start, 2e-2) << model;
    EXPECT_NEAR(s.position().y(), 0, 1e-3) << model;
  }
}

TEST(Rolling, AWarmStepAllocatesNothing) {
  for (const std::string& model : kModels)
    for (const Roller& roller : {kBall, kWheel, kCapsule, kEgg}) {
      Scene s(world(roller, 0.2, 2e-3, 0.1, true), penalty(model));
      s.run(0.4);
      const long before = test::allocation_count();
      s.run(0.1);
      EXPECT_EQ(test::allocation_count(), before) << model << ", " << roller.name;
    }
}

}  // namespace
}  // namespace abut
