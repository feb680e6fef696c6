#include <algorithm>
#include <cmath>

#include "abut/collide/proximity/cold/core_parts.h"
#include "abut/collide/proximity/cold/edge_pair.h"
#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut::core_parts {
namespace {

// Whether the exact normal of the features is the normal that the polytope has certified. Then the
// polytope's own vertices are the farthest, to 1e-13 L, and need no new search.
bool is_certified(const Vec3& exact, const Vec3& near) {
  return (exact - near).squaredNorm() < kCertifiedNormal2;
}

// The farthest of some vertices of a solid along a direction.
int farthest_of(const SupportMap& m, const VertexSet& set, const Vec3& direction) {
  int best = set.vertex[0];
  double most = direction.dot(m.vertex(best));
  for (int i = 1; i < set.count; ++i) {
    const double h = direction.dot(m.vertex(set.vertex[at(i)]));
    if (h > most) {
      most = h;
      best = set.vertex[at(i)];
    }
  }
  return best;
}

}  // namespace

Reference on_face(const Pair& pair, bool of_a, int face, const VertexSet* others) {
  const Convex &owner = of_a ? pair.A : pair.B, &other = of_a ? pair.B : pair.A;
  const Polyhedron::Face& f = owner.polyhedron->faces[at(face)];
  const SupportMap& deep = *other.support;
  Reference r;
  (of_a ? r.a : r.b) = {FeatureKind::face, face};
  r.normal = of_a ? f.eta : Vec3(-(pair.X_AB.R * f.eta));
  const Vec3 down = of_a ? Vec3(-(pair.X_AB.R.transpose() * f.eta)) : r.normal;
  r.lowest = others ? farthest_of(deep, *others, down) : deep.farthest(down);
  r.distance = (of_a ? f.eta.dot(pair.X_AB.p) : r.normal.dot(pair.X_AB.p)) - f.offset -
               down.dot(deep.vertex(r.lowest));
  return r;
}

namespace {

// Tries the face of one solid that contains the vertices `set` and has the normal `near`; `others`
// are the vertices of the other solid.
void try_face(const Pair& pair, bool of_a, const VertexSet& set, const VertexSet& others,
              const Vec3& near, Reference& best) {
  const Convex& owner = of_a ? pair.A : pair.B;
  if (!owner.polyhedron || set.count < 2) return;
  const Polyhedron& p = *owner.polyhedron;
  const Vec3 outward = of_a ? near : Vec3(-(pair.X_AB.R.transpose() * near));
  int face = -1;
  double aligned = 1 - kAligned;
  for (const int f : p.faces_around(set.vertex[0])) {
    const double c = p.faces[at(f)].eta.dot(outward);
    if (c > aligned && has_face(p, set.vertex[1], f)) {
      aligned = c;
      face = f;
    }
  }
  if (face < 0) return;

  const bool certified = is_certified(
      of_a ? p.faces[at(face)].eta : Vec3(-(pair.X_AB.R * p.faces[at(face)].eta)), near);
  const Reference r = on_face(pair, of_a, face, certified ? &others : nullptr);
  if (r.distance > best.distance) best = r;
}

// The point of a face of P above the deepest feature of the other solid Q, and that feature.
FaceWitness witness(const Convex& P, int face, const Convex& Q, const Transform& X_PQ, int lowest,
                    double L) {
  if (Q.polyhedron) return face_witness(*P.polyhedron, face, *Q.polyhedron, X_PQ, L, lowest);
  std::array<Vec3, 2> core;
  const int count = Q.support->vertex_count();
  for (int i = 0; i < count; ++i) core[at(i)] = X_PQ * Q.support->vertex(i);
  FaceWitness w = face_witness(*P.polyhedron, face, std::span(core.data(), at(count)), L);
  w.other = {FeatureKind::surface, 0};
  return w;
}

}  // namespace

