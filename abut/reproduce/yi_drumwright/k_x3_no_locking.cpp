// K-X3, Fig. 4 of Cheng Yi and Drumwright: badly chosen normals lock a parallelogram in a hole.
// Normals of minimum translation must not.
//
// A sheared block sits in the hole of a sheared frame, which is made of four convex bars,
// and is displaced so that it overlaps some of them. Each overlapping bar pushes it along
// its own normal by its own depth, one after the other. Locked would mean that the pushes
// cancel and overlap stays.
#include <fmt/format.h>

#include <algorithm>
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

// Which normal a bar pushes with.
enum class Rule {
  translation,  // of the minimum translation
  rounded,      // of the block's boundary rounded by a circle: at a vertex, between its two sides
};

// The corner of the block, in its own frame, that is nearest to a point of it.
int nearest_corner(const Polyhedron& block, const Vec3& p) {
  int best = 0;
  for (int v = 0; v < block.vertex_count(); ++v) {
    const auto away = [&](int i) {
      return (block.vertices[static_cast<std::size_t>(i)] - p).head<2>().norm();
    };
    if (away(v) < away(best)) best = v;
  }
  return best;
}

// Into the block, between the two sides that meet at a corner.
Vec3 bisector(const Polyhedron& block, int corner) {
  Vec3 sum = Vec3::Zero();
  for (int f = 0; f < block.face_count(); ++f) {
    const std::span<const int> loop = block.face_loop(f);
    const Vec3& eta = block.faces[static_cast<std::size_t>(f)].eta;
    if (std::find(loop.begin(), loop.end(), corner) != loop.end() && std::abs(eta.z()) < 0.5)
      sum -= eta;
  }
  return sum.normalized();
}

struct Freed {
  double first = 0, last = 0;  // m: deepest overlap at the start and at the end
  Pose end;
};

// The block, turned and displaced, is pushed by one bar after the other as a rigid body in the
// plane.
Freed push_out(const Frame& frame, const Pose& start, Rule rule) {
  constexpr double kArm2 = kHole * kHole / 3;  // m^2: of inertia over mass
  const Polyhedron& block = *frame.solids[frame.block].polyhedron;
  Freed out;
  Pose X = start;
  for (int sweep = 0; sweep < 20 * kSweeps; ++sweep) {
    double deepest = 0;
    for (int bar = 0; bar < frame.block; ++bar) {
      const Proximity d = proximity(frame.solids[bar], {}, frame.solids[frame.block], X);
      deepest = std::max(deepest, -d.distance);
      if (d.distance >= 0) continue;
      Vec3 n = d.normal, at = d.p_B;
      double way = -d.distance;
      if (rule == Rule::rounded) {
        const int corner = nearest_corner(block, X.inverse() * d.p_B);
        at = X * block.vertices[static_cast<std::size_t>(corner)];
        n = X.q * bisector(block, corner);
        way /= std::max(n.dot(d.normal), 0.1);
      }
      const double turn = (at - X.p).cross(n).z();
      const double push = way / (1 + turn * turn / kArm2);
      X.p += push * n;
      X.q = Quat(Eigen::AngleAxisd(push * turn / kArm2, Vec3::UnitZ())) * X.q;
    }
    if (sweep == 0) out.first = deepest;
    out.last = deepest;
    if (deepest < 1e-9) break;
  }
  out.end = X;
  return out;
}

void add_turned(Outcome& outcome, const Frame& frame) {
  constexpr int kTurned = 100;
  std::mt19937 random(20261118);
  std::uniform_real_distribution<double> unit(-1, 1);
  int locked[2] = {};
  double left[2] = {}, deepest = 0;
  Drawing drawing;
  for (int i = 0; i < kTurned; ++i) {
    const double x = unit(random), y = unit(random), turn = unit(random);
    const Pose X{0.1 * kHole * Vec3(x, y, 0), Quat(Eigen::AngleAxisd(0.3 * turn, Vec3::UnitZ()))};
    for (const Rule rule : {Rule::translation, Rule::rounded}) {
      const Freed freed = push_out(frame, X, rule);
      const std::size_t k = rule == Rule::rounded ? 1 : 0;
      locked[k] += freed.last >= 1e-9;
      left[k] = std::max(left[k], freed.last);
      deepest = std::max(deepest, freed.first);
      if (rule != Rule::rounded || freed.last < 1e-4 || !drawing.solids.empty()) continue;
      drawing.title = "Fig. 4 b: locked by rounded normals";
      drawing.eye = {0, -1e-3, 1};
      for (int bar = 0; bar < frame.block; ++bar)
        drawing.solids.push_back({*frame.solids[bar].polyhedron, Role::a, ""});
      drawing.solids.push_back(
          {transformed(*frame.solids[frame.block].polyhedron, freed.end), Role::b, ""});
    }
  }
  if (!drawing.solids.empty()) outcome.drawings.push_back(std::move(drawing));
  Check check;
  check.id = "K-T3";
  check.statement =
      "a block that is turned in its hole is pushed out along normals of a boundary rounded by a "
      "circle, "
      "the paper's bad example, and along those of minimum translation: starts that stay locked, "
      "deepest "
      "overlap left (m), of each";
  check.paper = as_printed(
      std::string(
          "normals by rounded boundaries move the parallelograms to an interlocking configuration"),
      locked[1] > 0,
      "rounded normals lock none of these starts: pushed along the bisectors of its corners one "
      "after the "
      "other, the block still turns free; the figure moves both bodies at once, and is not printed "
      "in numbers");
  check.expected = "reported for rounded ones; none by minimum translation";
  check.measured = std::vector<double>{double(locked[1]), left[1], double(locked[0]), left[0]};
  check.pass = locked[0] == 0;
  check.settings = fmt::format(
      "the same frame; {} starts turned by up to 0.3 rad and displaced by up to a tenth of the "
      "hole, up to "
      "{:.3g} m deep, 4000 sweeps (seed 20261118)",
      kTurned, deepest);
  outcome.checks.push_back(std::move(check));
}

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
  check.statement = "normals of minimum translation do not lock a block in a frame";
  check.expected = "0 of 200 starts locked: no overlap above 1e-9 m after at most 200 sweeps";
  check.measured = static_cast<double>(locked);
  check.pass = locked == 0;
  check.settings = fmt::format(
      "sheared frame of four bars, hole 0.2 m, block of {} of the hole, displaced by up to {:.3g} "
      "m "
      "each way (seed 4): overlap {:.3g} m at the start; {} sweeps were enough",
      kPlay, 0.4 * kHole, deepest_start, most_sweeps);
  outcome.checks.push_back(check);
  add_turned(outcome, frame);

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
