// Penalty models with default gains: what has to stand stands, and what has to slide slides.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "abut/load/load.h"
#include "support/tree.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

using test::Scene;

class Stands : public testing::TestWithParam<std::string> {};

struct FromFile {
  Model model;
  Simulator simulator;
  State state;
  Input input;

  FromFile(const std::string& world, const std::string& contact)
      : model(load_model(test::in_tree("/worlds/penalty/") + world)),
        simulator(model, test::settings(contact)),
        state(model),
        input(model) {}
  void run(double seconds) {
    const int steps = static_cast<int>(std::round(seconds / model.option.timestep));
    for (int i = 0; i < steps; ++i) simulator.step(state, input);
  }
  // m: the farthest that a free body has come from where it was.
  double moved() const { return moved_from(model.qpos0); }
  double moved_from(const std::vector<double>& q) const {
    double most = 0;
    for (std::size_t i = 0; i + 6 < q.size(); i += 7)
      most = std::max(most, std::hypot(state.q[i] - q[i], state.q[i + 1] - q[i + 1],
                                       state.q[i + 2] - q[i + 2]));
    return most;
  }
  double fastest() const {
    double most = 0;
    for (const double v : state.v) most = std::max(most, std::abs(v));
    return most;
  }
};

// Sags add up, and a column of springs buckles: thirty cubes stood 5.7 s, and sank by 5 % of one.
TEST_P(Stands, ATowerOfThirty) {
  FromFile s("tower.xml", GetParam());
  s.run(1);
  EXPECT_LT(s.moved(), 1e-3);
  EXPECT_LT(s.fastest(), 1e-4);
}

TEST_P(Stands, AnArchOf25) {
  FromFile s("arch.xml", GetParam());
  const double L = std::hypot(0.4, 0.5, 0.25);  // of a stone
  s.run(1);
  EXPECT_LT(s.moved(), 1e-3 * L);
  // it stays there: by 1e-3 L in ten seconds
  const std::vector<double> then = s.state.q;
  s.run(1);
  EXPECT_LT(s.moved_from(then), 1e-4 * L);
}

TEST_P(Stands, OnASlopeUpToTheAngleOfFriction) {
  const double mu = 0.5;
  Scene holds(test::incline(std::atan(0.99 * mu), mu), test::settings(GetParam()));
  holds.run(2);
  EXPECT_LT(holds.velocity().norm(), 1e-6);
  Scene slides(test::incline(std::atan(1.01 * mu), mu), test::settings(GetParam()));
  slides.run(2);
  const double a = std::atan(1.01 * mu), expected = 2 * 9.81 * (std::sin(a) - mu * std::cos(a));
  EXPECT_NEAR(slides.velocity().norm(), expected, 0.15 * expected);
}

// 2 mu F = m g is the least that holds it.
TEST_P(Stands, ABoxInAGrasp) {
  const double least = 0.3 * 9.81 / (2 * 0.4);
  for (const double part : {1.01, 0.99}) {
    FromFile s("grasp.xml", GetParam());
    s.input.ctrl = {part * least, part * least};
    s.run(2);
    const double fall = s.state.v[4];  // the pads have a dof each
    if (part > 1)
      EXPECT_LT(std::abs(fall), 1e-6);
    else
      EXPECT_LT(fall, -0.1);
  }
}

TEST_P(Stands, AThousandTimesItsWeight) {
  Scene s(test::stack_of_boxes(2, 0.2, 0, 1000), test::settings(GetParam()));
  s.run(3);
  EXPECT_NEAR(s.position(1).z(), 0.3, 1e-3);
  EXPECT_LT(s.velocity(1).norm(), 1e-4);  // it settles within seconds
}

INSTANTIATE_TEST_SUITE_P(Models, Stands, testing::Values("volumetric", "multipoint"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace abut
