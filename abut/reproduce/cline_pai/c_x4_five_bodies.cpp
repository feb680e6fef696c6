// C-X4, Fig. 10 of Cline and Pai: five bodies in a room, pushed at random.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "abut/reproduce/all.h"
#include "abut/reproduce/cline_pai/c_flat_run.h"
#include "abut/reproduce/cline_pai/c_worlds.h"
#include "abut/reproduce/flags.h"

namespace abut::reproduce {
namespace {

constexpr int kBodies = 5;
constexpr double kTime = 4, kHold = 0.25;  // s; how long a push lasts

// Every body is pushed by up to 20 N each way at some point of it; the same for every method.
class RandomHand {
 public:
  explicit RandomHand(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> to_one(-1, 1);
    for (int i = 0; i < kBodies * static_cast<int>(std::lround(kTime / kHold)); ++i) {
      const double fx = to_one(random), fy = to_one(random);
      const double px = to_one(random), py = to_one(random);
      pushes_.push_back({{20 * fx, 20 * fy, 0}, {0.2 * px, 0.2 * py, 0}});
    }
  }
  void operator()(double t, const Derived& d, Input& input) const {
    const int now = static_cast<int>(std::floor(t / kHold + 1e-9));
    for (int b = 0; b < kBodies; ++b) {
      const auto& [force, point] = pushes_.at(static_cast<std::size_t>(kBodies * now + b));
      push(input, d, b + 1, force, point);
    }
  }

 private:
  std::vector<std::pair<Vec3, Vec3>> pushes_;
};

struct Tally {
  double most = 0, before = 0;  // mm
  int unsolved = 0, steps = 0;

  void add(const FlatRun& run) {
    most = std::max(most, run.most());
    before = std::max(before, run.most_before());
    unsolved += run.unsolved;
    steps += static_cast<int>(run.overlap.size());
  }
};

}  // namespace

Outcome many_bodies(const Progress& progress) {
  constexpr unsigned kSeeds = 3;
  const Model fine = compile(five_bodies(1e-3)), coarse = compile(five_bodies(kRoomStep));
  Tally none, once, once_coarse, four_coarse;
  Outcome outcome;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    if (progress) progress((seed - 1) / double(kSeeds));
    const RandomHand hand(seed);
    const FlatRun without = run_flat(fine, frictionless_ap("none"), kTime, hand);
    const FlatRun with = run_flat(fine, frictionless_ap("post:1"), kTime, hand, 100);
    none.add(without);
    once.add(with);
    once_coarse.add(run_flat(coarse, frictionless_ap("post:1"), kTime, hand));
    four_coarse.add(run_flat(coarse, frictionless_ap("post:4"), kTime, hand));
    if (seed > 1) continue;
    outcome.drawings.push_back(room_picture(fine, with, 0, 0, "Fig. 10: at the start"));
    outcome.drawings.push_back(room_picture(fine, with, 20, 20, "Fig. 10: after 2 s"));
    outcome.graphs.push_back({"Overlap of five bodies, h 1 ms",
                              "time",
                              "s",
                              "overlap",
                              "mm",
                              {overlap_curve("none", without), overlap_curve("post", with)}});
  }

  const auto row = [&](const char* claim, Printed paper, const char* expected, Value measured,
                       std::optional<bool> pass, const char* stabilize, double h) {
    outcome.checks.push_back(
        {.id = "C-T8",
         .statement = claim,
         .paper = std::move(paper),
         .expected = expected,
         .measured = std::move(measured),
         .pass = pass,
         .settings =
             fmt::format("{} {}; five rectangles pushed at random, room 4 x 3 m, seeds 1 to {}",
                         flags_of(frictionless_ap(stabilize)), run_flags(h, kTime), kSeeds),
         .world = "five_bodies"});
  };
  row("one post-step a step keeps five bodies apart: largest overlap (mm)",
      as_printed(std::string("the post-stabilization scales well to simulations with many bodies"),
                 once.most < 1e-2, "errors are left"),
      "< 1e-2", once.most, once.most < 1e-2, "post:1", 1e-3);
  row("without stabilisation they sink in: largest overlap (mm)", {}, "> 1", none.most,
      none.most > 1, "none", 1e-3);
  row("with h 10 ms bodies meet that overlap by as much as this before the post-steps; four of "
      "them: largest overlap before, after (mm)",
      {}, "after < 1e-2", std::vector<double>{four_coarse.before, four_coarse.most},
      four_coarse.most < 1e-2, "post:4", kRoomStep);
  row("one post-step is too few for that, as the paper warns of large errors (mm)",
      as_printed(std::string("can perform poorly when there are large errors"),
                 once_coarse.most > 1, "one post-step is enough"),
      "reported", once_coarse.most, {}, "post:1", kRoomStep);
  const int unsolved = none.unsolved + once.unsolved + once_coarse.unsolved + four_coarse.unsolved;
  row("no problem is left unsolved: problems failed, steps", {}, "0",
      std::vector<double>{double(unsolved),
                          double(none.steps + once.steps + once_coarse.steps + four_coarse.steps)},
      unsolved == 0, "post:1", kRoomStep);
  return outcome;
}

}  // namespace abut::reproduce
