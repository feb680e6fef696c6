// What a move takes of the angular momentum comes back, and no energy with it.
#include "abut/constrain/stabilize/keep_momentum.h"

#include <gtest/gtest.h>

#include "abut/dynamics/energy.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "tests/support/random.h"

namespace abut {
namespace {

struct Crowd {
  Model model;
  State state;
  Input input;
  Derived d;
  ConstraintRows rows;
  Islands islands;

  explicit Crowd(int bodies, bool grounded, test::Random& random)
      : model(compile(parse_mjcf(world(bodies)))),
        state(model),
        input(model),
        d(model),
        rows(model) {
    for (int i = 0; i < bodies; ++i) {
      const Vec3 p = random.vec(2);
      const Quat q = random.quat();
      double* at = &state.q[static_cast<std::size_t>(7 * i)];
      for (int k = 0; k < 3; ++k) at[k] = p[k];
      at[3] = q.w(), at[4] = q.x(), at[5] = q.y(), at[6] = q.z();
    }
    for (double& v : state.v) v = random.uniform(-3, 3);
    look();
    rows.begin(d);
    for (int i = 1; i < bodies; ++i) rows.add(1, i, i + 1);
    if (grounded) rows.add(1, 0, 1);
    islands.find(rows.groups(), static_cast<int>(model.trees.size()));
  }
  static std::string world(int bodies) {
    std::string s = "<mujoco><option gravity='0 0 0'/><worldbody>";
    for (int i = 0; i < bodies; ++i)
      s += "<body><freejoint/><geom type='box' size='.1 .2 .3' pos='0.1 0 0.2' mass='" +
           std::to_string(1 + i) + "'/></body>";
    return s + "</worldbody></mujoco>";
  }
  void look() {
    positions(model, state, input, d);
    velocities(model, state, d);
  }
  // Moves all bodies a little, so that velocities stay as they are.
  void displace_a_little(test::Random& random) {
    std::vector<double> dp(state.v.size()), u(state.v.size());
    for (double& x : dp) x = random.uniform(-0.02, 0.02);
    to_solver_velocity(model, d, state.v, u);
    displace(model, d, dp, state.q);
    look();
    from_solver_velocity(model, d, u, state.v);
    look();
  }
};

TEST(MomentumKeeper, GivesBackWhatAMoveTook) {
  test::Random random(3);
  for (int i = 0; i < 100; ++i) {
    Crowd c(2 + i % 4, false, random);
    const Momentum before = momentum(c.model, c.d);
    const double kinetic = energy(c.model, c.state, c.d).kinetic;
    MomentumKeeper keeper(c.model);
    keeper.note(c.islands, c.rows.groups(), {}, c.state.v, c.d);
    // about the common centre, which a move by contacts leaves where it is
    Vec3 center = Vec3::Zero(), moved = Vec3::Zero();
    double mass = 0;
    const auto add_up = [&](Vec3& sum) {
      mass = 0;
      sum.setZero();
      for (const Link& l : c.model.links) {
        mass += l.mass.mass;
        sum += l.mass.mass * (c.d.body_pose[static_cast<std::size_t>(l.body)] * l.mass.com);
      }
      sum /= mass;
    };
    add_up(center);
    c.displace_a_little(random);
    add_up(moved);
    keeper.restore(c.d, c.state.v);
    c.look();
    const Momentum after = momentum(c.model, c.d);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12);
    const Vec3 about_before = before.angular - center.cross(before.linear),
               about_after = after.angular - moved.cross(after.linear);
    EXPECT_LT((about_after - about_before).norm(), 1e-11);
    EXPECT_LE(energy(c.model, c.state, c.d).kinetic, kinetic * (1 + 1e-12));
  }
}

TEST(MomentumKeeper, LeavesAloneWhatTheGroundHolds) {
  test::Random random(4);
  Crowd c(3, true, random);
  MomentumKeeper keeper(c.model);
  keeper.note(c.islands, c.rows.groups(), {}, c.state.v, c.d);
  c.displace_a_little(random);
  const std::vector<double> v = c.state.v;
  keeper.restore(c.d, c.state.v);
  EXPECT_EQ(c.state.v, v);
}

// Bodies that turn as one have no motion to give up. Brought nearer to each other they would have
// to turn faster, with more energy.
TEST(MomentumKeeper, LeavesVelocitiesWhereTheEnergyIsTooLittle) {
  test::Random random(5);
  Crowd c(2, false, random);
  const Vec3 omega(0, 0, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<double> q = {i == 0 ? -1.0 : 1.0, 0, 0, 1, 0, 0, 0};
    std::copy(q.begin(), q.end(), c.state.q.begin() + static_cast<long>(7 * i));
    const Vec3 v = omega.cross(Vec3(q[0], 0, 0));
    for (std::size_t k = 0; k < 3; ++k) c.state.v[6 * i + k] = v[static_cast<int>(k)];
    for (std::size_t k = 0; k < 3; ++k) c.state.v[6 * i + 3 + k] = omega[static_cast<int>(k)];
  }
  c.look();
  const double kinetic = energy(c.model, c.state, c.d).kinetic;
  const std::vector<double> v = c.state.v;
  MomentumKeeper keeper(c.model);
  keeper.note(c.islands, c.rows.groups(), {}, c.state.v, c.d);
  c.state.q[0] += 0.1;
  c.look();
  keeper.restore(c.d, c.state.v, MomentumKeeper::TooLittleEnergy::leave);
  EXPECT_EQ(c.state.v, v);
  EXPECT_EQ(keeper.handed(), 0);
  keeper.restore(c.d, c.state.v, MomentumKeeper::TooLittleEnergy::gain);
  c.look();
  EXPECT_GT(energy(c.model, c.state, c.d).kinetic, kinetic);
  EXPECT_GT(keeper.handed(), 0);
}

}  // namespace
}  // namespace abut
