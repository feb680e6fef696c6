// A referee for pairs of any convex solids: the signed distance is the greatest
// separation over all directions, apart and overlapping alike. An answer is right if its
// own normal separates by it and no direction that a search finds separates by more.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "support/random_worlds.h"

namespace abut::test {

inline Vec3 random_direction(Random& r) {
  Vec3 d;
  do d = r.vec(1);
  while (d.norm() > 1 || d.norm() < 0.1);
  return d.normalized();
}

inline Vec3 farthest_point(const Convex& c, const Vec3& d) {
  if (c.is_polyhedron()) return c.polyhedron->vertices[support_brute_force(*c.polyhedron, d)];
  return support(Shape{c.kind, c.dimensions, -1}, ShapeAssets(), d);
}

// How far apart the two are along n (unit, A's frame). A half-space has one direction.
inline double separation(const Convex& A, const Convex& B, const Transform& X_AB, const Vec3& n) {
  const double never = -std::numeric_limits<double>::infinity();
  const Vec3 n_B = X_AB.R.transpose() * n;
  if (A.is_half_space() && n.z() < 1 - 1e-12) return never;
  if (B.is_half_space() && n_B.z() > -1 + 1e-12) return never;
  const double top = A.is_half_space() ? 0 : n.dot(farthest_point(A, n));
  const double low = B.is_half_space() ? n.dot(X_AB.p) : n.dot(X_AB * farthest_point(B, -n_B));
  return low - top;
}

// The greatest found by many tries and a search around the best of them and `near`.
inline double best_separation(const Convex& A, const Convex& B, const Transform& X_AB,
                              const Vec3& near, Random& r, int tries) {
  std::vector<std::pair<double, Vec3>> found;
  const auto at = [&](const Vec3& n) { return separation(A, B, X_AB, n); };
  const auto look = [&](const Vec3& n) { found.emplace_back(at(n), n); };
  if (A.is_half_space()) return at(Vec3::UnitZ());
  if (B.is_half_space()) return at(-X_AB.R.col(2));
  look(near);
  for (int k = 0; k < 3; ++k)
    for (const double sign : {-1.0, 1.0}) {
      look(sign * Vec3::Unit(k));
      look(sign * X_AB.R.col(k));
    }
  if (X_AB.p.norm() > 0) look(X_AB.p.normalized());
  for (int k = 0; k < tries; ++k) look(random_direction(r));
  std::partial_sort(found.begin(), found.begin() + 4, found.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  found[4] = {at(near), near};
  double best = found[0].first;
  for (int k = 0; k < 5; ++k) {
    auto [value, n] = found[static_cast<std::size_t>(k)];
    for (double step = 0.3; step > 1e-9;) {
      bool better = false;
      for (int turn = 0; turn < 8; ++turn) {
        const Vec3 tried = (n + step * r.vec(1)).normalized();
        if (const double v = at(tried); v > value) value = v, n = tried, better = true;
      }
      if (!better) step *= 0.5;
    }
    best = std::max(best, value);
  }
  return best;
}

// Positive outside (m): a distance or a bound of it.
inline double outside(const Convex& c, const Vec3& p) {
  const Vec3& s = c.dimensions;
  switch (c.kind) {
    case ShapeKind::plane:
      return p.z();
    case ShapeKind::sphere:
      return p.norm() - s[0];
    case ShapeKind::capsule:
      return (p - Vec3(0, 0, std::clamp(p.z(), -s[1], s[1]))).norm() - s[0];
    case ShapeKind::cylinder:
      return std::max(std::hypot(p.x(), p.y()) - s[0], std::abs(p.z()) - s[1]);
    case ShapeKind::ellipsoid:
      return (p.cwiseQuotient(s).norm() - 1) * s.minCoeff();
    default: {
      double most = -std::numeric_limits<double>::infinity();
      for (int f = 0; f < c.polyhedron->face_count(); ++f)
        most = std::max(most, c.polyhedron->height_above(f, p));
      return most;
    }
  }
}

inline void expect_right(const Convex& A, const Convex& B, const Transform& X_AB,
                         const Proximity& d, double tolerance, Random& r, int tries = 200) {
  ASSERT_TRUE(std::isfinite(d.distance) && d.p_A.allFinite() && d.p_B.allFinite());
  EXPECT_NEAR(d.normal.norm(), 1, 1e-12);
  EXPECT_LE((d.p_A + d.distance * d.normal - d.p_B).norm(), tolerance);
  EXPECT_LE(std::abs(outside(A, d.p_A)), tolerance);
  EXPECT_LE(std::abs(outside(B, X_AB.inverse() * d.p_B)), tolerance);
  EXPECT_NEAR(separation(A, B, X_AB, d.normal), d.distance, tolerance);
  EXPECT_LE(best_separation(A, B, X_AB, d.normal, r, tries), d.distance + tolerance);
}

}  // namespace abut::test
