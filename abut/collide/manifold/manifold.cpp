#include "abut/collide/manifold/manifold.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "abut/collide/manifold/tolerances.h"
#include "abut/collide/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// Coordinates in the contact plane: right-handed with the normal.
struct Chart {
  Vec3 origin, u, v;

  Chart(const Vec3& from, const Vec3& n) : origin(from) {
    int least;
    n.cwiseAbs().minCoeff(&least);
    u = n.cross(Vec3::Unit(least)).normalized();
    v = n.cross(u);
  }
  Vec2 operator()(const Vec3& x) const { return {u.dot(x - origin), v.dot(x - origin)}; }
};

void flatten(const ContactSet& set, const Chart& chart, double L, std::vector<Vec2>& flat,
             PlanarSet& out) {
  flat.clear();
  for (const Vec3& p : set.points) flat.push_back(chart(p));
  planar_hull(flat, kManifoldMerge * L, kManifoldLeastArea * L * L, out);
}

// Translates a place in a planar set to a feature of the solid.
Feature solid_feature(const Convex& solid, const ContactSet& set, const PlanarSet& planar,
                      const Feature& place) {
  const auto feature = [&](int i) {
    return set.features[static_cast<std::size_t>(planar.source[static_cast<std::size_t>(i)])];
  };
  if (set.unbounded || place.kind == FeatureKind::face) return set.face;
  const Feature from = feature(place.index);
  if (place.kind == FeatureKind::vertex) return from;
  if (!solid.is_polyhedron()) return set.rim ? from : set.face;
  const int next = place.index + 1 < planar.count() ? place.index + 1 : 0;
  return {FeatureKind::edge, edge_towards(*solid.polyhedron, from.index, feature(next).index)};
}

// The other solid is a half-space: the manifold is the whole of one set.
void take_all(const PlanarSet& set, bool a_is_plane, PlanarIntersection& out) {
  out.set = set;
  out.in_p.assign(set.points.size(), {FeatureKind::face, 0});
  out.in_q = out.in_p;
  std::vector<Feature>& places = a_is_plane ? out.in_q : out.in_p;
  for (int i = 0; i < set.count(); ++i)
    places[static_cast<std::size_t>(i)] = {FeatureKind::vertex, i};
}

// The place in one of the two sets that contains the whole intersection.
Feature place_of_whole(const PlanarSet& common, const ContactSet& set, const PlanarSet& planar,
                       double tolerance) {
  if (set.unbounded || common.count() > 2) return {FeatureKind::face, 0};
  const Vec2 middle =
      common.count() == 2 ? Vec2(0.5 * (common.point(0) + common.point(1))) : common.point(0);
  return place_in(planar, middle, tolerance);
}

// Degrees of freedom of a surface's normal at a place: 0 one direction, 1 an arc, 2 more.
int freedom(const ContactSet& set, const Feature& place) {
  if (set.unbounded || set.smooth || place.kind == FeatureKind::face) return 0;
  if (set.rim || place.kind == FeatureKind::edge) return 1;
  return 2;
}

void make_empty(KissingManifold& out) {
  out.kind = ManifoldKind::none;
  out.points.clear();
  out.ids.clear();
}

}  // namespace

const char* name(ManifoldKind kind) {
  switch (kind) {
    case ManifoldKind::none:
      return "none";
    case ManifoldKind::point:
      return "point";
    case ManifoldKind::segment:
      return "segment";
    case ManifoldKind::polygon:
      return "polygon";
  }
  return "none";
}

