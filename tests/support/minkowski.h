// Distances through the Minkowski difference, and what a claimed answer must satisfy.
//
// MinkowskiDifference has Qhull find the hull of all differences of vertices; signed
// distance is that of the origin from it. For small solids: n * m points.
//
// what_is_wrong() looks at an answer alone. Apart, it is a proof: two points of the
// solids as far apart as two parallel planes between them. Overlapping, it shows that
// the depth is enough, and that no direction tried needs less.
//
//   EXPECT_NEAR(d.distance, MinkowskiDifference(A, B, X_AB).signed_distance(), 1e-9 * L);
//   EXPECT_EQ(what_is_wrong(A, B, X_AB, d, 1e-9 * L), "");
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/shape/qhull_facets.h"
#include "support/exact_proximity.h"
#include "support/random.h"

namespace abut::test {

// The nearest point to the origin in a triangle.
inline Long triangle_distance(const LongVec3& a, const LongVec3& b, const LongVec3& c) {
  return exact::least_norm(std::array{a, b, c}).point.norm();
}

class MinkowskiDifference {
 public:
  MinkowskiDifference(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB) {
    const std::vector<LongVec3> a = exact::vertices_of(A, {}), b = exact::vertices_of(B, X_AB);
    // Qhull sees the points about their middle: where the solids are must not matter
    const LongVec3 middle = (X_AB * B.center - A.center).cast<Long>();
    std::vector<Vec3> local;
    for (const LongVec3& p : a)
      for (const LongVec3& q : b) {
        points_.push_back(q - p);
        local.push_back((q - p - middle).cast<double>());
      }
    loops_ = qhull_facets(local, QhullMode::merged);
    if (loops_.empty()) loops_ = qhull_facets(local, QhullMode::joggled);
  }

  bool ok() const { return !loops_.empty(); }

  double signed_distance() const {
    // The plane of a facet, pushed out to the farthest of all points: no facet that
    // Qhull got wrong can then make the depth too small.
    Long least = std::numeric_limits<Long>::infinity(), nearest = least;
    bool inside = true;
    for (const std::vector<int>& loop : loops_) {
      LongVec3 n = LongVec3::Zero();
      for (std::size_t k = 2; k < loop.size(); ++k)
        n += (at(loop[k - 1]) - at(loop[0])).cross(at(loop[k]) - at(loop[0]));
      if (n.norm() == 0) continue;
      n.normalize();
      Long offset = -std::numeric_limits<Long>::infinity();
      for (const LongVec3& x : points_) offset = std::max(offset, n.dot(x));
      least = std::min(least, offset);
      inside = inside && offset >= 0;
      for (std::size_t k = 2; k < loop.size(); ++k)
        nearest = std::min(nearest, triangle_distance(at(loop[0]), at(loop[k - 1]), at(loop[k])));
    }
    return static_cast<double>(inside ? -least : nearest);
  }

 private:
  const LongVec3& at(int i) const { return points_[static_cast<std::size_t>(i)]; }

  std::vector<LongVec3> points_;  // b - a
  std::vector<std::vector<int>> loops_;
};

// How far two parallel planes across n (unit, A's frame) can be apart between A and B;
// < 0: minus the overlap.
inline double separation(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                         const Vec3& n) {
  double a = -std::numeric_limits<double>::infinity(), b = -a;
  for (const Vec3& v : A.vertices) a = std::max(a, n.dot(v));
  const Vec3 n_B = X_AB.R.transpose() * n;
  for (const Vec3& v : B.vertices) b = std::min(b, n_B.dot(v));
  return b + n.dot(X_AB.p) - a;
}

// How far outside the solid a point is, at least (m).
inline double outside(const Polyhedron& p, const Vec3& point) {
  double most = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < p.face_count(); ++f) most = std::max(most, p.height_above(f, point));
  return most;
}

// How far a point is from a feature's plane, line or point (m).
inline double off_feature(const Polyhedron& p, const Feature& f, const Vec3& point) {
  const auto i = static_cast<std::size_t>(f.index);
  switch (f.kind) {
    case FeatureKind::vertex:
      return (point - p.vertices[i]).norm();
    case FeatureKind::edge: {
      const Vec3& tail = p.vertices[static_cast<std::size_t>(p.edges[i].tail)];
      const Vec3& head = p.vertices[static_cast<std::size_t>(p.edges[i].head)];
      return (point - tail).cross((head - tail).normalized()).norm();
    }
    case FeatureKind::face:
      return std::abs(p.height_above(f.index, point));
    default:
      return std::numeric_limits<double>::infinity();
  }
}

// In A's frame; "" if nothing is wrong.
// `points`: how far points may be off, if more than the rest (m).
inline std::string what_is_wrong(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                                 const Proximity& d, double tolerance, double points = 0) {
  points = std::max(points, tolerance);
  if (!std::isfinite(d.distance) || !d.normal.allFinite() || !d.p_A.allFinite() ||
      !d.p_B.allFinite())
    return "not finite";
  if (std::abs(d.normal.norm() - 1) > 1e-12)
    return fmt::format("normal of length {:.17g}", d.normal.norm());
  const auto over = [&](const char* what, double value) {
    return fmt::format("{} {:.3g}, allowed {:.3g}, distance {:.17g}", what, value, tolerance,
                       d.distance);
  };
  const double open = (d.p_B - d.p_A - d.distance * d.normal).norm();
  if (!(open <= tolerance)) return over("p_B is not p_A + distance normal: off by", open);
  const double gap = separation(A, B, X_AB, d.normal);
  if (!(std::abs(gap - d.distance) <= tolerance))
    return over("separation along the normal is off by", gap - d.distance);
  const Vec3 p_B = X_AB.inverse() * d.p_B;
  const double out_A = outside(A, d.p_A), out_B = outside(B, p_B);
  if (!(std::abs(out_A) <= points)) return over("p_A is off A's surface by", out_A);
  if (!(std::abs(out_B) <= points)) return over("p_B is off B's surface by", out_B);
  const double off_a = off_feature(A, d.a, d.p_A), off_b = off_feature(B, d.b, p_B);
  if (!(off_a <= points)) return over("p_A is off its feature by", off_a);
  if (!(off_b <= points)) return over("p_B is off its feature by", off_b);
  return "";
}

// A direction, of `count` tried all about and near the normal, in which the two are
// farther apart or less deep than claimed; "" if there is none.
inline std::string better_direction(Random& r, const Polyhedron& A, const Polyhedron& B,
                                    const Transform& X_AB, const Proximity& d, int count,
                                    double tolerance) {
  for (int i = 0; i < count; ++i) {
    const Vec3 n = (i % 4 == 0 ? r.direction() : d.normal + r.magnitude(1e-6, 1) * r.direction());
    if (n.norm() < 1e-3) continue;
    const double gap = separation(A, B, X_AB, n.normalized());
    if (gap > d.distance + tolerance)
      return fmt::format("({:.17g}, {:.17g}, {:.17g}) has {:.17g}, claimed was {:.17g}", n.x(),
                         n.y(), n.z(), gap, d.distance);
  }
  return "";
}

}  // namespace abut::test
