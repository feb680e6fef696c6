// P-T11: two convex solids are apart if and only if some plane of a face or of two edges parts them
// (P-E7), held against distances by GJK; and what the printed sets make of the same pairs.
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/random_hull.h"
#include "abut/reproduce/williams_lu_trinkle/p_sets.h"
#include "abut/reproduce/williams_lu_trinkle/p_triangles.h"

namespace abut::reproduce {

namespace {

constexpr int kPairs = 1000;
constexpr double kBand = 1e-4;  // m: nearer to touching than this is not judged

// A pyramid of `sides` with its tip at the origin, opening along +z.
std::vector<Vec3> spike(Dice& dice, int sides) {
  std::vector<Vec3> points{Vec3::Zero()};
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * 3.14159265358979 * (i + dice.uniform(-0.3, 0.3)) / sides;
    const double r = dice.uniform(0.4, 1.2);
    points.emplace_back(r * std::cos(angle), r * std::sin(angle), dice.uniform(0.9, 1.1));
  }
  return points;
}

void place(std::vector<Vec3>& points, const Quat& q, const Vec3& at) {
  for (Vec3& p : points) p = q * p + at;
}

Quat small_turn(Dice& dice, double most) {
  const Vec3 axis = dice.direction();
  return Quat(Eigen::AngleAxisd(dice.uniform(-most, most), axis));
}

PlacedPair wedges(Dice& dice) {
  const auto wedge = [&](bool left) {
    const double half = dice.uniform(0.2, 0.7), turn = dice.uniform(-0.35, 0.35);
    std::vector<Vec2> p{Vec2::Zero()};
    for (const double a : {-half, half})
      p.emplace_back(std::cos(a + turn) * (left ? -1 : 1), std::sin(a + turn));
    return p;
  };
  std::vector<Vec2> a = wedge(false);
  const Vec2 at(dice.uniform(-0.3, 0.3), dice.uniform(-0.3, 0.3));
  for (Vec2& p : a) p += at;
  return PlacedPair::of(a, wedge(true));
}

PlacedPair spike_over_ridge(Dice& dice) {
  std::vector<Vec3> a = spike(dice, 3 + int(dice.uniform(0, 3)));
  place(a, small_turn(dice, 0.4),
        {dice.uniform(-0.3, 0.3), dice.uniform(-0.2, 0.2), dice.uniform(-0.3, 0.3)});
  const double l = dice.uniform(0.4, 1.5), r = dice.uniform(0.4, 1.5);
  return PlacedPair::of(
      a,
      std::vector<Vec3>{{-l, -2, -1}, {r, -2, -1}, {-l, 2, -1}, {r, 2, -1}, {0, -2, 0}, {0, 2, 0}});
}

PlacedPair two_spikes(Dice& dice) {
  std::vector<Vec3> a = spike(dice, 3 + int(dice.uniform(0, 3))),
                    b = spike(dice, 3 + int(dice.uniform(0, 3)));
  place(a, small_turn(dice, 0.4),
        {dice.uniform(-0.2, 0.2), dice.uniform(-0.2, 0.2), dice.uniform(-0.3, 0.2)});
  place(b, Quat(Eigen::AngleAxisd(3.14159265358979, Vec3::UnitX())), Vec3::Zero());
  return PlacedPair::of(a, b);
}

bool satisfied(const FeatureConstraints& set) {
  for (const FeatureConstraint& c : set.constraints()) {
    double most = -INFINITY;
    for (const std::vector<int>* of : {&c.iota, &c.kappa})
      for (const int i : *of)
        most = std::max(most, set.contacts()[static_cast<std::size_t>(i)].psi);
    if (most < 0) return false;
  }
  return true;
}

bool all_apart(const FeatureConstraints& set) {  // st on all contacts
  for (const LocalContact& c : set.contacts())
    if (c.psi < 0) return false;
  return true;
}

struct Tally {
  int free = 0, in = 0;            // pairs that are judged
  int rejected = 0, accepted = 0;  // free ones, penetrating ones
  void add(bool apart, bool said) {
    rejected += apart && !said;
    accepted += !apart && said;
  }
};

}  // namespace

Outcome constraint_oracle(const Progress& progress) {
  Outcome outcome;
  struct Kind {
    const char* name;
    PlacedPair (*make)(Dice&);
    double reach;  // m: features that belong to the corner
  };
  double done = 0;
  for (const Kind& kind : {Kind{"2D vertex-vertex", wedges, 0.5},
                           {"3D vertex-edge", spike_over_ridge, 0.5},
                           {"3D vertex-vertex", two_spikes, 0.55}}) {
    if (progress) progress(done);
    done += 1.0 / 3;
    Dice dice(11);
    Tally exact, joined, printed, lnc, st;
    int free = 0, in = 0;
    for (int i = 0; i < kPairs; ++i) {
      const PlacedPair pair = kind.make(dice);
      const double distance = pair.distance();
      if (std::abs(distance) < kBand) continue;
      const bool apart = distance > 0;
      ++(apart ? free : in);
      exact.add(apart, pair.greatest_separation() >= 0);
      const auto sets = [&](Crossings crossings) {
        return pair.constraints(kind.reach, {.crossings = crossings});
      };
      const FeatureConstraints without = sets(Crossings::none);
      joined.add(apart, satisfied(sets(Crossings::joined)));
      printed.add(apart, satisfied(sets(Crossings::printed)));
      lnc.add(apart, satisfied(without));
      st.add(apart, all_apart(without));
    }
    const std::string settings = fmt::format(
        "{} random pairs, {} apart and {} in each other, {} within {} m not judged (seed 11)",
        kPairs, free, in, kPairs - free - in, kBand);
    const auto row = [&](const char* what, const Tally& t, bool held) {
      Check c;
      c.id = "P-T11";
      c.statement =
          fmt::format("{}, {}: free pairs rejected, penetrating ones accepted", kind.name, what);
      c.expected = held ? "0, 0" : "reported";
      c.measured = std::vector<double>{double(t.rejected), double(t.accepted)};
      if (held) c.pass = t.rejected == 0 && t.accepted == 0 && free > 100 && in > 100;
      c.settings = settings;
      outcome.checks.push_back(std::move(c));
    };
    row("some plane parts them (P-E7, peg)", exact, true);
    row("U, I and X, (24) as one constraint of two vertices (peg-paper)", joined, true);
    row("as printed, signs put right (abut.peg-paper.crossings printed)", printed, false);
    outcome.checks.back().paper =
        as_printed(std::string("accurately represents the complete set of physically feasible "
                               "contact interactions"),
                   printed.rejected == 0 && printed.accepted == 0,
                   "(24) asks of each pair of faces to be parted by planes of their own; two "
                   "solids are apart where one plane of any of them parts them (P-E7)");
    row("without X (lnc)", lnc, false);
    row("all contacts unilateral (st on features)", st, false);
  }
  return outcome;
}

}  // namespace abut::reproduce