void kissing_manifold(const Convex& A, const Convex& B, const Transform& X_AB, const Proximity& d,
                      const ManifoldOptions& options, ManifoldScratch& scratch,
                      KissingManifold& out) {
  make_empty(out);
  out.normal = d.normal;
  out.offset = out.distance = 0;
  out.a = out.b = {};
  out.indeterminate = false;
  if (d.beyond_limit || d.normal.isZero() || (A.is_half_space() && B.is_half_space())) return;
  const Vec3& n = d.normal;
  const double L = pair_size(A, B), touching = kKissing * L;

  // the part of each solid on the separating plane (K-13)
  ContactSet &set_a = scratch.set_a, &set_b = scratch.set_b;
  contact_set(A, Transform(), n, touching, set_a);
  contact_set(B, X_AB, -n, touching, set_b);
  out.distance = -set_b.offset - set_a.offset;
  out.offset = set_a.offset + 0.5 * out.distance;

  // their intersection in the plane (K-14); if it is empty, with the tolerance of a touch
  const Chart chart((set_a.unbounded ? set_b : set_a).points[0], n);
  flatten(set_a, chart, L, scratch.flat, scratch.a);
  flatten(set_b, chart, L, scratch.flat, scratch.b);
  PlanarIntersection& common = scratch.common;
  if (set_a.unbounded || set_b.unbounded) {
    take_all(set_a.unbounded ? scratch.b : scratch.a, set_a.unbounded, common);
  } else {
    intersect(scratch.a, scratch.b, kManifoldMerge * L, kManifoldLeastArea * L * L, common);
    if (common.set.count() == 0)
      intersect(scratch.a, scratch.b, touching, kManifoldLeastArea * L * L, common);
  }
  if (common.set.count() == 0) return;

  // the features that meet, and the freedom of the normal (K-9)
  const Feature in_a = place_of_whole(common.set, set_a, scratch.a, touching);
  const Feature in_b = place_of_whole(common.set, set_b, scratch.b, touching);
  out.a = solid_feature(A, set_a, scratch.a, in_a);
  out.b = solid_feature(B, set_b, scratch.b, in_b);
  const int free_a = freedom(set_a, in_a), free_b = freedom(set_b, in_b);
  out.indeterminate =
      free_a > 0 && free_b > 0 && free_a + free_b > 2 && std::abs(out.distance) <= touching;
  if (options.paper_strict && free_a > 0 && free_b > 0) return;

  out.kind = common.set.count() > 2    ? ManifoldKind::polygon
             : common.set.count() == 2 ? ManifoldKind::segment
                                       : ManifoldKind::point;
  for (int i = 0; i < common.set.count(); ++i) {
    const Vec2& x = common.set.point(i);
    const Vec3 in_plane = chart.origin + x.x() * chart.u + x.y() * chart.v;
    out.points.push_back(in_plane + (out.offset - n.dot(in_plane)) * n);
    const auto k = static_cast<std::size_t>(i);
    out.ids.push_back(point_id(solid_feature(A, set_a, scratch.a, common.in_p[k]),
                               solid_feature(B, set_b, scratch.b, common.in_q[k])));
  }
}

void kissing_manifold(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                      const Proximity& d, const ManifoldOptions& options, ManifoldScratch& scratch,
                      KissingManifold& out) {
  Proximity local = d;
  local.normal = X_WA.q.conjugate() * d.normal;
  kissing_manifold(A, B, relative(X_WA, X_WB), local, options, scratch, out);
  out.normal = d.normal;
  out.offset += d.normal.dot(X_WA.p);
  for (Vec3& p : out.points) p = X_WA * p;
}

bool append_kissing(const PlacedSolids& pair, const Proximity& d, double reach,
                    ManifoldScratch& scratch, KissingManifold& m, ContactData& out) {
  if (d.beyond_limit || !(d.distance <= reach) || d.indeterminate) return false;
  kissing_manifold(pair.A, pair.X_WA, pair.B, pair.X_WB, d, {}, scratch, m);
  if (m.kind == ManifoldKind::none || m.indeterminate) return false;
  std::vector<int>& order = scratch.order;
  order.resize(m.points.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) { return m.ids[at(i)]; });
  Patch patch;
  patch.normal = d.normal;
  patch.distance = d.distance;
  patch.a = d.a;
  patch.b = d.b;
  patch.begin = out.points.count();
  const Vec3 half = 0.5 * d.distance * d.normal;
  for (const int i : order)
    out.points.add(m.points[at(i)] - half, m.points[at(i)] + half, d.distance, m.ids[at(i)]);
  patch.end = out.points.count();
  out.patches.push_back(patch);
  return true;
}

bool is_indeterminate(const Convex& A, const Convex& B, const Transform& X_AB, const Proximity& d,
                      ManifoldScratch& scratch) {
  if (std::abs(d.distance) > kKissing * pair_size(A, B)) return false;
  kissing_manifold(A, B, X_AB, d, {}, scratch, scratch.touch);
  return scratch.touch.indeterminate;
}

}  // namespace abut
