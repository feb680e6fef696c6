// Shared by the tests of patches: pairs of solids with their patch, and the patch once
// more by looking at every vertex and every pair of edges.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "abut/collide/patch/patch.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "support/exact_proximity.h"
#include "support/random_worlds.h"

namespace abut::test {

inline Quat turned(double angle, const Vec3& axis) {
  return Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}
inline Pose at(double x, double y, double z, const Quat& q = Quat::Identity()) {
  return {{x, y, z}, q};
}

// What lies highest along `direction` (in its frame): a vertex, an edge or a face.
inline Feature highest(const Polyhedron& p, const Vec3& direction) {
  const double top = p.vertices[support_brute_force(p, direction)].dot(direction);
  const auto is_top = [&](int v) { return p.vertices[v].dot(direction) > top - 1e-10 * p.size; };
  for (int f = 0; f < p.face_count(); ++f)
    if (std::all_of(p.face_loop(f).begin(), p.face_loop(f).end(), is_top))
      return {FeatureKind::face, f};
  for (int e = 0; e < p.edge_count(); ++e)
    if (is_top(p.edges[e].tail) && is_top(p.edges[e].head)) return {FeatureKind::edge, e};
  return {FeatureKind::vertex, support_brute_force(p, direction)};
}

// The proximity of two polyhedra, from the referee. Of the witnesses it only knows that
// they are among the highest features, and gives a vertex of A's: a patch is not to depend
// on where in the touching region its origin is.
inline Proximity exact_answer(const Convex& A, const Pose& X_WA, const Convex& B,
                              const Pose& X_WB) {
  const Polyhedron &a = *A.polyhedron, &b = *B.polyhedron;
  const Transform X_AB = relative(X_WA, X_WB);
  Exact e = exact_proximity(a, b, X_AB);
  // the difference of two points that are one to rounding has no direction
  if (std::abs(e.distance()) < 1e-9 * pair_size(A, B))
    e = exact::overlapping(a, b, X_AB, exact::Pair(a, b, X_AB), e.normal);
  Proximity d;
  d.distance = e.distance();
  d.normal = e.normal;
  d.a = highest(a, d.normal);
  d.b = highest(b, X_AB.R.transpose() * -d.normal);
  d.p_A = a.vertices[support_brute_force(a, d.normal)];
  d.p_B = d.p_A + d.distance * d.normal;
  return placed(d, X_WA);
}

// Two solids somewhere.
struct PatchPair {
  const Convex *A, *B;
  Pose X_WA, X_WB;

  PatchPair swapped() const { return {B, A, X_WB, X_WA}; }
  PatchPair moved(const Pose& X) const { return {A, B, X * X_WA, X * X_WB}; }
  double size() const { return pair_size(*A, *B); }
  Proximity proximity() const { return exact_answer(*A, X_WA, *B, X_WB); }
  ContactData patch(const Proximity& d, const PatchOptions& options) const {
    PatchScratch scratch;
    ContactData out;
    append_patch(*A, X_WA, *B, X_WB, d, options, scratch, out);
    return out;
  }
  ContactData patch(double reach) const { return patch(proximity(), {.reach = reach}); }
};

inline std::set<std::uint64_t> ids(const ContactData& data) {
  return {data.points.id.begin(), data.points.id.end()};
}
inline std::uint64_t mirrored(std::uint64_t id) { return id << 32 | id >> 32; }
inline std::set<std::uint64_t> mirrored(const std::set<std::uint64_t>& ids) {
  std::set<std::uint64_t> out;
  for (const std::uint64_t id : ids) out.insert(mirrored(id));
  return out;
}
inline Feature feature_a(std::uint64_t id) {
  return unpacked_feature(static_cast<std::int32_t>(id >> 32));
}
inline Feature feature_b(std::uint64_t id) {
  return unpacked_feature(static_cast<std::int32_t>(id & 0xffffffffu));
}

// How far a point of the world is outside a polyhedron's faces; negative: how deep inside.
inline double outside(const Polyhedron& p, const Pose& X_WP, const Vec3& point_W) {
  const Vec3 x = X_WP.inverse() * point_W;
  double most = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < p.face_count(); ++f) most = std::max(most, p.height_above(f, x));
  return most;
}

// Consistent, on both surfaces, ids unique and in order, none beyond reach, none twice,
// the deepest as deep as the pair.
inline void check_patch(const PatchPair& pair, const Proximity& d, double reach,
                        const ContactData& data) {
  const double L = pair.size(), coordinate = pair.X_WA.p.norm() + pair.X_WB.p.norm();
  const double tolerance = 1e-9 * L + 8e-16 * coordinate;
  ASSERT_EQ(data.patches.size(), 1u);
  const Patch& patch = data.patches[0];
  ASSERT_GE(patch.count(), 1);
  EXPECT_EQ(patch.begin, 0);
  EXPECT_EQ(patch.end, data.points.count());
  EXPECT_EQ(patch.normal, d.normal);
  double deepest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < data.points.psi.size(); ++i) {
    const double psi = data.points.psi[i];
    const Vec3 &a = data.points.p_A[i], &b = data.points.p_B[i];
    deepest = std::min(deepest, psi);
    EXPECT_LE(psi, reach);
    EXPECT_LT((b - a - psi * d.normal).norm(), tolerance);
    if (pair.A->polyhedron) {
      EXPECT_NEAR(outside(*pair.A->polyhedron, pair.X_WA, a), 0, 4 * tolerance);
    }
    if (pair.B->polyhedron) {
      EXPECT_NEAR(outside(*pair.B->polyhedron, pair.X_WB, b), 0, 4 * tolerance);
    }
    if (i > 0) {
      EXPECT_LT(data.points.id[i - 1], data.points.id[i]);
    }
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_GT((a - data.points.p_A[k]).norm(), 0.5e-9 * L) << i << " and " << k;
  }
  EXPECT_NEAR(deepest, d.distance, 20 * tolerance);
}

