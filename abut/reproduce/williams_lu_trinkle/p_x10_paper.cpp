// P-X10: the constraints of Williams, Lu and Trinkle, U, I and X as one mixed problem (29), (30), on
// the cases that the paper names: a uniform stack, Figs 7, 8 and 10. What they do with (24) as one
// constraint of two vertices, and as printed; how the order of constraints decides between
// solutions; what applicability and velocities leave out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/williams_lu_trinkle/p_paper.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"

namespace abut::reproduce {

namespace {

struct Case {
  const char* name;
  const char* world;
  World built;
  int steps;
};

std::vector<Case> cases() {
  return {{"uniform stack of 10 cubes", "peg/stack", stack_of_cubes(10, 0.05), 40},
          {"Fig. 7, vertex on edge", "peg/vertex_edge", vertex_over_edge(), 4},
          {"Fig. 8, vertex on vertex", "peg/vertex_vertex", vertex_over_vertex(), 4},
          {"Fig. 10, block on block", "peg/block_on_block", block_on_block(0.1), 4}};
}

ContactSettings frictionless(ContactSettings s) {
  s.friction = FrictionKind::none;
  return s;
}

Check check_of(const char* id, std::string statement, const ContactSettings& settings,
               const Case& c) {
  Check out;
  out.id = id;
  out.statement = fmt::format("{}: {}", c.name, statement);
  out.settings = fmt::format("{} {}", flags_of(settings),
                             run_flags(c.built.option.timestep, c.steps * c.built.option.timestep));
  out.world = c.world;
  return out;
}

void run_cases(Outcome& outcome, bool printed) {
  const ContactSettings settings = frictionless(paper_settings(printed));
  for (const Case& c : cases()) {
    const PaperRun run = run_paper(compile(c.built), settings, c.steps);
    Check check = check_of(
        "P-T14",
        fmt::format(
            "U, I and X{}: steps that fall back, of {}; natural residual of (29), (30) with "
            "all slacks, relative; deepest overlap (m); sets of contacts tried a step",
            printed ? ", (24) as printed" : ", (24) as one constraint of two vertices", c.steps),
        settings, c);
    check.measured =
        std::vector<double>{double(run.fallbacks), run.residual, run.overlap, run.branches};
    const bool solved = run.fallbacks == 0 && run.residual <= 1e-8;
    const bool no_overlap = run.overlap <= 1e-6;
    if (printed) {
      check.expected = "reported";
      check.paper = as_printed(
          std::string("PEG successfully prevents penetration"), solved && no_overlap,
          solved ? "(28) predicts gaps that are linear in the step, and bodies turn"
                 : "(24) rejects what is free (P-E7), and no motion satisfies all constraints");
    } else {
      check.expected = "0, <= 1e-8";
      check.pass = solved;
      check.paper = if_changed(
          std::string("PEG successfully prevents penetration"), solved && no_overlap,
          solved && !no_overlap ? "(24) as one constraint of two vertices (P-E13); what overlaps "
                                  "is left by (28), which is linear in the step"
                                : "(24) as one constraint of two vertices (P-E13)");
    }
    outcome.checks.push_back(std::move(check));
  }
}

// "Re-ordering the constraints may affect a given solver's choice of active contact."
void run_orders(Outcome& outcome) {
  const Case c = cases()[1];
  const Model model = compile(c.built);
  std::vector<std::vector<double>> ends;
  bool solved = true;
  ContactSettings settings = frictionless(paper_settings());
  for (const char* order : {"first", "last"}) {
    settings.own_words["peg-paper.order"] = order;
    const PaperRun run = run_paper(model, settings, 1);
    solved = solved && run.fallbacks == 0 && run.residual <= 1e-8;
    ends.push_back(run.velocity);
  }
  double apart = 0;
  for (std::size_t i = 0; i < ends[0].size(); ++i)
    apart = std::max(apart, std::abs(ends[0][i] - ends[1][i]));
  Check check = check_of("P-T15",
                         "which contact of several gets a force depends on the order in which they "
                         "are tried: velocities after a step, the first against the last that does "
                         "(m/s, rad/s); both solve (29), (30)",
                         settings, c);
  check.expected = "> 0.01";
  check.measured = apart;
  check.pass = apart > 0.01 && solved;
  check.paper = as_printed(
      std::string("re-ordering the constraints may affect a given solver's choice of active "
                  "contact"),
      apart > 0.01, "both orders lead to one solution");
  check.settings += "; one step, abut.peg-paper.order first and last";
  outcome.checks.push_back(std::move(check));
}

// Contacts that may press, and constraints, under other heuristics.
void run_heuristics(Outcome& outcome) {
  for (const Case& c : {cases()[1], cases()[2]}) {
    const auto row = [&](const char* what, const char* also, const Model& model,
                         const ContactSettings& settings, const PaperRun& all) {
      const PaperRun run = run_paper(model, settings, 1);
      Check check = check_of("P-T16",
                             fmt::format("{}: contacts that may press, constraints, of those "
                                         "without; fallback level",
                                         what),
                             settings, c);
      check.settings += also;
      check.expected = "no more than without";
      check.measured =
          std::vector<double>{double(run.pressed), double(run.constraints), double(all.pressed),
                              double(all.constraints), double(run.worst_level)};
      check.pass = run.pressed <= all.pressed && run.constraints <= all.constraints;
      outcome.checks.push_back(std::move(check));
    };
    ContactSettings settings = frictionless(paper_settings());
    const Model model = compile(c.built);
    const PaperRun all = run_paper(model, settings, 1);
    World strict = c.built;
    strict.numerics.push_back({"abut.peg-paper.angle", {0}, {}});
    row("applicability without relaxation (abut.peg-paper.angle 0)", " --set peg-paper.angle=0",
        compile(strict), settings, all);
    settings.own_words["peg-paper.velocity"] = "on";
    row("no force for what does not come nearer (abut.peg-paper.velocity on)", "", model, settings,
        all);
  }
}

}  // namespace

Outcome paper_constraints(const Progress& progress) {
  Outcome outcome;
  run_cases(outcome, false);
  if (progress) progress(0.5);
  run_cases(outcome, true);
  run_orders(outcome);
  run_heuristics(outcome);
  return outcome;
}

}  // namespace abut::reproduce
