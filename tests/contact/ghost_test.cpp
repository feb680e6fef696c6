// st gives no impulse to a pair that passes, and a pair that it stops ends touching. Boxes and hulls
// fly along the faces of a block, over the seam between its two halves, and past edges and corners, at
// 0.1 to 10 mm. The referee follows the free motion in 200 parts and computes the exact distance in
// each. `make soak` has SOAK seconds of passes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "abut/collide/proximity/proximity.h"
#include "abut/simulate/ghosts.h"
#include "tests/contact/scene.h"
#include "tests/support/random.h"
#include "tests/support/soak.h"

namespace abut {
namespace {

using test::Scene;

std::string random_solid(test::Random& random, double size) {
  if (random.uniform(0, 1) < 0.5)
    return fmt::format("<geom type='box' size='{:.6f} {:.6f} {:.6f}'/>",
                       size * random.uniform(0.2, 1), size * random.uniform(0.2, 1),
                       size * random.uniform(0.2, 1));
  return "<geom type='mesh' mesh='hull'/>";
}

// The block: one box, or two that meet in a plane x = 0.
enum class Block { whole, halves };

std::string block_geoms(Block block, const Vec3& half) {
  if (block == Block::whole)
    return fmt::format("<geom type='box' size='{} {} {}'/>", half.x(), half.y(), half.z());
  std::string geoms;
  for (const double side : {-0.5, 0.5})
    geoms += fmt::format("<geom type='box' size='{} {} {}' pos='{} 0 0'/>", 0.5 * half.x(),
                         half.y(), half.z(), side * half.x());
  return geoms;
}

struct RandomWorld {
  std::string text;
  Vec3 half;  // of the block
};

RandomWorld random_world(test::Random& random, double h, Block block) {
  const double size = std::pow(10, random.uniform(-1.3, 0));
  std::string vertices;
  for (int i = 0; i < 12; ++i) {
    const Vec3 p = size * random.direction();
    vertices += fmt::format("{:.9g} {:.9g} {:.9g} ", p.x(), p.y(), p.z());
  }
  const std::string solid = random_solid(random, size);
  Vec3 half;
  for (int k = 2; k >= 0; --k) half[k] = size * random.uniform(0.5, 2);
  const double g = random.uniform(0, 1) < 0.5 ? 0 : -9.81;
  return {fmt::format("<mujoco><option timestep='{:.17g}' gravity='0 0 {}'/><asset><mesh "
                      "name='hull' vertex='{}'/></asset><worldbody>{}<body pos='0 0 5'>"
                      "<freejoint/>{}</body></worldbody></mujoco>",
                      h, g, vertices, block_geoms(block, half), solid),
          half};
}

struct Pass {
  Scene scene, free;
  ConvexSet solids;
  Derived d;

  explicit Pass(const std::string& world)
      : scene(world, test::settings("st")),
        free(world, test::settings("none")),
        solids(scene.model),
        d(scene.model) {}

