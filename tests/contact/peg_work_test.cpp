// How much a step of peg may do: counts, not seconds. Worlds in which planes change often, or in
// which many are as good as the best: a search without a bound stalls in each of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg.h"
#include "abut/contact/complementarity/peg_model.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut {
namespace {

struct Work {
  std::vector<int> steps;  // Peg's work in each
  int beyond = 0;          // steps that did more than they may
  int fallbacks = 0;
  double overlap = 0;  // m, the deepest after any step
  double gained = 0;   // J: the most that contacts did to the movers in a step

  int at(double part) const {
    std::vector<int> sorted = steps;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
  }
};

Work run(const std::string& world, const std::string& keyframe, double seconds,
         double push = 0) {  // rad/s, of the first body about its y axis
  const Model model = load_model(test::in_tree("/worlds/peg/") + world + ".xml");
  Simulator simulator(model);
  State state(model);
  Input input(model);
  if (!keyframe.empty()) set_keyframe(model, model.find_keyframe(keyframe), state, &input);
  if (push != 0) state.v[4] = push;
  OverlapMeasure measure(model);
  Derived d(model);
  Work work;
  const int steps = static_cast<int>(std::round(seconds / model.option.timestep));
  for (int i = 0; i < steps; ++i) {
    simulator.step(state, input);
    const PegReport& report = simulator.contact().as<PegModel>()->peg().report();
    work.steps.push_back(report.work);
    work.beyond += report.work > Peg::most_work(report.most_pairs);
    work.fallbacks += simulator.contact().report().fallbacks > 0;
    work.gained = std::max(work.gained, simulator.contact().work());
    positions(model, state, input, d);
    work.overlap = std::max(work.overlap, measure.of(d).deepest);
  }
  fmt::print("{}: work of a step {} (median), {} (99 %), {} (most); {} of {} steps fall back\n",
             world, work.at(0.5), work.at(0.99), work.at(1), work.fallbacks, steps);
  return work;
}

void expect_bounded(const Work& work) {
  EXPECT_EQ(work.beyond, 0);
  EXPECT_LE(work.overlap, 1e-8);
}

void expect_even(const Work& work) {
  expect_bounded(work);
  EXPECT_LE(work.at(0.99), 20 * work.at(0.5));
}

TEST(PegWork, Dominoes) { expect_even(run("dominoes", "", 0.6)); }
// They come to lie on each other, with friction forces that are not unique: what a solve finds
// swings from one solution to another, and no plane is to blame for it.
TEST(PegWork, DominoesThatLie) {
  const Work work = run("dominoes", "", 1, 20);
  expect_bounded(work);
  EXPECT_EQ(work.fallbacks, 0);
  EXPECT_LE(work.at(1), Peg::allowance(0) / 4);
}
TEST(PegWork, Arch) { expect_even(run("arch", "", 0.2)); }
TEST(PegWork, Grasp) { expect_even(run("grasp", "hold", 1)); }
TEST(PegWork, Cards) { expect_even(run("cards", "", 0.3)); }
// Most steps have no contact here, and those that have are all searches. None may spend a good part
// of what it is allowed: a pair that passes from plane to plane must not try all planes that it
// has.
TEST(PegWork, Hulls) {
  const Work work = run("hulls", "meet", 0.6);
  expect_bounded(work);
  EXPECT_LE(work.at(1), Peg::allowance(0) / 4);
}

}  // namespace
}  // namespace abut
