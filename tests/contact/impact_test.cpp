// Impulses of impacts: Newton's restitution, Coulomb's friction, and no energy out of nothing
// (D-2, D-E9).
#include "abut/contact/impact/impacts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/collide/collide.h"
#include "abut/dynamics/energy.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "tests/support/random.h"

namespace abut {
namespace {

struct Crash {
  Model model;
  State state;
  Input input;
  Derived d;
  Collider collider;
  Impacts impacts;
  Momentum before;
  double kinetic = 0;

  explicit Crash(const std::string& world)
      : model(compile(parse_mjcf(world))),
        state(model),
        input(model),
        d(model),
        collider(model),
        impacts(model) {}

  Energy look() {
    positions(model, state, input, d);
    velocities(model, state, d);
    return energy(model, state, d);
  }
  bool resolve() {
    kinetic = look().kinetic;
    before = momentum(model, d);
    ContactData data;
    std::vector<PairQuery> queries;
    collider.find(model, d, {}, {.reach = {.pair = 1e-3}}, data, queries);
    mass_matrix(model, d);
    factor(model, d);
    std::vector<double> u(state.v.size());
    to_solver_velocity(model, d, state.v, u);
    const bool hit =
        impacts.resolve(1e-3, data, collider.sizes(), {.tolerance = 1e-4}, input, d, u);
    from_solver_velocity(model, d, u, state.v);
    return hit;
  }
};

std::string on_floor(double e, double mu, const char* geom) {
  return fmt::format(
      "<mujoco><custom><numeric name='abut.restitution' data='{}'/></custom><default>"
      "<geom friction='{}'/></default><worldbody><geom type='plane' size='5 5 1'/>"
      "<body name='b' pos='0 0 0.1'><freejoint/>{}</body></worldbody></mujoco>",
      e, mu, geom);
}
const char* const kBall = "<geom type='sphere' size='0.1' mass='2'/>";
const char* const kBox = "<geom type='box' size='0.1 0.1 0.1' mass='2'/>";

TEST(Impacts, ABallLeavesWithNewtonsPartOfItsSpeed) {
  for (const double e : {0.0, 0.5, 1.0}) {
    Crash c(on_floor(e, 0, kBall));
    c.state.v = {1, 0, -3, 0, 0, 0};
    EXPECT_TRUE(c.resolve());
    EXPECT_NEAR(c.state.v[2], 3 * e, 1e-14);
    EXPECT_NEAR(c.state.v[0], 1, 1e-15);
    EXPECT_NEAR(c.impacts.work(), 9 * (e * e - 1), 1e-12);
    ASSERT_EQ(c.impacts.impulses().size(), 1u);
    EXPECT_NEAR(c.impacts.impulses()[0].force.z(), 2 * 3 * (1 + e), 1e-12);
  }
  Crash parting(on_floor(1, 0, kBall));
  parting.state.v = {0, 0, 1, 0, 0, 0};
  EXPECT_FALSE(parting.resolve());
}

TEST(Impacts, FrictionSlidesOrSticks) {
  // a little: mu times the normal impulse
  Crash slides(on_floor(0.5, 0.1, kBall));
  slides.state.v = {2, 0, -1, 0, 0, 0};
  slides.resolve();
  EXPECT_NEAR(slides.state.v[0], 2 - 0.1 * 1.5, 1e-14);
  EXPECT_NEAR(slides.state.v[4], 2.5 * 0.1 * 1.5 / 0.1, 1e-12);
  // much: the ball rolls on, with 5/7 of its speed
  Crash rolls(on_floor(0.5, 2, kBall));
  rolls.state.v = {2, 0, -1, 0, 0, 0};
  rolls.resolve();
  EXPECT_NEAR(rolls.state.v[0], 2 * 5.0 / 7, 1e-11);
  EXPECT_NEAR(rolls.state.v[0] - 0.1 * rolls.state.v[4], 0, 1e-11);
}

TEST(Impacts, TwoBallsKeepTheirMomentum) {
  for (const double e : {0.0, 0.3, 1.0}) {
    Crash c(fmt::format(
        "<mujoco><custom><numeric name='abut.restitution' data='{}'/></custom><worldbody>"
        "<body><freejoint/><geom type='sphere' size='0.1' mass='1' friction='0.3'/></body>"
        "<body pos='0.16 0.12 0'><freejoint/><geom type='sphere' size='0.1' mass='3' "
        "friction='0.3'/></body></worldbody></mujoco>",
        e));
    c.state.v = {1, 0.5, 0.2, 0, 3, 0, -1, 0, 0.1, 1, 0, 2};
    EXPECT_TRUE(c.resolve());
    const double after = c.look().kinetic;
    const Momentum m = momentum(c.model, c.d);
    EXPECT_LT((m.linear - c.before.linear).norm(), 1e-14);
    EXPECT_LT((m.angular - c.before.angular).norm(), 1e-14);
    EXPECT_NEAR(after - c.kinetic, c.impacts.work(), 1e-13);
    EXPECT_LE(after, c.kinetic);
    const Vec3 n = Vec3(0.8, 0.6, 0);
    const Vec3 v(c.state.v[6] - c.state.v[0], c.state.v[7] - c.state.v[1],
                 c.state.v[8] - c.state.v[2]);
    EXPECT_NEAR(v.dot(n), e * 1.9, 1e-12);
  }
}

TEST(Impacts, ABoxIsHitAtTheCentreOfItsFace) {
  Crash flat(on_floor(0.5, 0.3, kBox));
  flat.state.v = {0, 0, -1, 0, 0, 0};
  flat.resolve();
  EXPECT_NEAR(flat.state.v[2], 0.5, 1e-14);
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(flat.state.v[static_cast<std::size_t>(k)], 0, 1e-14);
  ASSERT_EQ(flat.impacts.impulses().size(), 1u);
  EXPECT_LT((flat.impacts.impulses()[0].position - Vec3(0, 0, 0)).norm(), 1e-12);
  // half of it over the edge of a table: the centre of what is on it
  Crash half(
      "<mujoco><worldbody><geom type='box' size='1 1 0.5' pos='-1 0 -0.5'/>"
      "<body name='b' pos='0.05 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1' "
      "mass='2' friction='0'/></body></worldbody></mujoco>");
  half.state.v = {0, 0, -1, 0, 0, 0};
  half.resolve();
  ASSERT_FALSE(half.impacts.impulses().empty());
  EXPECT_LT((half.impacts.impulses()[0].position - Vec3(-0.025, 0, 0)).norm(), 1e-12);
  EXPECT_GT(half.state.v[4], 0.1) << "it tips";
}

// A box that turns as it lands: no corner goes on into the floor.
TEST(Impacts, NoPointOfTheSurfaceGoesOnApproaching) {
  Crash c(on_floor(0, 0.2, kBox));
  c.state.v = {0.3, 0, -0.5, 4, -2, 1};
  c.resolve();
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1}) {
      const Vec3 w(c.state.v[3], c.state.v[4], c.state.v[5]);
      EXPECT_GT(c.state.v[2] + w.cross(Vec3(x, y, -0.1)).z(), -1e-8);
    }
  EXPECT_LT(c.impacts.work(), 0);
  EXPECT_NEAR(c.look().kinetic - c.kinetic, c.impacts.work(), 1e-12);
}

}  // namespace
}  // namespace abut
