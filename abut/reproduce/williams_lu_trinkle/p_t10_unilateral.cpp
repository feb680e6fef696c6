// P-T10: with unilateral constraints alone the problem is that of Stewart and Trinkle (Williams, Lu
// and Trinkle, "reduces to ST"): the same matrix and the same right-hand side, to the last bit.
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

Outcome only_unilateral(const Progress&) {
  // one cube over the ground, about to touch it, sliding: every pair has one plane
  World world = stack_of_cubes(1, 1.0 / 240);
  world.worldbody.bodies.front().pose.p.z() += 1e-4;
  const Model model = compile(world);
  Outcome outcome;
  for (const FrictionKind friction : {FrictionKind::none, FrictionKind::cone}) {
    std::vector<Problem> problems[2];
    std::vector<double> v[2];
    for (const int of_st : {0, 1}) {
      ContactSettings s = peg_settings(false);
      if (of_st) s = printed_st();
      s.friction = friction;
      Simulator simulator(model, s);
      State state(model);
      const Input input(model);
      state.v[0] = 0.3;
      simulator.contact().watch(
          [&](const Problem& p, const Answer&) { problems[of_st].push_back(p); });
      simulator.step(state, input);
      v[of_st] = state.v;
    }
    double off = 0;
    for (std::size_t i = 0; i < v[0].size(); ++i) off = std::max(off, std::abs(v[0][i] - v[1][i]));
    bool same = !problems[0].empty() && !problems[1].empty();
    if (same) {
      // peg may look at a step more than once; the first look that has rows is that of st
      const Problem &p = problems[0].front(), &q = problems[1].front();
      same = p.b == q.b && p.A.blocks().values == q.A.blocks().values;
    }
    Check c;
    c.id = "P-T10";
    c.claim = fmt::format(
        "U alone, friction {}: matrix and right-hand side are those of ST (1: every bit), and the "
        "velocities after it (m/s)",
        name(friction));
    c.paper = std::string("reduces to ST");
    c.expected = "1, <= 1e-12";
    c.measured = std::vector<double>{double(same), off};
    c.pass = same && off <= 1e-12;
    c.settings = "a cube 0.1 mm over the ground, sliding at 0.3 m/s, h 1/240 s; relinearize off";
    outcome.checks.push_back(std::move(c));
  }
  return outcome;
}

}  // namespace abut::reproduce
