// C-X5, section VI-C of Cline and Pai: large errors. The post-step rests on a linear view of the
// constraints; where bodies overlap by much, the full step may make things worse. Restricting
// its size and taking several helps; Baumgarte's method copes, if its constant is moderate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/model/kinematics.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/cline_pai/c_flat_run.h"
#include "abut/reproduce/cline_pai/c_worlds.h"
#include "abut/reproduce/watch.h"

namespace abut::reproduce {
namespace {

constexpr int kStarts = 40, kPostSteps = 20;

struct Repair {
  std::vector<double> overlap;  // mm, before and after each post-step

  double first() const { return overlap.front(); }
  double last() const { return overlap.back(); }
  double worst_growth() const {  // mm, in one post-step
    double most = 0;
    for (std::size_t i = 1; i < overlap.size(); ++i)
      most = std::max(most, overlap[i] - overlap[i - 1]);
    return most;
  }
};

Repair repair(const Model& model, const PostOptions& options) {
  State state(model);
  const Input input(model);
  Watch watch(model);
  Collider collider(model);
  Derived d(model);
  PostStep post(model, collider.sizes(), options);
  Repair out;
  out.overlap.push_back(1e3 * watch.overlap(state, input));
  for (int i = 0; i < kPostSteps; ++i) {
    post.apply(1, tolerance_within(0.005, {1, 0.5}), true, input, collider, state, d);
    out.overlap.push_back(1e3 * watch.overlap(state, input));
  }
  return out;
}

Graph::Curve curve(const char* name, const Repair& r) {
  Graph::Curve c{name, {}};
  for (std::size_t i = 0; i < r.overlap.size(); ++i)
    c.points.emplace_back(static_cast<double>(i), r.overlap[i]);
  return c;
}

}  // namespace

Outcome large_errors(const Progress& progress) {
  const PostOptions restricted;
  const PostOptions naive{.most = std::numeric_limits<double>::infinity(), .back_track = false};
  Outcome outcome;
  int naive_grew = 0, restricted_grew = 0, recovered = 0, repaired = 0;
  double naive_growth = 0, restricted_growth = 0, start = 0, left = 0, left_baumgarte = 0;
  double shown = 0;
  Graph graph{"Overlap with every post-step, where the full one does worst",
              "post-steps",
              "",
              "overlap",
              "mm",
              {}};
  for (unsigned seed = 1; seed <= kStarts; ++seed) {
    if (progress) progress((seed - 1) / double(kStarts));
    const Model model = compile(sunk_tower(seed));
    const Repair full = repair(model, naive), careful = repair(model, restricted);
    naive_grew += full.worst_growth() > 1e-6;
    restricted_grew += careful.worst_growth() > 1e-6;
    naive_growth = std::max(naive_growth, full.worst_growth());
    restricted_growth = std::max(restricted_growth, careful.worst_growth());
    start = std::max(start, careful.first());
    left = std::max(left, careful.last());
    repaired += careful.last() < 1e-2;
    const FlatRun run = run_flat(model, frictionless_ap("baumgarte:20"), 2, {}, 200);
    // later impacts make overlap of their own: what counts is that the first one goes
    recovered += *std::min_element(run.overlap.begin(), run.overlap.end()) < 1;
    left_baumgarte = std::max(left_baumgarte, run.overlap.back());
    if (full.worst_growth() > shown || seed == 1) {
      shown = full.worst_growth();
      graph.curves = {curve("full", full), curve("restricted", careful)};
      outcome.drawings = {room_picture(model, run, 0, 0, "Where the full post-step does worst")};
    }
  }
  outcome.graphs.push_back(std::move(graph));

  const std::string settings = fmt::format(
      "{} towers of {} squares of {} m in each other and the floor by 30 %, turned by up to 0.6 "
      "rad (seeds 1 to {}), {} post-steps each; overlap at the start up to {:.0f} mm",
      kStarts, kTowerBodies, kTowerSide, kStarts, kPostSteps, start);
  const auto row = [&](const char* claim, Value paper, const char* expected, Value measured,
                       std::optional<bool> pass) {
    outcome.checks.push_back({.id = "C-T9",
                              .claim = claim,
                              .paper = std::move(paper),
                              .expected = expected,
                              .measured = std::move(measured),
                              .pass = pass,
                              .settings = settings});
  };
  row("the restricted post-step never makes the overlap larger: starts where it did, by how much "
      "(mm)",
      {}, "0, <= 1e-6", std::vector<double>{double(restricted_grew), restricted_growth},
      restricted_grew == 0);
  row("the full post-step may: starts where it did, by how much (mm)",
      std::string("it is possible for the bodies to jump into interpenetration"),
      "reported: it need not", std::vector<double>{double(naive_grew), naive_growth}, {});
  row("restricted post-steps repair it: starts below 0.01 mm, largest left (mm)", {},
      "reported: a stuck one is left to the next step", std::vector<double>{double(repaired), left},
      {});
  row("Baumgarte 20 recovers within 2 s: starts that came below 1 mm, largest at the end, with "
      "later impacts (mm)",
      std::string("seems to perform better when there is a lot of constraint error"),
      "all (at the end of the 2 s 1 of 40 is not: docs/decisions.md)",
      std::vector<double>{double(recovered), left_baumgarte}, recovered == kStarts);
  return outcome;
}

}  // namespace abut::reproduce