  int mover() const { return static_cast<int>(scene.model.geoms.size()) - 1; }
  // From the nearer part of the block.
  Proximity distance(const State& state) {
    positions(scene.model, state, scene.input, d);
    Proximity nearest;
    nearest.distance = kInfinity;
    for (int part = 0; part < mover(); ++part) {
      const Proximity p = proximity(solids[part], geom_pose(scene.model, d, part), solids[mover()],
                                    geom_pose(scene.model, d, mover()));
      if (p.distance < nearest.distance) nearest = p;
    }
    return nearest;
  }
  double size() const { return pair_size(solids[0], solids[mover()]); }
};

// Beside a random place of the block, most of them on edges and corners, at a distance.
void place_beside(test::Random& random, Pass& pass, const Vec3& half, double gap) {
  State& state = pass.scene.state;
  Vec3 side;
  for (int k = 0; k < 3; ++k) {
    const double x = random.uniform(-1.6, 1.6);
    side[k] = std::clamp(x, -1.0, 1.0) * half[k];
  }
  const Vec3 away = (side + 0.3 * half.minCoeff() * random.direction()).normalized();
  const Quat q = random.quat();
  for (int k = 0; k < 3; ++k)
    state.q[static_cast<std::size_t>(k)] = side[k] + 3 * pass.size() * away[k];
  state.q[3] = q.w(), state.q[4] = q.x(), state.q[5] = q.y(), state.q[6] = q.z();
  for (int round = 0; round < 60; ++round) {  // towards the place, until the gap is that
    const Proximity p = pass.distance(state);
    if (std::abs(p.distance - gap) < 1e-9 * gap) return;
    const Vec3 step = (gap - p.distance) * p.normal;
    for (int k = 0; k < 3; ++k) state.q[static_cast<std::size_t>(k)] += step[k];
  }
}

struct Tally {
  int passes = 0, clear = 0, stopped = 0;
  int apart = 0, late = 0;  // of these: that do not end touching; that a post-step moved out
  double farthest = 0;      // gap at the end, of the law's bound
};

void fly_by(unsigned seed, Tally& tally, Block block = Block::whole) {
  SCOPED_TRACE(fmt::format("fly_by({})", seed));
  test::Random random(seed);
  const double h = std::pow(10, random.uniform(-4, -2)), gap = std::pow(10, random.uniform(-4, -2));
  const RandomWorld world = random_world(random, h, block);
  Pass pass(world.text);
  place_beside(random, pass, world.half, gap);
  State& state = pass.scene.state;
  const Proximity at_start = pass.distance(state);
  if (!(at_start.distance > 0.5 * gap)) return;
  // mostly along the surface
  const double speed = std::pow(10, random.uniform(-1, 1)), dip = random.uniform(-0.6, 0.1);
  Vec3 way = random.direction();
  way = (way - way.dot(at_start.normal) * at_start.normal).normalized() + dip * at_start.normal;
  const Vec3 omega = random.uniform(0, 1) < 0.3 ? Vec3::Zero() : Vec3(5 * random.direction());
  for (int k = 0; k < 3; ++k) {
    state.v[static_cast<std::size_t>(k)] = speed * way[k];
    state.v[static_cast<std::size_t>(3 + k)] = omega[k];
  }

  constexpr int kParts = 200;
  pass.free.state = state;
  pass.free.model.option.timestep = h / kParts;
  double least = at_start.distance;
  for (int i = 0; i < kParts; ++i) {
    pass.free.step();
    least = std::min(least, pass.distance(pass.free.state).distance);
  }
  const double fastest =
      speed * way.norm() + 9.81 * h + omega.norm() * pass.solids[pass.mover()].radius;
  const bool stays_apart = least - fastest * h / kParts > 1e-6 * pass.size();

  pass.scene.step();
  ++tally.passes;
  bool pushed = false;
  for (const Vec3& p : pass.scene.simulator.contact().stepping().impulses())
    pushed = pushed || p.norm() > 0;
  if (stays_apart) {
    ++tally.clear;
    EXPECT_FALSE(pushed) << "a ghost; the free motion keeps " << least << " m";
  }
  const double end = pass.distance(state).distance;
  EXPECT_GE(end, -1e-5 * pass.size());
  // (what touches in the midst of the step alone, and turns away, may end apart)
  if (pass.distance(pass.free.state).distance > -1e-6 * pass.size()) return;
  ++tally.stopped;
  if (!pushed) ++tally.late;
  const double bound = 1e-4 * speed * way.norm() * h + 1e-6 * pass.size();
  if (end > bound) ++tally.apart;
  tally.farthest = std::max(tally.farthest, end / bound);
}

void pass_by(unsigned passes, Block block) {
  Tally tally;
  const test::Soak soak(0);
  for (unsigned seed = 0; seed < passes || soak.goes_on(); ++seed) fly_by(seed, tally, block);
  EXPECT_GT(tally.clear, tally.passes / 4);
  EXPECT_GT(tally.stopped, tally.passes / 100);
  // where the gap jumps over zero there is no impulse that leads to a touch (plane_shift.h)
  EXPECT_LE(tally.apart, 1 + tally.stopped / 100);
  EXPECT_LE(tally.late, 1 + tally.stopped / 20);
  fmt::print(
      "{} passes, {} clear, {} stopped: {} of these end apart (at {:.3g} of the bound at most), "
      "{} are moved out\n",
      tally.passes, tally.clear, tally.stopped, tally.apart, tally.farthest, tally.late);
}

TEST(Ghosts, NoneWhereSolidsPassByAndNoGapWhereTheyAreStopped) { pass_by(1500, Block::whole); }

TEST(Ghosts, NoneOverASeam) { pass_by(800, Block::halves); }

// At these two normals took turns, and the pair ended at 8 to 230 times the bound.
TEST(Ghosts, NoneAtCorners) {
  Tally tally;
  for (const unsigned seed : {41u, 65u, 126u, 156u, 1528u, 1838u, 1941u, 1987u, 2190u, 2587u})
    fly_by(seed, tally);
  EXPECT_EQ(tally.stopped, 10);
  EXPECT_EQ(tally.apart, 0) << tally.farthest;
  EXPECT_EQ(tally.late, 0);
}

// No contacts led to a touch, and the last that were tried overlapped by up to 7 % of the size.
TEST(Ghosts, WhatCannotEndTouchingOverlapsLeast) {
  Tally tally;
  for (const unsigned seed : {22173u, 75790u, 81492u}) fly_by(seed, tally);
  EXPECT_EQ(tally.stopped, 3);
}

// A cube that tips over its edges presses all the while; it lifted off by the square of its turn.
TEST(Ghosts, NoneWhereABodyThatPressesTurns) {
  Scene s(
      "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='0 0 1'/>"
      "<body pos='0 0 .15' euler='20 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "</worldbody></mujoco>",
      test::settings("st"));
  const Ghosts ghosts(s.model);
  OverlapMeasure solids(s.model);
  Derived d(s.model);
  int count = 0;
  for (int i = 0; i < 200; ++i) {
    s.step();
    positions(s.model, s.state, s.input, d);
    solids.of(d);
    count += ghosts.count(s.simulator, s.simulator.contact_forces(), solids);
  }
  EXPECT_EQ(count, 0);
}

// A pair that rests within the contact tolerance closes its gap; it hovered.
TEST(Ghosts, NoneOfABoxAtRestUnderAp) {
  Scene s(
      "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='0 0 1' euler='7 0 0'/>"
      "<body pos='0 0 .15' euler='12 5 0'><freejoint/><geom type='box' size='.1 .1 .1' "
      "friction='0.8'/></body></worldbody></mujoco>",
      test::settings("ap"));
  s.run(1);
  const Ghosts ghosts(s.model);
  OverlapMeasure solids(s.model);
  Derived d(s.model);
  int count = 0;
  for (int i = 0; i < 100; ++i) {
    s.step();
    positions(s.model, s.state, s.input, d);
    solids.of(d);
    count += ghosts.count(s.simulator, s.simulator.contact_forces(), solids);
  }
  EXPECT_EQ(count, 0);
}

// Its end is where it goes, not where it was.
TEST(Ghosts, ADrivenBodyPushesWhereItEnds) {
  Scene s(
      "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body mocap='true'>"
      "<geom type='box' size='.1 .1 .1'/></body><body pos='.201 0 0'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
      test::settings("st"));
  s.input.mocap_velocity[0] << 1, 0, 0, 0, 0, 0;
  s.step();
  EXPECT_NEAR(s.position().x(), 0.21, 1e-8);
  EXPECT_NEAR(s.velocity().x(), 0.9, 1e-6);
}

}  // namespace
}  // namespace abut
