// Joints between frames: what rows say of the rate of g is what g does.
#include "abut/constrain/rows/loop_joint.h"

#include <gtest/gtest.h>

#include <random>

#include "abut/constrain/rows/equality.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {
namespace {

constexpr EqualityType kKinds[] = {
    EqualityType::connect, EqualityType::weld,        EqualityType::hinge,
    EqualityType::slide,   EqualityType::cylindrical, EqualityType::universal,
    EqualityType::planar,  EqualityType::distance,    EqualityType::gear};
constexpr int kRows[] = {3, 6, 5, 5, 4, 4, 3, 1, 1};

// Two free bodies, a tree of two links that stands on the ground, and a driven body.
World workshop() {
  World world;
  for (const char* name : {"a", "b"}) {
    BodyDesc& body = world.body(name, {1, 0.2, 0});
    body.free();
    body.box({0.1, 0.2, 0.3}, {{0.1, 0.05, -0.1}, Quat::Identity()});
  }
  BodyDesc& lower = world.body("lower", {-1, 0, 0});
  lower.hinge("shoulder", {1, 2, 0.5}, {0.1, 0, 0});
  lower.capsule({0, 0, 0}, {0.4, 0, 0.1}, 0.05);
  BodyDesc& upper = lower.body("upper", {0.4, 0, 0.1});
  upper.ball("elbow");
  upper.capsule({0, 0, 0}, {0.3, 0.2, 0.1}, 0.05);
  BodyDesc& hand = world.body("hand", {0, 0, 1});
  hand.mocap = true;
  hand.sphere(0.1);
  return world;
}

struct Random {
  std::mt19937_64 engine{7};
  double number() { return std::uniform_real_distribution<double>(-1, 1)(engine); }
  Vec3 vector() { return {number(), number(), number()}; }
  Quat rotation() { return exp_rotation(2 * vector()); }
  Pose pose() { return {vector(), rotation()}; }
};

struct Rates {
  std::vector<double> error, rate;
};

Rates rates(const Model& model, const State& state, const Input& input) {
  Derived d(model);
  positions(model, state, input, d);
  velocities(model, state, d);
  ConstraintRows rows(model);
  rows.begin(d);
  EqualityRows equality(model);
  equality.add(state, input, d, rows);
  std::vector<double> u(static_cast<std::size_t>(model.nv));
  to_solver_velocity(model, d, state.v, u);
  Rates r{{equality.error().begin(), equality.error().end()},
          std::vector<double>(equality.error().size())};
  rows.velocities(u, r.rate);
  for (std::size_t i = 0; i < r.rate.size(); ++i) r.rate[i] += equality.driven()[i];
  return r;
}

// Everything a little later.
void advance_all(const Model& model, double h, State& state, Input& input) {
  advance(model, state.v, h, state.q);
  for (std::size_t m = 0; m < input.mocap.size(); ++m) {
    input.mocap[m].p += h * input.mocap_velocity[m].head<3>();
    input.mocap[m].q = exp_rotation(h * input.mocap_velocity[m].tail<3>()) * input.mocap[m].q;
  }
}

TEST(LoopJoint, RowsAreTheDerivativesOfTheirFunctions) {
  Random random;
  const char* pairs[][2] = {{"a", "b"},         {"a", "upper"}, {"lower", "upper"},
                            {"upper", "world"}, {"hand", "a"},  {"upper", "hand"}};
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind)
    for (const auto& pair : pairs) {
      World world = workshop();
      EqualityDesc& e = world.equalities.emplace_back();
      e.type = kKinds[kind];
      e.first = pair[0];
      e.second = pair[1];
      e.anchor = random.vector();
      if (e.type == EqualityType::weld) e.relpose = random.pose();
      e.frame_first = random.pose();
      e.frame_second = random.pose();
      e.length = 0.7;
      e.teeth = {12, -30};
      const Model model = compile(world);
      for (int trial = 0; trial < 5; ++trial) {
        State state(model);
        Input input(model);
        for (double& q : state.q) q = random.number();
        normalize(model, state.q);
        for (double& v : state.v) v = random.number();
        input.mocap[0] = random.pose();
        input.mocap_velocity[0] << random.vector(), random.vector();
        const Rates now = rates(model, state, input);
        ASSERT_EQ(std::ssize(now.error), kRows[kind]);
        constexpr double h = 1e-5;
        State later = state, before = state;
        Input input_later = input, input_before = input;
        advance_all(model, h, later, input_later);
        advance_all(model, -h, before, input_before);
        const Rates plus = rates(model, later, input_later);
        const Rates minus = rates(model, before, input_before);
        for (std::size_t i = 0; i < now.rate.size(); ++i) {
          const double change = plus.error[i] - minus.error[i];
          if (std::abs(change) > 0.1) continue;  // past half a turn, or half a tooth
          EXPECT_NEAR(now.rate[i], change / (2 * h), 1e-6 * (1 + std::abs(now.rate[i])))
              << "kind " << kind << ", row " << i << ", " << pair[0] << " " << pair[1];
        }
      }
    }
}

// Frames made from an anchor and an axis meet at qpos0.
TEST(LoopJoint, IsWholeAtTheStart) {
  for (const EqualityType kind : kKinds) {
    // its two axes are square, not one; and a distance wants one
    if (kind == EqualityType::universal || kind == EqualityType::distance) continue;
    World world = workshop();
    EqualityDesc& e = world.equalities.emplace_back();
    e.type = kind;
    e.first = "a";
    e.second = "upper";
    e.anchor = {0.1, 0.2, 0.3};
    e.axis = {1, -2, 0.5};
    const Model model = compile(world);
    for (const double error : rates(model, State(model), Input(model)).error)
      EXPECT_NEAR(error, 0, 1e-14);
  }
}

TEST(LoopJoint, RefusesWhatIsNone) {
  World world = workshop();
  EqualityDesc& e = world.equalities.emplace_back();
  e.first = "a";
  e.second = "b";
  e.type = EqualityType::distance;
  e.frame_first = e.frame_second = Pose{};
  EXPECT_THROW(compile(world), WorldError);  // both bodies stand in one place
  e.type = EqualityType::gear;
  e.teeth = {0, 3};
  EXPECT_THROW(compile(world), WorldError);
  e.type = EqualityType::hinge;
  e.frame_first.reset();
  e.axis = Vec3::Zero();
  EXPECT_THROW(compile(world), WorldError);
}

}  // namespace
}  // namespace abut
