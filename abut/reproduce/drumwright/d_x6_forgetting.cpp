// D-X6, Fig. 6 of Drumwright: the forgetting sum of eq. 2 at a constant penetration.
//
// The text says that it grows for large penetrations and levels off for small ones. It is linear in
// the depth: at any constant depth it levels off, at d / (1 - lambda) (D-E5).
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/drumwright/d_run.h"

namespace abut::reproduce {

Outcome forgetting_sum(const Progress& progress) {
  constexpr int kSteps = 60;
  Outcome outcome;
  Graph graph{"Fig. 6: the sum at constant penetration, lambda 0.85", "step", "", "I", "m", {}};
  double worst = 0, done = 0;
  std::vector<double> settle;
  bool depends = false;  // when it levels off depends on the depth
  for (const double lambda : {0.8, 0.85, 0.9}) {
    int steps_to_95 = 0;
    for (const double depth : {0.01, 0.05, 0.1, 0.2}) {
      int steps = 0;
      if (progress) progress(std::min(done, 1.0));
      done += 1.0 / 12;
      // too heavy to be moved
      World world = block_on_plane(1e14, {0, 0, 0.5 - depth}, Quat::Identity());
      world.option.gravity = {0, 0, 0};
      world.numerics.push_back({"abut.multipoint.lambda", {lambda}, {}});
      set_gains(world, {"multipoint", 1, 0, 1});
      const Model model = compile(world);
      ContactSettings settings = contact_settings(model);
      settings.model = "multipoint";
      Simulator simulator(model, settings);
      State state(model);
      const Input input(model);
      Graph::Curve line{fmt::format("d = {} m", depth), {}};
      for (int t = 1; t <= kSteps; ++t) {
        simulator.step(state, input);
        const double sum = state.contacts.pair_values(0)[0];
        const double exact = depth * (1 - std::pow(lambda, t)) / (1 - lambda);
        worst = std::max(worst, std::abs(sum - exact));
        if (sum < 0.95 * depth / (1 - lambda)) steps = t;
        line.points.emplace_back(t, sum);
      }
      depends = depends || (depth > 0.01 && steps != steps_to_95);
      steps_to_95 = steps;
      if (lambda == 0.85) graph.curves.push_back(std::move(line));
    }
    settle.push_back(steps_to_95 + 1);
  }
  outcome.graphs.push_back(std::move(graph));
  Check check;
  check.id = "D-T10";
  check.statement =
      "I(t) = d (1 - lambda^t) / (1 - lambda), in a simulation: largest deviation (m)";
  check.paper = as_printed(
      std::string("accumulates for penetrations above 0.1, else essentially asymptotic"), depends,
      "eq. 2 is linear in the depth: the sum levels off at d / (1 - lambda) after the same number "
      "of "
      "steps, whatever the depth (D-E5)");
  check.expected = "<= 1e-12";
  check.measured = worst;
  check.pass = worst <= 1e-12;
  check.settings =
      "--contact multipoint --set multipoint.kp=1 --set multipoint.kv=0 --set multipoint.ki=1 "
      "--set "
      "multipoint.lambda=0.8, 0.85, 0.9; a cube too heavy to move, depths 0.01 to 0.2 m, 60 steps";
  outcome.checks.push_back(check);
  check.paper = {};
  check.statement = "steps to 95 % of the limit, whatever the depth, for lambda 0.8, 0.85, 0.9";
  check.expected = "14, 19, 29 (13.4, 18.4, 28.4 rounded up)";
  check.measured = settle;
  check.pass = settle == std::vector<double>{14, 19, 29};
  outcome.checks.push_back(check);
  return outcome;
}

}  // namespace abut::reproduce
