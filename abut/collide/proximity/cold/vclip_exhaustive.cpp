// Closest features by testing every pair: the last resort of V-Clip (K-N4), and slow.
#include <limits>

#include "abut/collide/proximity/cold/vclip_parts.h"

namespace abut::vclip_parts {
namespace {

using enum FeatureKind;

struct Best {
  double distance2 = std::numeric_limits<double>::infinity();
  Feature a, b;
};

// Vertices of Q over faces of P, and above them.
void look_at_faces(const Polyhedron& P, const Polyhedron& Q, const Transform& X_PQ, int p_side,
                   Best& best) {
  for (int v = 0; v < Q.vertex_count(); ++v) {
    const Vec3 point = X_PQ * Q.vertices[v];
    for (int f = 0; f < P.face_count(); ++f) {
      const double height = P.height_above(f, point);
      if (height <= 0 || height * height >= best.distance2) continue;
      bool over = true;
      for (const int k : P.face_edge_ring(f)) {
        const Segment line = line_of(P, k);
        const Polyhedron::Edge& e = P.edges[k];
        const Vec3 into = e.f1 == f ? into_f1(P, e, line.along) : into_f2(P, e, line.along);
        over &= into.dot(point - line.tail) >= 0;
      }
      if (!over) continue;
      best.distance2 = height * height;
      (p_side == 0 ? best.a : best.b) = {face, f};
      (p_side == 0 ? best.b : best.a) = {vertex, v};
    }
  }
}

// An edge, or its end if the point is there.
Feature edge_or_end(const Polyhedron& P, int edge_index, double s) {
  if (s <= 0) return {vertex, P.edges[edge_index].tail};
  if (s >= 1) return {vertex, P.edges[edge_index].head};
  return {edge, edge_index};
}

void look_at_edges(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Best& best) {
  for (int k = 0; k < B.edge_count(); ++k) {
    const Segment f = placed(X_AB, line_of(B, k));
    const Vec3 middle = f.at(0.5);
    const double reach = 0.5 * f.along.norm();
    for (int i = 0; i < A.edge_count(); ++i) {
      const Segment e = line_of(A, i);
      // skip if the balls around the edges are farther apart than the best
      const double apart = (middle - e.at(0.5)).norm() - reach - 0.5 * e.along.norm();
      if (apart > 0 && apart * apart >= best.distance2) continue;
      const SegmentPair q = closest_points(e, f);
      const double d = (q.x - q.y).squaredNorm();
      if (d < best.distance2) best = {d, edge_or_end(A, i, q.s), edge_or_end(B, k, q.t)};
    }
  }
}

}  // namespace

void closest_by_exhaustion(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                           Feature& a, Feature& b) {
  Best best;
  look_at_edges(A, B, X_AB, best);
  look_at_faces(A, B, X_AB, 0, best);
  look_at_faces(B, A, X_AB.inverse(), 1, best);
  a = best.a, b = best.b;
}

}  // namespace abut::vclip_parts
