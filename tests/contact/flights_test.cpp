// Bounces of bodies that fly: long steps with many of them are as good as short ones, cost one
// small problem each, and leave everything else alone.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "abut/contact/complementarity/stepping_model.h"
#include "abut/contact/impact/flights.h"
#include "tests/contact/scene.h"
#include "tests/support/random.h"

namespace abut {
namespace {

using test::Scene;

constexpr double kG = 9.81;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

std::string world(double h, double e, const char* more, const std::string& bodies) {
  return fmt::format(
      "<mujoco><option timestep='{:.17g}' {}/><custom><numeric name='abut.restitution' "
      "data='{}'/></custom><default><geom friction='0'/></default><worldbody>{}</worldbody>"
      "</mujoco>",
      h, more, e, bodies);
}

// Solids on a grid inside a room of one metre.
std::string crowd(const char* solid) {
  std::string bodies;
  for (const char* side : {"0.55 0 0", "-0.55 0 0"})
    bodies += fmt::format("<geom type='box' size='0.05 0.6 0.6' pos='{}'/>", side);
  for (const char* side : {"0 0.55 0", "0 -0.55 0"})
    bodies += fmt::format("<geom type='box' size='0.6 0.05 0.6' pos='{}'/>", side);
  for (const char* side : {"0 0 0.55", "0 0 -0.55"})
    bodies += fmt::format("<geom type='box' size='0.6 0.6 0.05' pos='{}'/>", side);
  for (int i = 0; i < 27; ++i)
    bodies += fmt::format("<body pos='{} {} {}'><freejoint/>{}</body>", 0.3 * (i % 3 - 1),
                          0.3 * (i / 3 % 3 - 1), 0.3 * (i / 9 - 1), solid);
  return bodies;
}

void throw_about(unsigned seed, double speed, double spin, Scene& s) {
  test::Random random(seed);
  for (int i = 0; i < 27; ++i) {
    const Vec3 v = speed * random.direction(), w = spin * random.direction();
    for (int k = 0; k < 3; ++k) {
      s.state.v[index(6 * i + k)] = v[k];
      s.state.v[index(6 * i + 3 + k)] = w[k];
    }
  }
}

double total_energy(const Scene& s) {
  Derived d(s.model);
  positions(s.model, s.state, s.input, d);
  velocities(s.model, s.state, d);
  const Energy e = energy(s.model, s.state, d);
  return e.kinetic + e.potential;
}

TEST(Flights, BallsEndALongStepWhereShortOnesLead) {
  const std::string balls = crowd("<geom type='sphere' size='0.06'/>");
  Scene one(world(0.1, 1, "gravity='0 0 -9.81'", balls), test::settings("st"));
  Scene many(world(0.002, 1, "gravity='0 0 -9.81'", balls), test::settings("st"));
  throw_about(1, 4, 0, one);
  many.state.v = one.state.v;
  one.run(0.1);
  many.run(0.1);
  EXPECT_EQ(one.simulator.contact().report().fallbacks, 0);
  for (int i = 0; i < 27; ++i) {
    EXPECT_LT((one.position(i) - many.position(i)).norm(), 1e-5) << i;
    EXPECT_LT((one.velocity(i) - many.velocity(i)).norm(), 1e-3) << i;
  }
}

TEST(Flights, EnergyIsKeptHoweverManyBouncesAStepHas) {
  for (const char* solid :
       {"<geom type='sphere' size='0.06'/>", "<geom type='box' size='0.05 0.04 0.03'/>"}) {
    Scene s(world(0.1, 1, "gravity='0 0 0'", crowd(solid)), test::settings("st"));
    throw_about(2, 4, 5, s);
    const double before = total_energy(s);
    for (int i = 0; i < 10; ++i) {
      s.step();
      EXPECT_EQ(s.simulator.contact().report().fallbacks, 0);
      EXPECT_LE(s.simulator.contact().work_on_free(), 1e-9 * before);
    }
    EXPECT_NEAR(total_energy(s) / before, 1, 1e-9) << solid;
    for (int i = 0; i < 27; ++i) EXPECT_LT(s.position(i).cwiseAbs().maxCoeff(), 0.5) << i;
  }
}

TEST(Flights, LossesOfRestitutionAreNeverGains) {
  Scene s(
      world(0.05, 0.7, "gravity='0 0 -9.81'", crowd("<geom type='box' size='0.05 0.04 0.03'/>")),
      test::settings("st"));
  throw_about(3, 3, 5, s);
  double last = total_energy(s);
  for (int i = 0; i < 20; ++i) {
    s.step();
    const double now = total_energy(s);
    EXPECT_LE(now, last + 1e-9 * std::abs(last)) << i;
    last = now;
  }
}

// What does not bounce takes the step whole, to the last bit.
TEST(Flights, OthersDoNotNoticeThem) {
  const std::string rod =
      "<body pos='0 0 2'><joint axis='0 1 0'/><geom type='capsule' size='0.05 0.4' "
      "contype='0' conaffinity='0'/></body>";
  const auto scene = [&](double height) {
    return Scene(world(0.05, 1, "",
                       "<geom type='plane' size='5 5 1'/>" + rod +
                           fmt::format("<body pos='1 0 {}'><freejoint/><geom type='sphere' "
                                       "size='0.1'/></body>",
                                       height)),
                 test::settings("st"));
  };
  Scene bounces = scene(0.2), flies = scene(50);
  for (Scene* s : {&bounces, &flies}) s->state.q[0] = 1;
  bool rose = false;
  for (int i = 0; i < 10; ++i) {
    bounces.step();
    flies.step();
    EXPECT_EQ(bounces.state.q[0], flies.state.q[0]);
    EXPECT_EQ(bounces.state.v[0], flies.state.v[0]);
    rose = rose || bounces.state.v[3] > 0;
  }
  EXPECT_TRUE(rose);
}

TEST(Flights, ForcesOfAStepHaveTheImpulsesOfItsBounces) {
  // a ball between the floor and a ceiling, at 10 m/s
  Scene s(world(0.1, 1, "gravity='0 0 0'",
                "<geom type='plane' size='5 5 1'/><geom type='box' size='1 1 0.1' pos='0 0 0.5'/>"
                "<body pos='0 0 0.2'><freejoint/><geom type='sphere' size='0.1' mass='2'/></body>"),
          test::settings("st"));
  s.state.v[2] = -10;
  s.step();
  const ContactForces forces = s.simulator.contact_forces();
  ASSERT_EQ(forces.pairs.size(), 2u);
  double pressed = 0;
  for (const PairForce& pair : forces.pairs) pressed += pair.normal_force();
  // 1 m of way: 0.1 m to the floor, and from there on a bounce each 0.2 m
  EXPECT_NEAR(pressed * 0.1, 5 * 2 * 2 * 10, 1e-6);
  EXPECT_NEAR(s.velocity().z(), 10, 1e-9);
  EXPECT_NEAR(s.position().z(), 0.2, 1e-5);
}

TEST(Flights, ABallThatFallsOnARestingBoxBouncesToo) {
  Scene s(world(0.02, 1, "",
                "<geom type='plane' size='5 5 1'/><body pos='0 0 0.1'><freejoint/><geom type='box' "
                "size='0.1 0.1 0.1' mass='1000'/></body><body pos='0 0 0.5'><freejoint/><geom "
                "type='sphere' size='0.1' mass='1'/></body>"),
          test::settings("st"));
  double top = 0;
  s.run(0.21);
  for (int i = 0; i < 15; ++i) {
    s.step();
    top = std::max(top, s.position(1).z());
  }
  EXPECT_GT(top, 0.49);
  EXPECT_LT(top, 0.501);
}

// Between two walls that come to rest by losses there is no end of bounces.
TEST(Flights, BouncesWithoutEndAreBounded) {
  std::string balls = "<geom type='plane' size='5 5 1'/>";
  for (int i = 0; i < 30; ++i)
    balls += fmt::format(
        "<body pos='0 0 {:.9f}'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>",
        0.1 + 0.2001 * (i + 1));
  Scene s(world(0.1, 0.6, "", balls), test::settings("st"));
  for (int i = 0; i < 30; ++i) s.state.v[index(6 * i + 2)] = -0.3 * (i + 1);
  const double before = total_energy(s);
  for (int i = 0; i < 5; ++i) s.step();
  EXPECT_LT(total_energy(s), before);
  for (int i = 0; i < 30; ++i) EXPECT_GT(s.position(i).z(), 0.09 + 0.19 * i);
}

// The speed of a bounce that is let be, as docs/restitution.md states it.
TEST(Flights, SlowestBounce) {
  const double h = 0.1;
  Scene s(world(h, 1, "",
                "<geom type='plane' size='5 5 1'/><body pos='0 0 1'><freejoint/><geom "
                "type='sphere' size='0.1'/></body><body pos='0 0 2'><freejoint/><geom "
                "type='sphere' size='0.1'/></body>"),
          test::settings("st"));
  const Collider collider(s.model);
  const Flights flights(s.model, test::settings("st"), collider);
  EXPECT_NEAR(flights.slowest(0, 1), kG * h / 32, 1e-4 * kG * h);
  EXPECT_LT(flights.slowest(1, 2), 1e-5);
}

}  // namespace
}  // namespace abut
