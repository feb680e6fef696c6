#include "abut/collide/face_witness.h"

#include <algorithm>
#include <limits>

namespace abut {
namespace {

// Inward unit normal, in the face's plane, of the edge that leaves corner k of its loop.
Vec3 inward(const Polyhedron& p, int face, std::span<const int> loop, std::size_t k) {
  const Vec3 along = p.vertices[loop[(k + 1) % loop.size()]] - p.vertices[loop[k]];
  return p.faces[face].eta.cross(along).normalized();
}

// The part t0..t1 of a segment above a face; false if there is none.
bool clip_to_face(const Polyhedron& p, int face, const Vec3& x0, const Vec3& x1, double slack,
                  double& t0, double& t1) {
  const auto loop = p.face_loop(face);
  t0 = 0, t1 = 1;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3 in = inward(p, face, loop, k);
    const double d0 = in.dot(x0 - p.vertices[loop[k]]) + slack;
    const double d1 = in.dot(x1 - p.vertices[loop[k]]) + slack;
    if (d0 < 0 && d1 < 0) return false;
    if (d0 < 0) t0 = std::max(t0, d0 / (d0 - d1));
    if (d1 < 0) t1 = std::min(t1, d0 / (d0 - d1));
  }
  return t0 <= t1;
}

}  // namespace

double inside_face(const Polyhedron& p, int face, const Vec3& point) {
  const auto loop = p.face_loop(face);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < loop.size(); ++k)
    least = std::min(least, inward(p, face, loop, k).dot(point - p.vertices[loop[k]]));
  return least;
}

FaceWitness face_witness(const Polyhedron& P, int face, const Polyhedron& Q, const Transform& X_PQ,
                         double L) {
  const double slack = kWitness * L;
  const Vec3& eta = P.faces[face].eta;
  const Vec3 eta_Q = X_PQ.R.transpose() * eta;
  const auto height = [&](int v) { return eta_Q.dot(Q.vertices[v]); };
  int first = 0;
  for (int v = 1; v < Q.vertex_count(); ++v)
    if (height(v) < height(first)) first = v;
  const double lowest = height(first) + slack;
  const auto is_low = [&](int v) { return height(v) <= lowest; };
  const auto onto_plane = [&](const Vec3& x) -> Vec3 { return x - P.height_above(face, x) * eta; };

  for (int v = 0; v < Q.vertex_count(); ++v) {
    if (!is_low(v)) continue;
    const Vec3 x = X_PQ * Q.vertices[v];
    if (inside_face(P, face, x) >= -slack) return {onto_plane(x), {FeatureKind::vertex, v}, true};
  }
  for (int e = 0; e < Q.edge_count(); ++e) {
    if (!is_low(Q.edges[e].tail) || !is_low(Q.edges[e].head)) continue;
    const Vec3 x0 = X_PQ * Q.vertices[Q.edges[e].tail], x1 = X_PQ * Q.vertices[Q.edges[e].head];
    double t0, t1;
    if (clip_to_face(P, face, x0, x1, slack, t0, t1))
      return {onto_plane(x0 + 0.5 * (t0 + t1) * (x1 - x0)), {FeatureKind::edge, e}, true};
  }
  for (int f = 0; f < Q.face_count(); ++f) {
    if (!std::ranges::all_of(Q.face_loop(f), is_low)) continue;
    const Vec3& corner = P.vertices[P.face_loop(face)[0]];
    if (inside_face(Q, f, X_PQ.inverse() * corner) >= -slack)
      return {onto_plane(corner), {FeatureKind::face, f}, true};
  }
  return {onto_plane(X_PQ * Q.vertices[first]), {FeatureKind::vertex, first}, false};
}

}  // namespace abut
