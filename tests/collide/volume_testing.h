// Shared by the tests of intersection volumes: solids of every awkward kind, what must
// hold of any Intersection, and an independent volume.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/volume/intersection.h"
#include "abut/math/transform.h"
#include "abut/shape/error.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "shape/testing.h"

namespace abut::testing {

constexpr int kVolumeKinds = 7;

// Of size about 1: 0 points in a cube, 1 points on a ball, 2 box, 3 prism, 4 plate,
// 5 needle, 6 flat tetrahedron.
inline Polyhedron volume_solid(Random& random, int kind, int most_points) {
  const auto count = [&] { return static_cast<int>(random.uniform(4, most_points + 0.99)); };
  for (;;) try {
      std::vector<Vec3> points;
      switch (kind) {
        case 0:
          points = random.points(count(), 0.5);
          break;
        case 1:
          for (int n = count(); n > 0; --n) points.push_back(0.5 * random.direction());
          break;
        case 2:
          return box_polyhedron(Vec3(0.3, 0.3, 0.3) + random.in_cube(0.25));
        case 3:
          for (int n = count() / 2 + 3, k = 0; k < n; ++k)
            for (const double z : {-0.3, 0.3}) {
              const double a = 2 * std::numbers::pi * k / n;
              points.emplace_back(0.5 * std::cos(a), 0.5 * std::sin(a), z);
            }
          break;
        case 4:
          points = random.points(12, 0.5);
          for (Vec3& p : points) p.z() *= 1e-4;
          points = moved(points, random.pose(0.1));
          break;
        case 5:
          points = random.points(8, 0.5);
          for (Vec3& p : points) p.head<2>() *= 1e-3;
          points = moved(points, random.pose(0.1));
          break;
        default:
          points = random.points(4, 0.5);
          for (Vec3& p : points) p.z() *= 1e-4;
          points = moved(points, random.pose(0.1));
      }
      return convex_hull(points);
    } catch (const ShapeError&) {
      // flat: once more
    }
}

// A polyhedron `factor` times as large.
inline Polyhedron grown(const Polyhedron& p, double factor) {
  std::vector<Vec3> points;
  for (const Vec3& v : p.vertices) points.push_back(factor * v);
  return convex_hull(points);
}

// Most of them overlapping: from deep to just touching.
inline Pose volume_placement(Random& random, const Polyhedron& a, const Polyhedron& b) {
  const Quat turn = random.rotation();
  const Vec3 n = random.direction();
  const double touch =
      a.vertices[support_brute_force(a, n)].dot(n) +
      b.vertices[support_brute_force(b, turn.conjugate() * -n)].dot(turn.conjugate() * -n);
  const double L = a.size + b.size;
  const double deep[] = {random.uniform(0.2, 0.5) * L, random.uniform(0, 0.05) * L,
                         random.uniform(0, 1e-3) * L, std::pow(10, random.uniform(-9, -4)) * L};
  const int which = static_cast<int>(random.uniform(0, 8));
  return {(touch - deep[which < 4 ? which : 0]) * n, turn};
}

__extension__ typedef __float128 Quad;

template <class T>
struct Vector3 {
  T x, y, z;
  Vector3 operator+(const Vector3& o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vector3 operator-(const Vector3& o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vector3 operator*(T s) const { return {s * x, s * y, s * z}; }
  T dot(const Vector3& o) const { return x * o.x + y * o.y + z * o.z; }
  Vector3 cross(const Vector3& o) const {
    return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x};
  }
};
template <class T>
Vector3<T> wide(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

// The planes n . x <= d of both, in A's frame, as exact as T is wide. n is a unit vector
// to double precision only.
template <class T>
struct WidePlane {
  Vector3<T> n;
  T d;
};
template <class T>
std::vector<WidePlane<T>> wide_planes(const Convex& A, const Convex& B, const Transform& X_AB) {
  std::vector<WidePlane<T>> out;
  for (const Polyhedron::Face& f : face_planes(A)) out.push_back({wide<T>(f.eta), f.offset});
  for (const Polyhedron::Face& f : face_planes(B)) {
    const Vector3<T> n = wide<T>(X_AB.R.col(0)) * f.eta.x() + wide<T>(X_AB.R.col(1)) * f.eta.y() +
                         wide<T>(X_AB.R.col(2)) * f.eta.z();
    out.push_back({n, f.offset + n.dot(wide<T>(X_AB.p))});
  }
  return out;
}

// Volume of the common part without building it: each plane's polygon is cut by all other
// planes, and V = 1/3 sum area * distance. Shares no code with the makers. Planes of both
// solids that differ by 1e-15 to 1e-10 want T = Quad.
// `near` only makes it quick: what cuts a polygon away should come first.
template <class T>
double reference_volume(const Convex& A, const Convex& B, const Transform& X_AB, const Vec3& near) {
  using V3 = Vector3<T>;
  const auto size = [](T x) { return x < 0 ? -x : x; };
  std::vector<WidePlane<T>> planes = wide_planes<T>(A, B, X_AB);
  const T R = 4 * std::min(A.radius, B.radius);  // half of a square larger than anything
  for (auto& plane : planes) plane.d -= plane.n.dot(wide<T>(near));
  std::sort(planes.begin(), planes.end(), [](const auto& a, const auto& b) { return a.d < b.d; });
  T volume3 = 0;
  std::vector<V3> polygon, cut;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const V3 n = planes[i].n;
    const T distance = planes[i].d, n2 = n.dot(n);
    if (size(distance) > R) continue;  // not near anything common
    const V3 u = size(n.x) < T(0.6) ? V3{0, -n.z, n.y} : V3{-n.z, 0, n.x};
    const V3 v = n.cross(u), c = n * (distance / n2);
    polygon = {c + (u + v) * (2 * R), c + (v - u) * (2 * R), c - (u + v) * (2 * R),
               c + (u - v) * (2 * R)};
    for (std::size_t j = 0; j < planes.size() && polygon.size() > 2; ++j) {
      if (j == i) continue;
      const V3 difference = planes[j].n - n;
      // the same plane twice: the first one counts
      if (size(planes[j].d - distance) <= T(1e-18) * R && difference.dot(difference) <= T(1e-36)) {
        if (j < i) polygon.clear();
        continue;
      }
      cut.clear();
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        const V3 &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
        const T hp = planes[j].n.dot(p) - planes[j].d, hq = planes[j].n.dot(q) - planes[j].d;
        if (hp <= 0) cut.push_back(p);
        if ((hp <= 0) != (hq <= 0)) cut.push_back(p + (q - p) * (hp / (hp - hq)));
      }
      polygon.swap(cut);
    }
    for (std::size_t k = 2; k < polygon.size(); ++k)
      volume3 +=
          n.dot((polygon[k - 1] - polygon[0]).cross(polygon[k] - polygon[0])) / 2 * distance / n2;
  }
  return static_cast<double>(volume3 / 3);
}

// What the issue allows: 1e-8 V + 1e-13 A L.
inline double volume_tolerance(const Intersection& common, double V, double L) {
  return 1e-8 * V + 1e-13 * common.area * L;
}

inline void expect_reference_volume(const Intersection& common, const Convex& A, const Convex& B,
                                    const Transform& X_AB, double slack = 1) {
  const Vec3 near = common.origin + common.centroid;
  double V = reference_volume<long double>(A, B, X_AB, near);
  const double L = pair_size(A, B);
  if (std::abs(common.volume - V) > slack * volume_tolerance(common, V, L))
    V = reference_volume<Quad>(A, B, X_AB, near);
  ASSERT_NEAR(common.volume, V, slack * volume_tolerance(common, V, L));
}

// Closed, Euler's formula (K-T14), inside both solids, every face where its label says,
// area vectors that cancel. `within` is relative to the pair's size.
inline void expect_valid(const Intersection& common, const Convex& A, const Convex& B,
                         const Transform& X_AB, double within) {
  if (common.vertices.empty()) return;
  ASSERT_EQ(common.vertex_count() - common.edge_count() + common.face_count(), 2);
  std::map<std::pair<int, int>, int> edges;
  for (const Intersection::Face& f : common.faces) {
    const auto loop = common.loop(f);
    ASSERT_GE(loop.size(), 3u);
    for (std::size_t k = 0; k < loop.size(); ++k) ++edges[{loop[k], loop[(k + 1) % loop.size()]}];
  }
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1);
    ASSERT_TRUE(edges.count({edge.second, edge.first}));
  }
  const double L = pair_size(A, B);
  const auto planes = wide_planes<long double>(A, B, X_AB);
  const auto height = [&](std::size_t plane, int v) {
    const auto at = wide<long double>(common.origin) + wide<long double>(common.vertices[v]);
    return static_cast<double>(planes[plane].n.dot(at) - planes[plane].d);
  };
  for (int v = 0; v < common.vertex_count(); ++v)
    for (std::size_t i = 0; i < planes.size(); ++i) ASSERT_LE(height(i, v), within * L);
  Vec3 sum = Vec3::Zero();
  for (const Intersection::Face& f : common.faces) {
    const std::size_t plane = f.face + (f.side == Side::a ? 0 : face_planes(A).size());
    ASSERT_LT(plane, planes.size());
    for (const int v : common.loop(f)) ASSERT_GE(height(plane, v), -within * L);
    sum += f.area;
  }
  // a cross product is rounded as the square of the lengths in it, a sum as the number of terms
  double reach = 0;
  for (const Vec3& v : common.vertices) reach = std::max(reach, v.norm());
  const double rounding =
      (1e-15 + 2e-17 * common.edge_count()) * common.area + 1e-15 * reach * reach;
  EXPECT_LE(sum.norm(), rounding);
  EXPECT_LE((common.area_A + common.area_B).norm(), rounding);
  EXPECT_GE(common.volume, 0);
  EXPECT_TRUE(common.centroid.allFinite());
}

// The solids of a test and a common part of any two.
struct SolidPair {
  ConvexSet set;
  Transform X_AB;

  SolidPair(const Polyhedron& a, const Polyhedron& b, const Transform& X) : X_AB(X) {
    set.add(a);
    set.add(b);
  }
  const Convex& A() const { return set[0]; }
  const Convex& B() const { return set[1]; }
  double L() const { return pair_size(A(), B()); }
};

// All kinds of solids, sizes and depths; `k` says which of the rarer ones it is the turn of.
inline SolidPair random_volume_pair(Random& random, int k) {
  const int most = k % 10 == 0 ? 200 : 24;
  const double size = k % 5 == 0 ? std::pow(10, random.uniform(-3, 3)) : 1;
  const Polyhedron a =
      grown(volume_solid(random, static_cast<int>(random.uniform(0, kVolumeKinds)), most), size);
  const double ratio = k % 7 == 0 ? std::pow(10, random.uniform(-3, 0)) : 1;
  const Polyhedron b = grown(
      volume_solid(random, static_cast<int>(random.uniform(0, kVolumeKinds)), most), size * ratio);
  return {a, b, Transform(volume_placement(random, a, b))};
}

}  // namespace abut::testing
