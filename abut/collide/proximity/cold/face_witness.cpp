#include "abut/collide/proximity/cold/face_witness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "abut/collide/proximity/tolerances.h"

namespace abut {
namespace {

// The part t0..t1 of a segment above a face; false if there is none.
bool clip_to_face(const Polyhedron& p, int face, const Vec3& x0, const Vec3& x1, double slack,
                  double& t0, double& t1) {
  t0 = 0, t1 = 1;
  for (const Polyhedron::Border& border : p.face_borders(face)) {
    const double d0 = border.inward.dot(x0 - p.center) - border.offset + slack;
    const double d1 = border.inward.dot(x1 - p.center) - border.offset + slack;
    if (d0 < 0 && d1 < 0) return false;
    if (d0 < 0) t0 = std::max(t0, d0 / (d0 - d1));
    if (d1 < 0) t1 = std::min(t1, d0 / (d0 - d1));
  }
  return t0 <= t1;
}

}  // namespace

FaceWitness face_witness(const Polyhedron& P, int face, const Polyhedron& Q, const Transform& X_PQ,
                         double L, int lowest) {
  const double slack = kWitness * L;
  const Vec3& eta = P.faces[face].eta;
  const Vec3 eta_Q = X_PQ.R.transpose() * eta;
  const auto height = [&](int v) { return eta_Q.dot(Q.vertices[v]); };
  if (lowest < 0) {
    lowest = 0;
    for (int v = 1; v < Q.vertex_count(); ++v)
      if (height(v) < height(lowest)) lowest = v;
  }
  const double ceiling = height(lowest) + slack;
  const auto is_low = [&](int v) { return height(v) <= ceiling; };
  const auto onto_plane = [&](const Vec3& x) -> Vec3 { return x - P.height_above(face, x) * eta; };

  // the first vertex there is; the low vertices of a convex solid are neighbours
  thread_local std::vector<int> low;
  low.assign(1, lowest);
  for (std::size_t k = 0; k < low.size(); ++k)
    for (const int v : Q.neighbours(low[k]))
      if (is_low(v) && std::find(low.begin(), low.end(), v) == low.end()) low.push_back(v);
  if (low.size() > 1) std::sort(low.begin(), low.end());
  for (const int v : low) {
    const Vec3 x = X_PQ * Q.vertices[v];
    if (inside_face(P, face, x) >= -slack) return {onto_plane(x), {FeatureKind::vertex, v}, true};
  }
  for (const int v : low)
    for (const int e : Q.edges_around(v)) {
      if (Q.edges[e].tail != v || !is_low(Q.edges[e].head)) continue;
      const Vec3 x0 = X_PQ * Q.vertices[v], x1 = X_PQ * Q.vertices[Q.edges[e].head];
      double t0, t1;
      if (clip_to_face(P, face, x0, x1, slack, t0, t1))
        return {onto_plane(x0 + 0.5 * (t0 + t1) * (x1 - x0)), {FeatureKind::edge, e}, true};
    }
  const Vec3& corner = P.vertices[P.face_loop(face)[0]];
  for (const int v : low)
    for (const int f : Q.faces_around(v))
      if (std::ranges::all_of(Q.face_loop(f), is_low) &&
          inside_face(Q, f, X_PQ.inverse() * corner) >= -slack)
        return {onto_plane(corner), {FeatureKind::face, f}, true};
  return {onto_plane(X_PQ * Q.vertices[lowest]), {FeatureKind::vertex, lowest}, false};
}

FaceWitness face_witness(const Polyhedron& P, int face, std::span<const Vec3> core, double L) {
  const double slack = kWitness * L;
  const Vec3& eta = P.faces[face].eta;
  const auto onto_plane = [&](const Vec3& x) -> Vec3 { return x - P.height_above(face, x) * eta; };
  Vec3 lowest = core[0];
  for (const Vec3& x : core)
    if (P.height_above(face, x) < P.height_above(face, lowest)) lowest = x;
  for (const Vec3& x : core)
    if (eta.dot(x - lowest) <= slack && inside_face(P, face, x) >= -slack)
      return {onto_plane(x), {}, true};
  double t0, t1;
  if (core.size() == 2 && std::abs(eta.dot(core[1] - core[0])) <= slack &&
      clip_to_face(P, face, core[0], core[1], slack, t0, t1))
    return {onto_plane(core[0] + 0.5 * (t0 + t1) * (core[1] - core[0])), {}, true};
  return {onto_plane(lowest), {}, false};
}

}  // namespace abut
