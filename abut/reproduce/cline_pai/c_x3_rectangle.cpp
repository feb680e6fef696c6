// C-X3, Figs 8 and 9 of Cline and Pai: a rectangle in a room, pushed about by the user. It hits
// walls, rests, slides and rolls; overlap is the error of its contacts. The user is replaced by a
// script, so that every method meets the same hand.
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/cline_pai/c_flat_run.h"
#include "abut/reproduce/cline_pai/c_worlds.h"
#include "abut/reproduce/flags.h"

namespace abut::reproduce {
namespace {

constexpr double kTime = 20;  // s

void scripted_hand(double t, const Derived& d, Input& input) {
  push(input, d, 1, {25 * std::sin(1.3 * t), 10 * std::sin(2.1 * t), 0},
       {0.4 * std::cos(0.7 * t), 0.2, 0});
}

}  // namespace

Outcome pushed_rectangle(const Progress& progress) {
  const Model model = compile(pushed_rectangle_world());
  const auto run = [&](const char* stabilize, double share) {
    if (progress) progress(share);
    return run_flat(model, frictionless_ap(stabilize), kTime, scripted_hand, 10);
  };
  const FlatRun none = run("none", 0), baumgarte = run("baumgarte:50", 0.25),
                gamma = run("gamma:1", 0.5), post = run("post:1", 0.75);

  Outcome outcome;
  for (const auto& [first, last, what] :
       {std::tuple{0, 10, "falls and lands"}, {90, 100, "is pushed about"}})
    outcome.drawings.push_back(room_picture(model, post, std::size_t(first), std::size_t(last),
                                            fmt::format("Fig. 9: it {}", what)));
  for (Drawing& d : outcome.drawings) d.notes = {"poses 0.1 s apart, the last in another colour"};
  outcome.graphs.push_back(
      {"Fig. 8: no stabilisation", "time", "s", "overlap", "mm", {overlap_curve("none", none)}});
  outcome.graphs.push_back(
      {"The same with stabilisers",
       "time",
       "s",
       "overlap",
       "mm",
       {overlap_curve("Baumgarte 50", baumgarte), overlap_curve("one problem, gamma 1", gamma),
        overlap_curve("post", post)}});

  const int unsolved = none.unsolved + baumgarte.unsolved + gamma.unsolved + post.unsolved;
  const auto row = [&](const char* claim, const char* stabilize, Printed paper,
                       const char* expected, const FlatRun& r, std::optional<bool> pass) {
    if (pass) pass = *pass && unsolved == 0;
    outcome.checks.push_back(
        {.id = "C-T7",
         .statement = claim,
         .paper = std::move(paper),
         .expected = expected,
         .measured = std::vector<double>{r.most(), r.mean()},
         .pass = pass,
         .settings =
             fmt::format("{} {}; rectangle 1 x 0.5 m, 1 kg, room 4 x 3 m, F = (25 sin 1.3t, "
                         "10 sin 2.1t) N at (0.4 cos 0.7t, 0.2) m",
                         flags_of(frictionless_ap(stabilize)), run_flags(kRoomStep, kTime)),
         .world = "pushed_rectangle"});
  };
  row("without stabilisation contacts sink in: largest, mean overlap (mm)", "none",
      as_printed(std::string("contact constraints also have problems with constraint error"),
                 none.most() > 10, "there is hardly any error"),
      "> 10", none, none.most() > 10);
  row("post-steps eliminate errors completely: largest, mean overlap (mm)", "post:1",
      as_printed(std::string("the constraint errors are eliminated completely"), post.most() < 1e-3,
                 "errors are left"),
      "< 1e-3", post, post.most() < 1e-3);
  row("Baumgarte 50 lets a wall be hit, then pushes out: largest, mean overlap (mm)",
      "baumgarte:50", {}, "reported", baumgarte, {});
  row("one problem with gamma 1, footnote 3: largest, mean overlap (mm)", "gamma:1", {}, "reported",
      gamma, {});
  return outcome;
}

}  // namespace abut::reproduce
