// P-X1, Fig. 1 of Williams, Lu and Trinkle: the Stewart-Trinkle trap. A vertex passes the corner of
// a square beside it. With a half-space for each of the two edges that it is near, it is held above
// the extension of the upper one, where nothing is.
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"

namespace abut::reproduce {

Outcome stewart_trinkle_trap(const Progress& progress) {
  Outcome outcome;
  const World world = corner();
  const Model model = compile(world);
  // from beside the corner, and from a place that is below the extended edge already
  const auto below = [](State& state, Input&) { state.q[1] = -0.3; };
  const std::vector<double>& sent = world.keyframes.front().qvel;
  double done = 0;
  for (const NamedModel& m : five_models()) {
    if (progress) progress(done);
    done += 0.2;
    double changed[2] = {}, overlap = 0;
    int place = 0;
    for (const Prepare& start : {Prepare{}, Prepare{below}}) {
      const StepOutcome end = take_step(model, m.settings, start);
      for (std::size_t i = 0; i < sent.size(); ++i)
        changed[place] = std::max(changed[place], std::abs(end.velocity[i] - sent[i]));
      overlap = std::max(overlap, end.overlap);
      if (place++ == 0) {
        outcome.drawings.push_back(step_picture(model, end, fmt::format("Fig. 1: {}", m.name)));
        outcome.drawings.back().notes = {
            fmt::format("velocity ({:.3g}, {:.3g}) m/s at the end of {} s, sent with (0, -1)",
                        end.velocity[0], end.velocity[1], model.option.timestep)};
      }
    }
    Check check;
    check.id = "P-T1";
    const std::string name = m.name;
    const bool traps = name == "ST" || name == "AP";
    check.statement = fmt::format(
        "{}: {}; change of velocity from above and from below the extended edge (m/s)", m.name,
        traps ? "holds a vertex that passes a corner, where nothing is"
              : "leaves a vertex alone that passes a corner");
    if (name == "ST")
      check.paper = as_printed(std::string("the vertex becomes erroneously trapped"),
                               changed[0] > 0.1, "the vertex passes");
    check.expected = traps ? "> 0.1 from above" : "< 1e-12, no overlap";
    check.measured = std::vector<double>{changed[0], changed[1]};
    check.pass =
        traps ? changed[0] > 0.1 : std::max(changed[0], changed[1]) < 1e-12 && overlap <= 0;
    check.settings = fmt::format(
        "{} --step 0.25 --time 0.25; a vertex 0.1 m beside the corner of a square, moving down "
        "past it "
        "at 1 m/s",
        flags_of(m.settings));
    check.world = "peg/corner";
    outcome.checks.push_back(std::move(check));
  }
  return outcome;
}

}  // namespace abut::reproduce