// A polyhedron by a line through it along `n`: in at `enter`, out at `leave`.
struct Passage {
  double enter, leave;
};
inline Passage pass(const Polyhedron& p, const Vec3& x, const Vec3& n) {
  Passage s{-1e300, 1e300};
  for (int f = 0; f < p.face_count(); ++f) {
    const double slope = p.faces[f].eta.dot(n), height = p.height_above(f, x);
    if (slope > 1e-12) s.leave = std::min(s.leave, -height / slope);
    if (slope < -1e-12) s.enter = std::max(s.enter, -height / slope);
    if (std::abs(slope) <= 1e-12 && height > 0) return {1, 0};
  }
  return s;
}

// True if one of the faces at a feature looks along n well enough for a patch to show it.
inline bool shown(const Polyhedron& p, const Feature& f, const Vec3& n) {
  const auto looks = [&](int face) { return p.faces[face].eta.dot(n) > 1.1 * kSteepestFace; };
  if (f.kind == FeatureKind::face) return looks(f.index);
  if (f.kind == FeatureKind::edge) return looks(p.edges[f.index].f1) || looks(p.edges[f.index].f2);
  for (const int face : p.faces_around(f.index))
    if (looks(face)) return true;
  return false;
}

// The names of all corners of the map of two polyhedra that are surely there: `margin` (m)
// within reach and from where they would be others. Everything is in the world.
inline std::set<std::uint64_t> sure_corners(const PatchPair& pair, const Vec3& n, double reach,
                                            double margin) {
  const Polyhedron A = transformed(*pair.A->polyhedron, pair.X_WA);
  const Polyhedron B = transformed(*pair.B->polyhedron, pair.X_WB);
  std::set<std::uint64_t> names;
  const auto nearest_face = [](const Polyhedron& p, const Vec3& x, double clear) {
    int best = -1;
    double least = 1e300, second = 1e300;
    for (int f = 0; f < p.face_count(); ++f) {
      const double h = std::abs(p.height_above(f, x));
      if (h < least) {
        second = least;
        least = h;
        best = f;
      } else {
        second = std::min(second, h);
      }
    }
    return second > clear ? best : -1;
  };
  // the line through the corner must pass A and B for a bit, or it only grazes one
  const auto clear = [&](const Passage& s) { return s.leave - s.enter > margin; };
  for (int v = 0; v < B.vertex_count(); ++v) {
    const Vec3& x = B.vertices[v];
    const Passage in_A = pass(A, x, n);
    if (!clear(in_A) || -in_A.leave > reach - margin) continue;
    const Feature vertex{FeatureKind::vertex, v};
    if (!shown(B, vertex, -n)) continue;
    const int face = nearest_face(A, x + in_A.leave * n, margin);
    if (face < 0 || A.faces[face].eta.dot(n) < 1.1 * kSteepestFace) continue;
    names.insert(point_id({FeatureKind::face, face}, vertex));
  }
  for (int v = 0; v < A.vertex_count(); ++v) {
    const Vec3& x = A.vertices[v];
    const Passage in_B = pass(B, x, n);
    if (!clear(in_B) || in_B.enter > reach - margin) continue;
    const Feature vertex{FeatureKind::vertex, v};
    if (!shown(A, vertex, n)) continue;
    const int face = nearest_face(B, x + in_B.enter * n, margin);
    if (face < 0 || B.faces[face].eta.dot(n) > -1.1 * kSteepestFace) continue;
    names.insert(point_id(vertex, {FeatureKind::face, face}));
  }
  for (int i = 0; i < A.edge_count(); ++i) {
    const Vec3 p = A.vertices[A.edges[i].tail], e = A.vertices[A.edges[i].head] - p;
    // on the roof: one face looks over, and the edge is not inside the outline's far side
    if (!shown(A, {FeatureKind::edge, i}, n)) continue;
    for (int k = 0; k < B.edge_count(); ++k) {
      if (!shown(B, {FeatureKind::edge, k}, -n)) continue;
      const Vec3 q = B.vertices[B.edges[k].tail], g = B.vertices[B.edges[k].head] - q;
      // p + s e + psi n = q + t g
      Mat3 M;
      M << e, -g, n;
      if (std::abs(M.determinant()) < 1e-6 * e.norm() * g.norm()) continue;
      const Vec3 s = M.partialPivLu().solve(q - p);
      const double clear_a = margin / e.norm(), clear_b = margin / g.norm();
      if (s[0] < clear_a || s[0] > 1 - clear_a || s[1] < clear_b || s[1] > 1 - clear_b) continue;
      if (s[2] > reach - margin) continue;
      names.insert(point_id({FeatureKind::edge, i}, {FeatureKind::edge, k}));
    }
  }
  return names;
}

// Random points' hulls of a given size, some flattened to a plate or drawn to a needle.
inline Polyhedron random_hull(Random& r, int points, double size) {
  std::vector<Vec3> cloud;
  const double flat = r.integer(0, 3) == 0 ? 0.05 : 1;
  const bool round = r.integer(0, 1) == 0;
  for (int i = 0; i < points; ++i) {
    Vec3 p = r.vec(1);
    if (round) p.normalize();
    cloud.push_back(size * Vec3(p.x(), p.y(), flat * p.z()));
  }
  return convex_hull(cloud);
}

}  // namespace abut::test
