// P-X7: "a uniform stack of identical polyhedra is one good test for degeneracy" (Williams, Lu and
// Trinkle). All vertices and edges of neighbours meet, and every side face is flush with the next.
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

Outcome uniform_stacks(const Progress& progress) {
  constexpr double kTime = 2;  // s
  constexpr int kMost = 10;
  Outcome outcome;
  Graph graph{
      "How far the cubes of a stack are from where they stood", "cubes", "", "drift", "m", {}};
  double worst = 0;
  std::int64_t fallbacks = 0;
  bool finite = true;
  double done = 0;
  for (const double h : {0.01, 0.02, 0.05}) {
    Graph::Curve curve{fmt::format("h = {} s", h), {}};
    for (int n = 2; n <= kMost; ++n) {
      if (progress) progress(std::min(done, 1.0));
      done += 1.0 / 27;
      const Model model = compile(stack_of_cubes(n, h));
      Simulator simulator(model, peg_settings());
      State state(model);
      const State start = state;
      const Input input(model);
      double drift = 0;
      for (int i = 0; i < std::lround(kTime / h); ++i) {
        simulator.step(state, input);
        fallbacks += simulator.contact().report().fallbacks;
        for (std::size_t k = 0; k < state.q.size(); ++k) {
          finite = finite && std::isfinite(state.q[k]);
          drift = std::max(drift, std::abs(state.q[k] - start.q[k]));
        }
      }
      curve.points.emplace_back(n, drift);
      worst = std::max(worst, drift);
    }
    graph.curves.push_back(std::move(curve));
  }
  outcome.graphs.push_back(std::move(graph));
  Check check;
  check.id = "P-T8";
  check.statement =
      "uniform stacks stand: largest change of a position (m) or quaternion, fallbacks";
  check.paper = as_printed(std::string("a uniform stack is one good test for degeneracy"),
                           finite && worst <= 1e-6, "stacks do not stand");
  check.expected = "<= 1e-6, 0";
  check.measured = std::vector<double>{worst, double(fallbacks)};
  check.pass = finite && worst <= 1e-6 && fallbacks == 0;
  check.settings = fmt::format(
      "{} --step 0.01, 0.02, 0.05 --time 2; 2 to 10 cubes of 1 m and 1 kg on the ground, friction "
      "0.5",
      flags_of(peg_settings()));
  check.world = "peg/stack";
  outcome.checks.push_back(std::move(check));
  return outcome;
}

}  // namespace abut::reproduce
