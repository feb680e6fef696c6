#include "abut/collide/proximity/warm/difference_face.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/proximity/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// Of the two faces at an edge, the one towards `direction`.
int face_towards(const Polyhedron& p, int e, const Vec3& direction) {
  const Polyhedron::Edge& edge = p.edges[at(e)];
  const Vec3 turn = p.faces[at(edge.f1)].eta - p.faces[at(edge.f2)].eta;
  return turn.dot(direction) > 0 ? edge.f1 : edge.f2;
}

// The edge between two vertices; -1: none.
int edge_between(const Polyhedron& p, int u, int v) {
  const std::span<const int> near = p.neighbours(u);
  for (std::size_t k = 0; k < near.size(); ++k)
    if (near[k] == v) return p.edges_around(u)[k];
  return -1;
}

// The end of a rotation of the normal n towards t (perpendicular unit vectors): the tangent of the
// angle at which another vertex becomes the farthest, and the edge to that vertex.
struct Turn {
  double tangent = std::numeric_limits<double>::infinity();
  int edge = -1;

  // A neighbouring vertex that is lower by `below` along n and higher by `beyond` along t: it is as
  // high once tan = below / beyond.
  void meet(double below, double beyond, int e) {
    if (beyond > 0 && below < tangent * beyond) {
      tangent = std::max(0.0, below / beyond);
      edge = e;
    }
  }
};

}  // namespace

bool difference_face(const PolyhedronPair& pair, const Feature& a, const Feature& b,
                     const Vec3& near, DifferenceFace& face) {
  const Polyhedron &P = *pair.A.polyhedron, &Q = *pair.B.polyhedron;
  const Transform& X = pair.X_AB;
  face.a = a;
  face.b = b;
  if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge) {
    const Polyhedron::Edge &e = P.edges[at(a.index)], &f = Q.edges[at(b.index)];
    const Vec3 p0 = P.vertices[at(e.tail)], p1 = P.vertices[at(e.head)];
    const Vec3 q0 = X * Q.vertices[at(f.tail)], q1 = X * Q.vertices[at(f.head)];
    const Vec3 u = p1 - p0, v = q1 - q0, cross = v.cross(u);
    const double squared = cross.squaredNorm();
    if (!(squared >
          kParallelDifferenceEdges * kParallelDifferenceEdges * u.squaredNorm() * v.squaredNorm()))
      return false;
    // along e, then backwards along f, is a left turn around v x u
    const bool left = cross.dot(near) > 0;
    face.normal = cross * ((left ? 1 : -1) / std::sqrt(squared));
    face.count = 4;
    face.corner[0] = {p0 - q0, e.tail, f.tail};
    face.corner[2] = {p1 - q1, e.head, f.head};
    face.corner[left ? 1 : 3] = {p1 - q0, e.head, f.tail};
    face.corner[left ? 3 : 1] = {p0 - q1, e.tail, f.head};
  } else if (a.kind == FeatureKind::face && b.kind == FeatureKind::vertex) {
    const std::span<const int> loop = P.face_loop(a.index);
    if (loop.size() > DifferenceFace::kMostCorners) return false;
    const Vec3 q = X * Q.vertices[at(b.index)];
    face.normal = P.faces[at(a.index)].eta;
    face.count = static_cast<int>(loop.size());
    for (std::size_t k = 0; k < loop.size(); ++k)
      face.corner[k] = {P.vertices[at(loop[k])] - q, loop[k], b.index};
  } else if (a.kind == FeatureKind::vertex && b.kind == FeatureKind::face) {
    const std::span<const int> loop = Q.face_loop(b.index);
    if (loop.size() > DifferenceFace::kMostCorners) return false;
    const Vec3& p = P.vertices[at(a.index)];
    face.normal = -(X.R * Q.faces[at(b.index)].eta);
    face.count = static_cast<int>(loop.size());
    // mirrored at a point and seen from the other side: the order is reversed
    for (std::size_t k = 0; k < loop.size(); ++k)
      face.corner[loop.size() - 1 - k] = {p - X * Q.vertices[at(loop[k])], a.index, loop[k]};
  } else {
    return false;
  }
  face.distance = face.normal.dot(face.corner[0].v);
  return true;
}

bool neighbour(const PolyhedronPair& pair, const DifferenceFace& face, int k,
               DifferenceFace& next) {
  const Polyhedron &P = *pair.A.polyhedron, &Q = *pair.B.polyhedron;
  const Mat3& R = pair.X_AB.R;
  const DifferenceFace::Corner &from = face.corner[at(k)], &to = face.next(k);
  const Vec3 &n = face.normal, t = face.outward(k);
  const bool of_a = from.b == to.b;  // the edge is an edge of A, with a vertex of B
  if (!of_a && from.a != to.a) return false;
  const Polyhedron &owner = of_a ? P : Q, &other = of_a ? Q : P;
  const int e = of_a ? edge_between(P, from.a, to.a) : edge_between(Q, from.b, to.b);
  if (e < 0) return false;
  const int v = of_a ? from.b : from.a;
  // directions in the frame and with the sign of the solid that is asked
  const auto to_owner = [&](const Vec3& d) { return of_a ? d : Vec3(-(R.transpose() * d)); };
  const auto to_other = [&](const Vec3& d) { return of_a ? Vec3(-(R.transpose() * d)) : d; };

  const int f = face_towards(owner, e, to_owner(t));
  const Vec3& eta = owner.faces[at(f)].eta;
  Turn turn;
  const double across = eta.dot(to_owner(n)), along = eta.dot(to_owner(t));
  if (across > 0) turn.tangent = std::max(0.0, along / across);
  // the other solid's edge that this face is made of does not end the rotation
  const Feature& has = of_a ? face.b : face.a;
  const Vec3 n_other = to_other(n), t_other = to_other(t);
  const std::span<const int> edges = other.edges_around(v);
  const std::span<const Vec3> spokes = other.spokes_of(v);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (has.kind == FeatureKind::edge && has.index == edges[i]) continue;
    turn.meet(-spokes[i].dot(n_other), spokes[i].dot(t_other), edges[i]);
  }
  if (!(turn.tangent < std::numeric_limits<double>::infinity())) return false;
  const Feature of_owner =
      turn.edge < 0 ? Feature{FeatureKind::face, f} : Feature{FeatureKind::edge, e};
  const Feature of_other =
      turn.edge < 0 ? Feature{FeatureKind::vertex, v} : Feature{FeatureKind::edge, turn.edge};
  return difference_face(pair, of_a ? of_owner : of_other, of_a ? of_other : of_owner,
                         n + turn.tangent * t, next);
}

}  // namespace abut
