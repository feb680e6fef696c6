// K-X3, Fig. 4 of Cheng Yi and Drumwright: badly chosen normals lock a parallelogram in a hole.
// Normals of minimum translation must not.
//
// A sheared block sits in the hole of a sheared frame, which is made of four convex bars,
// and is displaced so that it overlaps some of them. Each overlapping bar pushes it along
// its own normal by its own depth, one after the other. Locked would mean that the pushes
// cancel and overlap stays.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

#include "abut/collide/contact_drawing.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"
#include "abut/shape/hull.h"

namespace abut::reproduce {
namespace {

constexpr double kShear = 0.5;   // x grows by this much of y
constexpr double kHole = 0.1;    // half width and height of the hole (m)
constexpr double kPlay = 0.98;   // the block's size, of the hole's
constexpr double kThick = 0.02;  // half, along z
constexpr double kBar = 0.1;     // thickness of a bar
constexpr int kStarts = 200, kSweeps = 200;

// [x0, x1] x [y0, y1] x [-thick, thick], sheared.
Polyhedron sheared_box(double x0, double x1, double y0, double y1, double thick) {
  std::vector<Vec3> corners;
  for (const double x : {x0, x1})
    for (const double y : {y0, y1})
      for (const double z : {-thick, thick}) corners.emplace_back(x + kShear * y, y, z);
  return convex_hull(corners);
}

struct Frame {
  Frame() {
    const double h = kHole, w = kHole + kBar;
    solids.add(sheared_box(-w, w, h, w, 2 * kThick));
    solids.add(sheared_box(-w, w, -w, -h, 2 * kThick));
    solids.add(sheared_box(h, w, -h, h, 2 * kThick));
    solids.add(sheared_box(-w, -h, -h, h, 2 * kThick));
    const double b = kPlay * kHole;
    block = solids.add(sheared_box(-b, b, -b, b, kThick));
  }
  ConvexSet solids;
  int block = 0;
};

}  // namespace

Outcome no_locking(const Progress& progress) {
  const Frame frame;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> shift(-0.4 * kHole, 0.4 * kHole);
  int locked = 0, most_sweeps = 0;
  double deepest_start = 0, deepest_end = 0;
  for (int start = 0; start < kStarts; ++start) {
    if (progress) progress(start / double(kStarts));
    Pose X;
    X.p = {shift(random), shift(random), 0};
    int sweep = 0;
    double deepest = 0;
    for (; sweep < kSweeps; ++sweep) {
      deepest = 0;
      for (int bar = 0; bar < frame.block; ++bar) {
        const Proximity d = proximity(frame.solids[bar], {}, frame.solids[frame.block], X);
        deepest = std::max(deepest, -d.distance);
        if (d.distance < 0) X.p -= d.distance * d.normal;
      }
      if (sweep == 0) deepest_start = std::max(deepest_start, deepest);
      if (deepest < 1e-9) break;
    }
    most_sweeps = std::max(most_sweeps, sweep);
    deepest_end = std::max(deepest_end, deepest);
    locked += deepest >= 1e-9;
  }

  Outcome outcome;
  Check check;
  check.id = "K-T3";
  check.claim = "normals of minimum translation do not lock a block in a frame";
  check.expected = "0 of 200 starts locked: no overlap above 1e-9 m after at most 200 sweeps";
  check.measured = static_cast<double>(locked);
  check.pass = locked == 0;
  check.settings = fmt::format(
      "sheared frame of four bars, hole 0.2 m, block of {} of the hole, displaced by up to {:.3g} "
      "m "
      "each way (seed 4): overlap {:.3g} m at the start; {} sweeps were enough",
      kPlay, 0.4 * kHole, deepest_start, most_sweeps);
  outcome.checks.push_back(check);

  Drawing drawing;
  drawing.title = "A block overlapping its frame, and where it is pushed";
  drawing.eye = {0.6, -1, 2.2};
  const Pose X{Vec3(0.03, 0.03, 0), Quat::Identity()};
  for (int bar = 0; bar < frame.block; ++bar) {
    drawing.solids.push_back({*frame.solids[bar].polyhedron, Role::a, ""});
    const Proximity d = proximity(frame.solids[bar], {}, frame.solids[frame.block], X);
    if (d.distance < 0)
      drawing.arrows.push_back({d.p_B, d.p_B + 0.06 * d.normal, "n", Role::other});
  }
  drawing.solids.push_back({transformed(*frame.solids[frame.block].polyhedron, X), Role::b, ""});
  outcome.drawings.push_back(std::move(drawing));
  return outcome;
}

}  // namespace abut::reproduce
