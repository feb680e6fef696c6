#include <algorithm>
#include <cmath>

#include "abut/collide/manifold/manifold.h"
#include "abut/collide/proximity/cold/core_parts.h"
#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/cold/segments.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut::core_parts {
namespace {

// The fallback when the polytope fails: slow and reliable. For a point or a segment the axes are
// those of the faces, and of the edges with the segment.
Proximity by_separating_axes(const Pair& pair) {
  const Polyhedron *A = pair.A.polyhedron, *B = pair.B.polyhedron;
  if (A && B) {
    thread_local SatScratch scratch;
    return sat_proximity(*A, *B, pair.X_AB, scratch);
  }
  const Convex &owner = A ? pair.A : pair.B, &core = A ? pair.B : pair.A;
  Reference best;
  const auto try_normal = [&](const Vec3& n_owner, int face) {
    const Vec3 n = A ? n_owner : Vec3(-(pair.X_AB.R * n_owner));
    const double distance = pair.separation(n);
    if (distance <= best.distance + (face < 0 ? kFaceBias * pair.L : 0)) return;
    best = {{}, {}, n, distance, -1};
    if (face >= 0) (A ? best.a : best.b) = {FeatureKind::face, face};
  };
  const Polyhedron& p = *owner.polyhedron;
  for (int f = 0; f < p.face_count(); ++f) try_normal(p.faces[at(f)].eta, f);
  if (core.support->vertex_count() == 2) {
    const Vec3 along = core.support->vertex(1) - core.support->vertex(0);
    const Vec3 segment = A ? Vec3(pair.X_AB.R * along) : Vec3(pair.X_AB.R.transpose() * along);
    for (int e = 0; e < p.edge_count(); ++e) {
      const Vec3 cross = edge_vector(p, e).cross(segment);
      if (cross.norm() <= kNoCrossProduct * pair.L * pair.L) continue;
      try_normal(cross.normalized(), -1);
      try_normal(-cross.normalized(), -1);
    }
  }
  Proximity d;
  if (best.a.kind == FeatureKind::face || best.b.kind == FeatureKind::face) {
    show(pair, best, d);
  } else {
    const DifferenceVertex w =
        difference_support(*pair.A.support, *pair.B.support, pair.X_AB, -best.normal);
    show_triangle(pair, {w, w, w}, best, d);
  }
  return d;
}

// Walks from a face to the face that contains a point in its plane, across faces that are nearly
// coplanar.
Feature face_at(const Polyhedron& p, const Feature& f, const Vec3& point) {
  if (f.kind != FeatureKind::face) return f;
  int face = f.index;
  for (int step = 0; step < p.face_count(); ++step) {
    int beyond = -1;
    double most = 0;
    for (const int e : p.face_edge_ring(face)) {
      const Polyhedron::Edge& edge = p.edges[at(e)];
      const Vec3& tail = p.vertices[at(edge.tail)];
      const double side = edge.f1 == face ? 1 : -1;  // f1 runs along the edge, f2 against it
      const Vec3 inward = side * p.faces[at(face)].eta.cross(edge_vector(p, e)).normalized();
      const double inside = inward.dot(point - tail);
      if (inside < most) {
        most = inside;
        beyond = edge.f1 == face ? edge.f2 : edge.f1;
      }
    }
    if (beyond < 0 || p.faces[at(beyond)].eta.dot(p.faces[at(face)].eta) < 1 - kAligned) break;
    face = beyond;
  }
  return {FeatureKind::face, face};
}

// Witness points for an axis along which many features are equally good to rounding: a corner of
// the intersection once the two are moved together along the axis.
void show_corner(const Pair& pair, Proximity& d) {
  thread_local ManifoldScratch scratch;
  thread_local KissingManifold manifold;
  kissing_manifold(pair.A, pair.B, pair.X_AB, d, {}, scratch, manifold);
  if (manifold.points.empty()) return;
  const Vec3& corner = manifold.points.front();
  const std::uint64_t id = manifold.ids.front();
  d.p_A = corner - 0.5 * d.distance * d.normal;
  d.p_B = corner + 0.5 * d.distance * d.normal;
  d.a = face_at(*pair.A.polyhedron, unpacked_feature(static_cast<std::int32_t>(id >> 32)), d.p_A);
  d.b = face_at(*pair.B.polyhedron, unpacked_feature(static_cast<std::int32_t>(id & 0xffffffff)),
                pair.X_AB.R.transpose() * (d.p_B - pair.X_AB.p));
}

// The point of a feature nearest to `x`, which is nearly on it.
Vec3 nearest_on(const Polyhedron& p, const Feature& f, const Vec3& x) {
  if (f.kind == FeatureKind::vertex) return p.vertices[at(f.index)];
  if (f.kind == FeatureKind::face) return x - p.height_above(f.index, x) * p.faces[at(f.index)].eta;
  const Segment line{p.vertices[at(p.edges[at(f.index)].tail)], edge_vector(p, f.index)};
  return line.at(parameter_of_nearest(line, x));
}

// Features that miss each other by a little have no points that are the distance apart along the
// normal. Points in the middle have half of the error on each side.
void share_the_error(const Pair& pair, Proximity& d) {
  const Transform& X = pair.X_AB;
  const Vec3 p_B = X.R.transpose() * (d.p_B - X.p);
  const Vec3 shift = 0.5 * (nearest_on(*pair.A.polyhedron, d.a, d.p_A) - d.p_A +
                            X.R * (nearest_on(*pair.B.polyhedron, d.b, p_B) - p_B));
  d.p_A += shift;
  d.p_B += shift;
}

}  // namespace

Proximity slow_and_sure(const Pair& pair, const Proximity& tried) {
  Proximity best = by_separating_axes(pair);
  if (!pair.polyhedra() || points_hold_up(pair, best)) return best;
  Proximity corner = best;
  show_corner(pair, corner);
  double off = points_off(pair, best);
  for (const Proximity& d : {corner, tried}) {
    if (d.a.kind == FeatureKind::none ||
        std::abs(d.distance - best.distance) > kPromiseKept * pair.L ||
        pair.separation(d.normal) < d.distance - kPromiseKept * pair.L ||
        points_off(pair, d) >= off)
      continue;
    best = d;
    off = points_off(pair, d);
  }
  Proximity shared = best;
  share_the_error(pair, shared);
  return points_off(pair, shared) < off ? shared : best;
}

}  // namespace abut::core_parts
