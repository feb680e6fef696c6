// K-X3, Fig. 4 of Cheng Yi and Drumwright: badly chosen normals lock a parallelogram in a hole.
// Normals of minimum translation must not.
//
// A sheared block sits in the hole of a sheared frame, which is made of four convex bars,
// and is displaced so that it overlaps some of them. Each overlapping bar pushes it along
// its own normal by its own depth, one after the other. Locked would mean that the pushes
// cancel and overlap stays.
//
// The method of the figure (Hauser 2013) sees boundaries alone, grown by a circle: two of them that
// are nearer than twice its radius push each other along the line between their closest points. A
// corner that has crossed a wall is on the wall's other side, and is kept there.
#include <fmt/format.h>

#include <algorithm>
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

// A rigid body in the plane, the block, is pushed at a point so that this point moves by `way`.
void push(Pose& X, const Vec3& at, const Vec3& n, double way) {
  constexpr double kArm2 = kHole * kHole / 3;  // m^2: of inertia over mass
  const double turn = (at - X.p).cross(n).z();
  const double by = way / (1 + turn * turn / kArm2);
  X.p += by * n;
  X.q = Quat(Eigen::AngleAxisd(by * turn / kArm2, Vec3::UnitZ())) * X.q;
}

// Deepest overlap with a bar; pushes along normals of minimum translation if so asked.
double overlap(const Frame& frame, Pose& X, bool pushes) {
  double deepest = 0;
  for (int bar = 0; bar < frame.block; ++bar) {
    const Proximity d = proximity(frame.solids[bar], {}, frame.solids[frame.block], X);
    deepest = std::max(deepest, -d.distance);
    if (pushes && d.distance < 0) push(X, d.p_B, d.normal, -d.distance);
  }
  return deepest;
}

constexpr double kRounded = 1.5e-3;  // m: twice the circle's radius; less than the play

using Loop = std::array<Vec3, 4>;

Loop sheared_corners(double half) {
  const auto corner = [](double x, double y) { return Vec3(x + kShear * y, y, 0); };
  return {corner(-half, -half), corner(half, -half), corner(half, half), corner(-half, half)};
}

Vec3 closest_on(const Vec3& from, const Vec3& to, const Vec3& p) {
  const Vec3 e = to - from;
  return from + std::clamp(e.dot(p - from) / e.squaredNorm(), 0.0, 1.0) * e;
}

// One sweep over corners of either boundary that are near a side of the other. The farthest that
// any of them was pushed (m).
double push_by_boundaries(const Loop& wall, const Loop& block, Pose& X) {
  double most = 0;
  const auto part = [&](const Vec3& on_block, const Vec3& on_wall) {
    const Vec3 away = on_block - on_wall;
    const double near = away.norm();
    if (near >= kRounded || near == 0) return;
    most = std::max(most, kRounded - near);
    push(X, on_block, away / near, kRounded - near);
  };
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t side = 0; side < 4; ++side) {
      const std::size_t next = (side + 1) % 4;
      const Vec3 corner = X * block[k];
      part(corner, closest_on(wall[side], wall[next], corner));
      part(closest_on(X * block[side], X * block[next], wall[k]), wall[k]);
    }
  return most;
}

struct Freed {
  double first = 0, last = 0;  // m: deepest overlap at the start and at the end
  Pose end;
};

Freed push_out(const Frame& frame, const Pose& start) {
  Freed out;
  Pose X = start;
  out.first = overlap(frame, X, false);
  for (int sweep = 0; sweep < 20 * kSweeps; ++sweep) {
    out.last = overlap(frame, X, true);
    if (out.last < 1e-9) break;
  }
  out.end = X;
  return out;
}

Freed push_out_by_boundaries(const Frame& frame, const Pose& start) {
  const Loop wall = sheared_corners(kHole), block = sheared_corners(kPlay * kHole);
  Freed out;
  Pose X = start;
  out.first = overlap(frame, X, false);
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    if (push_by_boundaries(wall, block, X) < 1e-9) break;
  out.last = overlap(frame, X, false);
  out.end = X;
  return out;
}

Drawing picture_of(const Frame& frame, const Pose& end) {
  Drawing drawing;
  drawing.title = "Fig. 4 b: locked by normals of rounded boundaries";
  drawing.eye = {0, -1e-3, 1};
  for (int bar = 0; bar < frame.block; ++bar)
    drawing.solids.push_back({*frame.solids[bar].polyhedron, Role::a, ""});
  drawing.solids.push_back({transformed(*frame.solids[frame.block].polyhedron, end), Role::b, ""});
  return drawing;
}

void add_turned(Outcome& outcome, const Frame& frame) {
  constexpr int kTurned = 100;
  std::mt19937 random(20261118);
  std::uniform_real_distribution<double> unit(-1, 1);
  int overlapped = 0, locked = 0, stuck = 0;
  double left = 0, left_stuck = 0, deepest = 0;
  while (overlapped < kTurned) {
    const double x = unit(random), y = unit(random), turn = unit(random);
    const Pose X{0.03 * kHole * Vec3(x, y, 0), Quat(Eigen::AngleAxisd(0.02 * turn, Vec3::UnitZ()))};
    const Freed ours = push_out(frame, X), theirs = push_out_by_boundaries(frame, X);
    if (ours.first < 1e-4 || ours.first > kRounded) continue;
    ++overlapped;
    deepest = std::max(deepest, ours.first);
    stuck += ours.last >= 1e-9;
    left_stuck = std::max(left_stuck, ours.last);
    locked += theirs.last >= 1e-4;
    left = std::max(left, theirs.last);
    if (theirs.last > 1e-3 && outcome.drawings.empty())
      outcome.drawings.push_back(picture_of(frame, theirs.end));
  }
  Check check;
  check.id = "K-T3";
  check.statement =
      "a block that is turned in its hole, its corners in the walls, is pushed out along normals "
      "of "
      "boundaries rounded by a circle, the paper's bad example, and along those of minimum "
      "translation: starts that stay locked, deepest overlap left (m), of each";
  check.paper = as_printed(
      std::string(
          "normals by rounded boundaries move the parallelograms to an interlocking configuration"),
      locked > 0, "rounded normals lock none of these starts");
  check.expected = "> 0 for rounded ones; none by minimum translation, <= 1e-9";
  check.measured = std::vector<double>{double(locked), left, double(stuck), left_stuck};
  check.pass = locked > 0 && stuck == 0;
  check.settings = fmt::format(
      "the same frame, boundaries rounded by {} m; {} starts turned by up to 0.02 rad, {:.3g} m "
      "deep "
      "at most, at most 4000 sweeps (seed 20261118)",
      kRounded / 2, kTurned, deepest);
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
