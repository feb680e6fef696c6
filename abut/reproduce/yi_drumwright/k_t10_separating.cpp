// K-T10 and K-T11: condition (2) of Cheng Yi and Drumwright (if no sample closes, the bodies do
// not), and the necessary conditions on the normal (III-B).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/collide/manifold/manifold.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"
#include "abut/reproduce/random_hull.h"

namespace abut::reproduce {
namespace {

constexpr int kPairs = 300, kTwists = 5, kPaths = 60, kSteps = 100;
constexpr double kDt = 1e-6;

Pair random_pair(Dice& dice, double spread) {
  Polyhedron a = dice.hull(8 + int(dice.uniform(0, 20))),
             b = dice.hull(8 + int(dice.uniform(0, 20)));
  const Vec3 at = spread * dice.direction();
  return Pair(std::move(a), {Vec3::Zero(), dice.rotation()}, std::move(b), {at, dice.rotation()});
}

// The body at X after dt of the twist (v of its origin, w), to second order.
Pose moved(const Pose& X, const Vec3& v, const Vec3& w, double dt) {
  const double angle = w.norm() * dt;
  const Quat turn =
      angle > 0 ? Quat(Eigen::AngleAxisd(angle, w.normalized())) : Quat(Quat::Identity());
  return {X.p + dt * v, turn * X.q};
}

}  // namespace

Outcome separating(const Progress& progress) {
  Outcome outcome;
  Dice dice(10);
  ManifoldScratch scratch;
  KissingManifold manifold;

  // kissing pairs with twists that close at no sample, and just do not at one
  double deepest = 0;
  for (int i = 0; i < kPairs; ++i) {
    if (progress) progress(0.5 * i / kPairs);
    Pair pair = random_pair(dice, dice.uniform(0.5, 2));
    pair.X_WB.p -= pair.distance().distance * pair.distance().normal;
    const Proximity d = pair.distance();
    kissing_manifold(pair.A(), pair.X_WA, pair.B(), pair.X_WB, d, {}, scratch, manifold);
    for (int k = 0; k < kTwists && manifold.count() > 0; ++k) {
      Vec3 v = dice.vec(1);
      const Vec3 w = dice.vec(1);
      double least = INFINITY;
      for (const Vec3& p : manifold.points)
        least = std::min(least, d.normal.dot(v + w.cross(p - pair.X_WB.p)));
      v -= least * d.normal;
      const Proximity after = proximity(pair.A(), pair.X_WA, pair.B(), moved(pair.X_WB, v, w, kDt));
      deepest = std::max(deepest, -after.distance);
    }
  }
  Check samples;
  samples.id = "K-T10";
  samples.statement = "if all sample velocities separate, the bodies separate (condition 2)";
  samples.expected = "distance after 1e-6 s >= -1e-11 m";
  samples.measured = -deepest;
  samples.pass = deepest <= 1e-11;
  samples.settings = fmt::format(
      "{} kissing pairs of random polyhedra of 8 to 28 points, about 1.5 m, {} twists each with "
      "the "
      "least sample velocity exactly 0 (seed 10)",
      kPairs, kTwists);
  samples.paper = as_printed(
      std::string("if all sample velocities are non-negative, so are those of all points"),
      deepest <= 1e-11, "bodies come closer");
  outcome.checks.push_back(samples);

  // (a) moving along the normal changes the signed distance by just as much
  double slope_off = 0;
  for (int i = 0; i < kPairs; ++i) {
    Pair pair = random_pair(dice, dice.uniform(0.2, 3));
    const Proximity d = pair.distance();
    const double step = std::min(1e-3, 0.5 * std::abs(d.distance));
    pair.X_WB.p += step * d.normal;
    slope_off = std::max(slope_off, std::abs(pair.distance().distance - d.distance - step));
  }
  // (b) sliding past each other, the normal turns smoothly while the features are the same
  double jump = 0;  // turned beyond what the way over the distance allows (rad)
  for (int path = 0; path < kPaths; ++path) {
    if (progress) progress(0.5 + 0.5 * path / kPaths);
    Pair pair = random_pair(dice, dice.uniform(1.5, 2.5));
    const Vec3 slide = dice.direction() * 0.01;
    Proximity last = pair.distance();
    for (int step = 0; step < kSteps; ++step) {
      pair.X_WB.p += slide;
      const Proximity d = pair.distance();
      const bool same = d.a == last.a && d.b == last.b && d.distance * last.distance > 0;
      if (same && std::abs(d.distance) > 0.05) {
        const double allowed = d.distance > 0 ? 2 * slide.norm() / d.distance : 0;
        jump = std::max(jump, angle_between(d.normal, last.normal) - allowed);
      }
      last = d;
    }
  }
  Check normal;
  normal.id = "K-T11";
  normal.statement =
      "moving along the normal parts the bodies, and the normal is piecewise continuous";
  normal.expected =
      "distance changes by the way moved to 1e-12 m; between steps with the same "
      "features no jump above 1e-7 rad";
  normal.measured = std::vector<double>{slope_off, std::max(jump, 0.0)};
  normal.pass = slope_off <= 1e-12 && jump <= 1e-7;
  normal.settings = fmt::format(
      "{} random pairs apart and overlapping; {} sliding paths of {} steps "
      "of 10 mm (seed 10)",
      kPairs, kPaths, kSteps);
  outcome.checks.push_back(normal);
  return outcome;
}

}  // namespace abut::reproduce
