// Stacks stand: no creep, no overlap, no sleep. Short here; `make soak` lets them stand for a
// minute of their time.
#include <gtest/gtest.h>

#include <cstdlib>

#include "abut/collide/collide.h"
#include "abut/dynamics/energy.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/simulator.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

struct Stack {
  int count;
  double L;           // m
  double mass_ratio;  // of the top one
};

void PrintTo(const Stack& s, std::ostream* out) {
  *out << s.count << " boxes of " << s.L << " m, the top one " << s.mass_ratio << " times as heavy";
}

class Stacks : public testing::TestWithParam<std::tuple<std::string, Stack>> {};

// The deepest overlap of all pairs, by exact distances.
double deepest(const Model& model, const State& state, const Input& input, Collider& collider) {
  Derived d(model);
  positions(model, state, input, d);
  ContactData data;
  std::vector<PairQuery> queries;
  collider.find(model, d, {}, {}, data, queries);
  double most = 0;
  for (const Patch& p : data.patches) most = std::max(most, -p.distance);
  return most;
}

TEST_P(Stacks, StandWithoutCreepAndStillReact) {
  const auto& [contact, stack] = GetParam();
  const Model model =
      compile(parse_mjcf(test::stack_of_boxes(stack.count, stack.L, 0, stack.mass_ratio)));
  ContactSettings settings;
  settings.model = contact;
  Simulator simulator(model, settings);
  Collider collider(model);
  State state(model);
  Input input(model);
  const State start = state;
  const double seconds = std::getenv("ABUT_SOAK") != nullptr ? 60 : 0.5;
  double overlap = 0;
  for (int i = 0; i < 240 * seconds; ++i) {
    simulator.step(state, input);
    EXPECT_EQ(simulator.contact().stepping().report().unsolved, 0) << "step " << i;
    if (i % 24 == 0) overlap = std::max(overlap, deepest(model, state, input, collider));
  }
  const int top = 7 * (stack.count - 1);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(state.q[top + k], start.q[top + k], 1e-4 * stack.L) << "along " << k;
  EXPECT_LT(overlap, 1e-4 * stack.L);

  // nothing sleeps: a push along the ground moves the top in the very next step
  const double before = state.q[top];
  state.v[6 * (stack.count - 1)] += 1e-3 * stack.L;
  simulator.step(state, input);
  EXPECT_NE(state.q[top], before);
}

INSTANTIATE_TEST_SUITE_P(Worlds, Stacks,
                         testing::Combine(testing::Values("st", "fast", "ap"),
                                          testing::Values(Stack{10, 1, 1}, Stack{20, 1, 1},
                                                          Stack{10, 1e-3, 1}, Stack{10, 10, 1},
                                                          Stack{10, 1, 100}, Stack{5, 1e-3, 100})),
                         [](const auto& info) {
                           const Stack& s = std::get<1>(info.param);
                           return fmt::format("{}_{}_boxes_{}_mm_ratio_{}", std::get<0>(info.param),
                                              s.count, static_cast<int>(1000 * s.L),
                                              static_cast<int>(s.mass_ratio));
                         });

// Contacts take energy or leave it, they make none (e = 0): a box thrown at a corner of another.
TEST(Impulses, DoNotAddEnergy) {
  const Model model = compile(parse_mjcf(
      "<mujoco><option timestep='0.004' gravity='0 0 0'/><worldbody>"
      "<body pos='0 0 0'><freejoint/><geom type='box' size='0.2 0.1 0.3' friction='0.6'/></body>"
      "<body pos='0.6 0.15 0.2' euler='20 35 50'><freejoint/>"
      "<geom type='box' size='0.1 0.2 0.15' friction='0.6'/></body></worldbody></mujoco>"));
  for (int seed = 0; seed < 20; ++seed) {
    ContactSettings settings;
    settings.model = "st";
    settings.stabilize = Stabilize::none;
    Simulator simulator(model, settings);
    State state(model);
    Input input(model);
    for (int k = 0; k < 6; ++k) state.v[k] = std::sin(seed * 7 + k);
    state.v[6] = -3;
    Derived d(model);
    bool touched = false;
    double energy_before = 0;
    for (int i = 0; i < 100; ++i) {
      positions(model, state, input, d);
      velocities(model, state, d);
      const double e = energy(model, state, d).kinetic;
      if (i > 0) {
        EXPECT_LE(e, energy_before * (1 + 1e-12)) << "seed " << seed << " step " << i;
      }
      energy_before = e;
      simulator.step(state, input);
      for (const Vec3& p : simulator.contact().stepping().impulses()) touched |= p.norm() > 0;
    }
    EXPECT_TRUE(touched || seed > 0);
  }
}

}  // namespace
}  // namespace abut
