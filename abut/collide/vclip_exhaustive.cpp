// Closest features by looking at every pair: the last resort of V-Clip (K-N4), and slow.
#include <limits>

#include "abut/collide/vclip_parts.h"

namespace abut::vclip_parts {
namespace {

using enum FeatureKind;

struct Best {
  double distance2 = std::numeric_limits<double>::infinity();
  Vec3 x = Vec3::Zero(), y = Vec3::Zero();  // in A's frame
  Feature a, b;
};

// A vertex of Q over a face of P and above it.
void look_at_faces(const Polyhedron& P, const Polyhedron& Q, const Transform& X_PQ, int p_side,
                   const Transform& X_AP, Best& best) {
  for (int v = 0; v < Q.vertex_count(); ++v) {
    const Vec3 point = X_PQ * Q.vertices[v];
    for (int f = 0; f < P.face_count(); ++f) {
      const double height = P.height_above(f, point);
      if (height <= 0 || height * height >= best.distance2) continue;
      bool over = true;
      for (const int k : P.face_edge_ring(f)) {
        const Line line = line_of(P, k);
        const Polyhedron::Edge& e = P.edges[k];
        const Vec3 into = e.f1 == f ? into_f1(P, e, line.along) : into_f2(P, e, line.along);
        over &= into.dot(point - line.tail) >= 0;
      }
      if (!over) continue;
      best.distance2 = height * height;
      const Vec3 foot = X_AP * Vec3(point - height * P.faces[f].eta), top = X_AP * point;
      best.x = p_side == 0 ? foot : top;
      best.y = p_side == 0 ? top : foot;
      (p_side == 0 ? best.a : best.b) = {face, f};
      (p_side == 0 ? best.b : best.a) = {vertex, v};
    }
  }
}

// An edge, or the end of it that the point is at.
Feature edge_or_end(const Polyhedron& P, int edge_index, double s) {
  if (s <= 0) return {vertex, P.edges[edge_index].tail};
  if (s >= 1) return {vertex, P.edges[edge_index].head};
  return {edge, edge_index};
}

void look_at_edges(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Best& best) {
  for (int k = 0; k < B.edge_count(); ++k) {
    const Line f = placed(X_AB, line_of(B, k));
    const Vec3 middle = f.at(0.5);
    const double reach = 0.5 * f.along.norm();
    for (int i = 0; i < A.edge_count(); ++i) {
      const Line e = line_of(A, i);
      // two balls around the edges that are farther apart than what is known
      const double apart = (middle - e.at(0.5)).norm() - reach - 0.5 * e.along.norm();
      if (apart > 0 && apart * apart >= best.distance2) continue;
      const SegmentPair q = closest_points(e, f);
      const double d = (q.x - q.y).squaredNorm();
      if (d < best.distance2) best = {d, q.x, q.y, edge_or_end(A, i, q.s), edge_or_end(B, k, q.t)};
    }
  }
}

}  // namespace

bool closest_by_exhaustion(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                           Feature& a, Feature& b) {
  Best best;
  look_at_edges(A, B, X_AB, best);
  look_at_faces(A, B, X_AB, 0, Transform(), best);
  look_at_faces(B, A, X_AB.inverse(), 1, X_AB, best);
  a = best.a, b = best.b;

  // Of solids that overlap the nearest pair of the surfaces does not part them.
  const double distance = std::sqrt(best.distance2);
  if (distance <= 8 * rounding(A, B, X_AB)) return false;
  const Vec3 n = (best.y - best.x) / distance;
  const Vec3 n_B = X_AB.R.transpose() * n;
  const double top_A = n.dot(A.vertices[support_brute_force(A, n)]);
  const double low_B = n.dot(X_AB * B.vertices[support_brute_force(B, -n_B)]);
  const double L = A.size + B.size;
  // what faces that are not quite flat, and rounding of a short normal, may hide
  const double slack = 1e-9 * L + L * rounding(A, B, X_AB) / distance;
  return low_B - top_A > std::max(distance - slack, -distance);
}

}  // namespace abut::vclip_parts
