// P-T12: what a step of PEG takes: rows of its largest problem, branches tried, problems solved,
// time, and the level of falling back. Reported, not asserted: "may require more time".
#include <fmt/format.h>

#include <chrono>

#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"

namespace abut::reproduce {

Outcome cost_of_a_step(const Progress& progress) {
  Outcome outcome;
  struct Scene {
    const char* name;
    World world;
  };
  const Scene scenes[] = {{"two triangles, F11-T", triangle_world(triangles_tilted())},
                          {"block on block", block_on_block(0.1)},
                          {"stack of 10 cubes", stack_of_cubes(10, 1.0 / 60)}};
  double done = 0;
  for (const Scene& scene : scenes) {
    if (progress) progress(done);
    done += 1.0 / 3;
    const Model model = compile(scene.world);
    for (const NamedModel& m : five_models()) {
      if (m.settings.model == "deepest") continue;
      using Clock = std::chrono::steady_clock;
      const Clock::time_point start = Clock::now();
      const StepOutcome step = take_step(model, m.settings);
      const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      Check c;
      c.id = "P-T12";
      c.statement = fmt::format(
          "{}, {}: rows of the largest problem, branches, problems solved, ms (with setting up), "
          "fallback level",
          scene.name, m.name);
      c.expected = "reported";
      c.settings = fmt::format("{}; one step", flags_of(m.settings));
      c.measured = std::vector<double>{double(step.report.largest), double(step.peg.branches),
                                       double(step.peg.iterations), ms, double(step.report.level)};
      outcome.checks.push_back(std::move(c));
    }
  }
  return outcome;
}

}  // namespace abut::reproduce