bool show(const Pair& pair, const Reference& best, Proximity& d) {
  d.distance = best.distance;
  d.normal = best.normal;
  if (best.a.kind == FeatureKind::face) {
    const FaceWitness w = witness(pair.A, best.a.index, pair.B, pair.X_AB, best.lowest, pair.L);
    d.a = best.a;
    d.b = w.other;
    d.p_A = w.on_face;
    d.p_B = d.p_A + d.distance * d.normal;
    return w.inside;
  }
  if (best.b.kind == FeatureKind::face) {
    const FaceWitness w =
        witness(pair.B, best.b.index, pair.A, pair.X_AB.inverse(), best.lowest, pair.L);
    d.a = w.other;
    d.b = best.b;
    d.p_B = pair.X_AB * w.on_face;
    d.p_A = d.p_B - d.distance * d.normal;
    return w.inside;
  }
  const EdgeArc a = edge_arc(*pair.A.polyhedron, best.a.index);
  const EdgeArc b = edge_arc(*pair.B.polyhedron, best.b.index, pair.X_AB);
  const LineParameters t = closest_on_lines(a, b);
  d.a = best.a;
  d.b = best.b;
  d.p_A = a.tail + std::clamp(t.ta, 0.0, 1.0) * a.direction;
  d.p_B = d.p_A + d.distance * d.normal;
  const double beyond = kWitness * pair.L;
  return std::abs(t.ta - 0.5) * a.direction.norm() < 0.5 * a.direction.norm() + beyond &&
         std::abs(t.tb - 0.5) * b.direction.norm() < 0.5 * b.direction.norm() + beyond;
}

void show_triangle(const Pair& pair, const std::array<DifferenceVertex, 3>& t,
                   const Reference& best, Proximity& d) {
  std::array<double, 3> weight{};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &q = t[at((i + 1) % 3)].w, &r = t[at((i + 2) % 3)].w;
    sum += weight[at(i)] = std::max(0.0, best.normal.dot(r.cross(q)));
  }
  if (!(sum > 0)) weight[0] = sum = 1;
  d.distance = best.distance;
  d.normal = best.normal;
  for (int i = 0; i < 3; ++i) d.p_A += weight[at(i)] / sum * pair.A.support->vertex(t[at(i)].a);
  d.p_B = d.p_A + d.distance * d.normal;
  VertexSet of_a, of_b;
  for (const DifferenceVertex& v : t) of_a.add(v.a), of_b.add(v.b);
  d.a = spanned(pair.A, of_a);
  d.b = spanned(pair.B, of_b);
}

namespace {

// Returns false if the nearest face of the polytope is not a face of the difference.
bool overlapping(const Pair& pair, const Expansion& e, Proximity& d) {
  const std::array<DifferenceVertex, 3> t = e.nearest_vertices();
  const Vec3 near = e.nearest_normal();
  VertexSet of_a, of_b;
  for (const DifferenceVertex& v : t) {
    if (v.a < 0) return false;  // the interior point that the polytope started from
    of_a.add(v.a);
    of_b.add(v.b);
  }
  Reference best, other;
  try_face(pair, true, of_a, of_b, near, best);
  try_face(pair, false, of_b, of_a, near, other);
  if (other.distance > best.distance) std::swap(best, other);
  if (of_a.count == 2 && of_b.count == 2) {
    const Feature a = spanned(pair.A, of_a), b = spanned(pair.B, of_b);
    const bool edges = a.kind == FeatureKind::edge && b.kind == FeatureKind::edge;
    if (Vec3 n; edges && pair.normal_of(a, b, near, n)) {
      const double distance = is_certified(n, near)
                                  ? std::min({n.dot(t[0].w), n.dot(t[1].w), n.dot(t[2].w)})
                                  : pair.separation(n);
      // a face that is as good is the better reference (K-N2)
      if (distance > best.distance + kFaceBias * pair.L) best = {a, b, n, distance, -1};
    }
  }
  if (!(pair.A.polyhedron && pair.B.polyhedron) &&
      -e.nearest_height() > best.distance + kFaceBias * pair.L) {
    show_triangle(pair, t, {{}, {}, near, -e.nearest_height(), -1}, d);
    return true;
  }
  // the exact depth must be as small as the polytope's
  if (!(best.distance >= -e.nearest_height() - kPromiseKept * pair.L)) return false;
  if (show(pair, best, d)) return true;
  return other.distance > best.distance - kPromiseKept * pair.L && show(pair, other, d);
}

}  // namespace

bool surely_overlapping(const Pair& pair, const Expansion& e, Proximity& d) {
  if (!overlapping(pair, e, d)) return false;
  return !pair.polyhedra() || points_hold_up(pair, d);
}

}  // namespace abut::core_parts
