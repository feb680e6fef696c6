// D-X9: the normal of an overlap by eq. (4) of Drumwright: of all facets that are in the overlap
// that behind which the other solid's points are least deep. Against a search of its own, and
// against the direction of minimum translation, which the appendix takes it for.
#include <algorithm>
#include <cmath>

#include "abut/collide/normal.h"
#include "abut/collide/volume/clip_volume.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"
#include "abut/reproduce/random_hull.h"

namespace abut::reproduce {
namespace {

constexpr int kPairs = 300;
constexpr unsigned kFreshSeed = 20261120;

struct Facets {
  int pairs = 0;
  int least_translation = 0;  // pairs whose normal is that of minimum translation
  double off = 0;             // m: depth behind the facet found, less the least by search
  double longest = 0;         // way out along the normal, over the minimum translation
};

// m: how deep the other solid's points of the common part are behind a facet.
double depth_behind(const Intersection& common, const Intersection::Face& facet) {
  const Vec3 out = facet.area.normalized();
  const Vec3& on = common.vertices[std::size_t(common.loop(facet)[0])];
  double most = 0;
  for (const Intersection::Face& f : common.faces)
    if (f.side != facet.side)
      for (const int v : common.loop(f))
        most = std::max(most, out.dot(on - common.vertices[std::size_t(v)]));
  return most;
}

// m: how far B must go along n to leave A.
double way_out(const Pair& pair, const Vec3& n) {
  double a = -INFINITY, b = INFINITY;
  for (const Vec3& p : pair.A().polyhedron->vertices) a = std::max(a, n.dot(pair.X_WA * p));
  for (const Vec3& p : pair.B().polyhedron->vertices) b = std::min(b, n.dot(pair.X_WB * p));
  return a - b;
}

void look(const Pair& pair, Facets& out) {
  const Proximity d = pair.distance();
  if (d.distance > -0.01) return;
  ClipBuffers buffers;
  Intersection common;
  const Transform X_AB = relative(pair.X_WA, pair.X_WB);
  clip_volume(pair.A(), pair.B(), X_AB, buffers, common);
  const auto of_side = [&](Side side) {
    return std::any_of(common.faces.begin(), common.faces.end(),
                       [&](const auto& f) { return f.side == side; });
  };
  if (common.overlap != OverlapKind::solid || !of_side(Side::a) || !of_side(Side::b)) return;
  NormalQuery query{pair.A(), pair.B(), X_AB};
  query.proximity = &d;
  query.common = &common;
  const ContactNormal found = contact_normal(NormalRule::minmax_facet, query);
  const bool of_a = found.a.kind == FeatureKind::face;
  double least = INFINITY, chosen = INFINITY;
  for (const Intersection::Face& f : common.faces) {
    const double depth = depth_behind(common, f);
    least = std::min(least, depth);
    if (f.side == (of_a ? Side::a : Side::b) && f.face == (of_a ? found.a.index : found.b.index))
      chosen = depth;
  }
  const double over = way_out(pair, found.normal) / -d.distance;
  ++out.pairs;
  out.off = std::max(out.off, chosen - least);
  out.longest = std::max(out.longest, over);
  out.least_translation += over <= 1 + 1e-9;
}

}  // namespace

Outcome facet_normal(const Progress& progress) {
  Dice dice(kFreshSeed);
  Facets facets;
  while (facets.pairs < kPairs) {
    if (progress) progress(double(facets.pairs) / kPairs);
    const Polyhedron a = dice.hull(20), b = dice.hull(20);
    const Vec3 at = dice.uniform(0.8, 1.6) * dice.direction();
    look(Pair(a, {}, b, {at, dice.rotation()}), facets);
  }
  Check check;
  check.id = "D-T22";
  check.statement =
      "eq. 4 on random overlaps: depth behind the facet found, less the least by a search of its "
      "own "
      "(m); pairs, those whose normal is that of minimum translation, longest way out along it, of "
      "the "
      "minimum translation";
  check.paper = as_printed(
      std::string("the normal is in the direction that will separate the two objects with minimum "
                  "translation"),
      facets.least_translation == facets.pairs,
      "(4) looks at facets alone: where edges cross, the minimum translation is along none of them "
      "(D-E1), and points outside of the overlap are not asked");
  check.expected = "<= 1e-9; reported";
  check.measured = std::vector<double>{facets.off, double(facets.pairs),
                                       double(facets.least_translation), facets.longest};
  check.pass = facets.off <= 1e-9;
  check.settings =
      "--contact multipoint --set multipoint.normal=facets takes this normal; random hulls, 1 cm "
      "deep "
      "and more, seed 20261120";
  return {.checks = {check}, .graphs = {}, .drawings = {}};
}

}  // namespace abut::reproduce
