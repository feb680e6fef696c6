#include <algorithm>
#include <cmath>

#include "abut/collide/proximity/cold/core_counts.h"
#include "abut/collide/proximity/cold/core_parts.h"
#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/cold/parallel_edges.h"
#include "abut/collide/proximity/cold/vclip.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut::core_parts {

bool has_face(const Polyhedron& p, int vertex, int face) {
  const std::span<const int> faces = p.faces_around(vertex);
  return std::find(faces.begin(), faces.end(), face) != faces.end();
}

namespace {

// A face that contains all these vertices; -1: none.
int common_face(const Polyhedron& p, const VertexSet& set) {
  for (const int f : p.faces_around(set.vertex[0])) {
    bool all = true;
    for (int i = 1; i < set.count && all; ++i) all = has_face(p, set.vertex[at(i)], f);
    if (all) return f;
  }
  return -1;
}

// The edge between two vertices; -1: none.
int common_edge(const Polyhedron& p, int u, int v) {
  const std::span<const int> near = p.neighbours(u);
  for (std::size_t k = 0; k < near.size(); ++k)
    if (near[k] == v) return p.edges_around(u)[k];
  return -1;
}

}  // namespace

Feature spanned(const Convex& c, const VertexSet& set) {
  if (!c.polyhedron) return {FeatureKind::surface, 0};
  if (set.count == 1) return {FeatureKind::vertex, set.vertex[0]};
  if (set.count == 2) {
    const int e = common_edge(*c.polyhedron, set.vertex[0], set.vertex[1]);
    if (e >= 0) return {FeatureKind::edge, e};
  }
  const int f = common_face(*c.polyhedron, set);
  if (f >= 0) return {FeatureKind::face, f};
  return {FeatureKind::vertex, set.vertex[0]};
}

namespace {

Proximity apart(const Pair& pair, const GjkAnswer& g) {
  const Simplex& s = g.simplex;
  VertexSet of_a, of_b;
  for (int i = 0; i < s.count; ++i) {
    of_a.add(s.vertex[at(i)].a);
    of_b.add(s.vertex[at(i)].b);
  }
  Proximity d;
  d.a = spanned(pair.A, of_a);
  d.b = spanned(pair.B, of_b);

  // GJK's vector without its component along the simplex, which is rounding
  Vec3 n = g.v;
  if (s.count == 2) {
    const Vec3 e = s.vertex[1].w - s.vertex[0].w;
    n -= e * (n.dot(e) / e.squaredNorm());
  }
  n.normalize();
  // the exact normal of the features, if GJK's vector is close to it
  Vec3 exact;
  if (s.count == 3 && pair.normal_of(d.a, d.b, n, exact) && exact.dot(n) > 1 - kAligned) {
    const double h0 = exact.dot(s.vertex[0].w), h1 = exact.dot(s.vertex[1].w),
                 h2 = exact.dot(s.vertex[2].w);
    if (std::max({h0, h1, h2}) - std::min({h0, h1, h2}) < kLevelSimplex * pair.L) n = exact;
  }

  d.normal = n;
  for (int i = 0; i < s.count; ++i)
    d.p_A += s.weight[at(i)] * pair.A.support->vertex(s.vertex[at(i)].a);
  // the vertex nearest along n; on a face the others differ by rounding only
  double distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i < s.count; ++i) distance = std::min(distance, n.dot(s.vertex[at(i)].w));
  d.distance = s.count == 1 ? g.v.norm() : distance;
  d.p_B = d.p_A + d.distance * n;
  return d;
}

// Distance of a point from a feature (m).
double distance_from(const Polyhedron& p, const Feature& f, const Vec3& point) {
  if (f.kind == FeatureKind::vertex) return (p.vertices[at(f.index)] - point).norm();
  if (f.kind == FeatureKind::face)
    return std::max(std::abs(p.height_above(f.index, point)), -inside_face(p, f.index, point));
  const Vec3& tail = p.vertices[at(p.edges[at(f.index)].tail)];
  const Vec3 along = edge_vector(p, f.index);
  const double t = std::clamp(along.dot(point - tail) / along.squaredNorm(), 0.0, 1.0);
  return (tail + t * along - point).norm();
}

// Whether the witness points lie on their features, and the normal separates the solids by no less
// than the distance.
bool holds_up(const Pair& pair, const Proximity& d) {
  return pair.separation(d.normal) > d.distance - kHoldsUp * pair.L && points_hold_up(pair, d);
}

}  // namespace

double points_off(const Pair& pair, const Proximity& d) {
  const Vec3 p_B = pair.X_AB.R.transpose() * (d.p_B - pair.X_AB.p);
  return std::max({(d.p_A + d.distance * d.normal - d.p_B).norm(),
                   distance_from(*pair.A.polyhedron, d.a, d.p_A),
                   distance_from(*pair.B.polyhedron, d.b, p_B)});
}

bool points_hold_up(const Pair& pair, const Proximity& d) {
  return points_off(pair, d) < kHoldsUp * pair.L;
}

bool surely_apart(const Pair& pair, const GjkAnswer& g, Proximity& d) {
  d = apart(pair, g);
  if (!pair.polyhedra() || (d.distance > kSecondLook * pair.L && g.converged)) return true;
  ++core_counts().polished;
  const VClipAnswer v = vclip(*pair.A.polyhedron, *pair.B.polyhedron, pair.X_AB, d.a, d.b);
  if (v.status == VClipStatus::disjoint) d = v.proximity;
  return v.status != VClipStatus::overlapping &&
         (d.distance > kSecondLook * pair.L || holds_up(pair, d));
}

bool apart_by_walk(const Pair& pair, const Feature& a, const Feature& b, Proximity& d) {
  const VClipAnswer v = vclip_walk(*pair.A.polyhedron, *pair.B.polyhedron, pair.X_AB, a, b, false);
  d = v.proximity;
  name_parallel_edges(*pair.A.polyhedron, *pair.B.polyhedron, pair.X_AB, d);
  return v.status == VClipStatus::disjoint && d.distance > kSecondLook * pair.L &&
         holds_up(pair, d);
}

}  // namespace abut::core_parts
