// K-X5, Fig. 6 of Cheng Yi and Drumwright: where many pairs of points are closest, any will do, and
// the distance is the same.
//
// Two boxes face each other 30 mm apart. The pair is asked in many frames, either way
// round, and from many first guesses, so that different witnesses come out.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "abut/collide/contact_drawing.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"

namespace abut::reproduce {
namespace {

constexpr double kGap = 0.03;  // m
constexpr int kQueries = 400;
const Vec3 kBelow(0.1, 0.1, 0.1), kAbove(0.12, 0.07, 0.1), kPlace(0.05, -0.03, 0.2 + kGap);

// How far a point is from a box's surface or inside, on the outside (m).
double outside(const Vec3& p, const Vec3& half) { return (p.cwiseAbs() - half).cwiseMax(0).norm(); }

}  // namespace

Outcome several_closest(const Progress&) {
  const Pair pair({ShapeKind::box, kBelow}, {}, {ShapeKind::box, kAbove},
                  {kPlace, Quat::Identity()});
  std::mt19937 random(6);
  std::uniform_real_distribution<double> u(-1, 1);
  std::uniform_int_distribution<int> any(0, 7);

  double distance_off = 0, normal_off = 0, witness_off = 0;
  std::vector<Vec3> witnesses;
  for (int i = 0; i < kQueries; ++i) {
    const Pose X_VW{Vec3(u(random), u(random), u(random)),
                    Quat(u(random), u(random), u(random), u(random)).normalized()};
    WarmStart warm_start;
    warm_start.feature_a = packed(Feature{FeatureKind::vertex, any(random)});
    warm_start.feature_b = packed(Feature{FeatureKind::vertex, any(random)});
    Proximity d;
    if (i % 2 == 0) {
      d = proximity(pair.A(), X_VW * pair.X_WA, pair.B(), X_VW * pair.X_WB, &warm_start);
    } else {
      d = swapped(proximity(pair.B(), X_VW * pair.X_WB, pair.A(), X_VW * pair.X_WA, &warm_start));
    }
    d = placed(d, X_VW.inverse());
    distance_off = std::max(distance_off, std::abs(d.distance - kGap));
    normal_off = std::max(normal_off, angle_between(d.normal, Vec3::UnitZ()));
    witness_off = std::max({witness_off, outside(d.p_A, kBelow), outside(d.p_B - kPlace, kAbove),
                            std::abs((d.p_B - d.p_A).norm() - kGap)});
    const bool known = std::any_of(witnesses.begin(), witnesses.end(),
                                   [&](const Vec3& w) { return (w - d.p_A).norm() < 1e-6; });
    if (!known) witnesses.push_back(d.p_A);
  }

  Outcome outcome;
  Check check;
  check.id = "K-T5";
  check.statement = "of several closest pairs any is accepted: the distance is the same";
  check.expected =
      "distance right to 1e-12 m, normal to 1e-9 rad, witnesses on both solids to "
      "1e-12 m, in every query";
  check.measured = std::vector<double>{distance_off, normal_off, witness_off};
  check.pass = distance_off < 1e-12 && normal_off < 1e-9 && witness_off < 1e-12;
  check.paper = as_printed(std::string("multiple such closest features generally exist"),
                           witnesses.size() > 1, "there is one pair");
  check.settings = fmt::format(
      "abut contact contact/several_closest; two boxes face to face, {} m apart; {} queries in "
      "random frames, both ways round, from "
      "random "
      "first guesses (seed 6); {} different witnesses",
      kGap, kQueries, witnesses.size());
  check.world = "contact/several_closest";
  outcome.checks.push_back(check);

  Drawing drawing = contact_drawing(pair.A(), pair.X_WA, pair.B(), pair.X_WB, pair.distance());
  drawing.title = "Some of the closest points";
  for (std::size_t i = 0; i < std::min<std::size_t>(witnesses.size(), 12); ++i) {
    drawing.dots.push_back({witnesses[i], ""});
    drawing.outlines.push_back({witnesses[i], witnesses[i] + kGap * Vec3::UnitZ()});
  }
  outcome.drawings.push_back(std::move(drawing));
  return outcome;
}

}  // namespace abut::reproduce
