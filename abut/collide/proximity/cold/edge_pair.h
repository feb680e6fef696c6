// Two edges that face each other: one test for both the separating-axis method and PEG (K-N2, P-E3,
// P-E4; Williams, Lu and Trinkle, eq. 4 and 7; Cheng Yi and Drumwright, IV-C).
//
// On the sphere of directions an edge is the arc between the normals of its two faces. Edges e_a,
// e_b make a face of the Minkowski difference, and so a possible separating axis, where the arc of
// e_a crosses the arc of e_b mirrored at the centre. With eta1 x eta2 along e (polyhedron.h), the
// four triple products of the crossing test are, up to positive factors, the four dot products in
// EdgeSides. These stay exact where the face normals are nearly parallel and their cross product is
// noise. The t-vectors of eq. 4 give the same four numbers: -n.t_a1 = s (e_b.eta_a1) |e_a| / |e_a x
// e_b|, and so on.
//
// Everything is in A's frame; edge_arc() transforms an edge of B to it.
//
//   abut::EdgePair p = abut::edge_pair(edge_arc(A, i), edge_arc(B, j, X_AB));
//   if (p.applicability >= -eps_theta) use(p.normal, p.gap);
#pragma once

#include <algorithm>
#include <cmath>

#include "abut/collide/proximity/tolerances.h"
#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut {

struct EdgeArc {
  Vec3 tail;        // m
  Vec3 direction;   // head - tail, of any length
  Vec3 eta1, eta2;  // outward unit normals of f1 and f2
};

inline EdgeArc edge_arc(const Polyhedron& p, int e) {
  const Polyhedron::Edge& edge = p.edges[e];
  return {p.vertices[edge.tail], p.vertices[edge.head] - p.vertices[edge.tail],
          p.faces[edge.f1].eta, p.faces[edge.f2].eta};
}
inline EdgeArc edge_arc(const Polyhedron& p, int e, const Transform& X) {
  const EdgeArc local = edge_arc(p, e);
  return {X * local.tail, X.R * local.direction, X.R * local.eta1, X.R * local.eta2};
}

// On which side of each edge's great circle the ends of the other arc lie.
struct EdgeSides {
  double a1, a2;  // e_b . eta_a1, e_b . eta_a2
  double b1, b2;  // e_a . eta_b1, e_a . eta_b2
};

inline EdgeSides edge_sides(const EdgeArc& a, const EdgeArc& b) {
  return {b.direction.dot(a.eta1), b.direction.dot(a.eta2), a.direction.dot(b.eta1),
          a.direction.dot(b.eta2)};
}

// The arcs cross (K-N2): each passes through the other's circle, on the same half of the sphere.
// The normal from A to B is then e_a x e_b if a1 > 0, else e_b x e_a.
inline bool arcs_cross(const EdgeSides& s) {
  // no short-circuit evaluation: the branches would be unpredictable
  return (s.b1 * s.b2 < 0) & (s.a1 * s.b1 > 0) & (s.a1 * s.a2 < 0);
}

struct EdgePair {
  Vec3 normal = Vec3::Zero();  // unit, from A to B; 0 if the edges are parallel
  double gap = 0;              // psi (m): from A's line to B's along the normal
  double sine = 0;             // of the angle between the edges
  // min(-n.t_a1, -n.t_a2, n.t_b1, n.t_b2) with unit t (P-E3): >= 0 where the arcs cross
  // or touch, the sine of how far they miss each other where not. -1 if the edges are
  // parallel or turned away from each other.
  double applicability = -1;
};

inline EdgePair edge_pair(const EdgeArc& a, const EdgeArc& b) {
  EdgePair pair;
  const Vec3 cross = a.direction.cross(b.direction);
  const double length = cross.norm(), la = a.direction.norm(), lb = b.direction.norm();
  pair.sine = length / (la * lb);
  if (!(pair.sine >= kParallelEdges)) return pair;

  // into B's wedge and out of A's (P-E4). If the two disagree, the edges face away from each other,
  // and the larger decides, whichever solid it belongs to
  const double out_of_a = cross.dot(a.eta1 + a.eta2), into_b = -cross.dot(b.eta1 + b.eta2);
  const double s = out_of_a + into_b > 0 ? 1 : -1;
  pair.normal = s / length * cross;
  pair.gap = pair.normal.dot(b.tail - a.tail);
  if (!(s * out_of_a > 0 && s * into_b > 0)) return pair;

  const EdgeSides sides = edge_sides(a, b);
  pair.applicability =
      s / length *
      (s > 0 ? std::min(la * std::min(sides.a1, -sides.a2), lb * std::min(sides.b1, -sides.b2))
             : std::max(la * std::max(sides.a1, -sides.a2), lb * std::max(sides.b1, -sides.b2)));
  return pair;
}

// Where two lines are closest: at a.tail + ta * a.direction and b.tail + tb * b.direction. Not for
// parallel lines.
struct LineParameters {
  double ta, tb;
};
inline LineParameters closest_on_lines(const EdgeArc& a, const EdgeArc& b) {
  const Vec3 cross = a.direction.cross(b.direction), between = b.tail - a.tail;
  const double scale = 1 / cross.squaredNorm();
  return {between.cross(b.direction).dot(cross) * scale,
          between.cross(a.direction).dot(cross) * scale};
}

}  // namespace abut
