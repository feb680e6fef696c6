// Shared by the tests of this room: random convex polyhedra of every awkward kind, poses
// from deep to apart, and the Minkowski difference as an oracle.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "abut/math/transform.h"
#include "abut/shape/error.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "shape/testing.h"

namespace abut::testing {

inline int pick(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random.engine());
}

inline std::vector<Vec3> prism_points(int sides, double r, double h) {
  std::vector<Vec3> out;
  for (int k = 0; k < sides; ++k)
    for (const double z : {-h, h}) {
      const double a = 2 * std::numbers::pi * k / sides;
      out.emplace_back(r * std::cos(a), r * std::sin(a), z);
    }
  return out;
}

constexpr int kSolidKinds = 7;

// Of size about 1. Kinds: 0 points in a cube, 1 points on a ball, 2 box, 3 prism,
// 4 thin plate, 5 needle, 6 flat tetrahedron.
inline Polyhedron random_solid(Random& random, int kind, int most_points = 60) {
  for (;;) try {
      std::vector<Vec3> points;
      switch (kind) {
        case 0:
          points = random.points(pick(random, 4, most_points), 0.5);
          break;
        case 1:
          for (int n = pick(random, 4, most_points); n > 0; --n)
            points.push_back(0.5 * random.direction());
          break;
        case 2:
          return box_polyhedron(Vec3(0.3, 0.3, 0.3) + random.in_cube(0.25));
        case 3:
          points = prism_points(pick(random, 3, std::max(3, most_points / 2)), 0.4,
                                random.uniform(0.1, 0.5));
          break;
        case 4:
          points = moved(prism_points(pick(random, 3, 12), 0.5, random.uniform(1e-4, 1e-2)),
                         random.pose(0.1));
          break;
        case 5:
          points = random.points(pick(random, 4, 12), 0.5);
          for (Vec3& p : points) p.head<2>() *= 1e-3;
          points = moved(points, random.pose(0.1));
          break;
        default:
          points = random.points(4, 0.5);
          for (Vec3& p : points) p.z() *= 1e-3;
          points = moved(points, random.pose(0.1));
      }
      return convex_hull(points);
    } catch (const ShapeError&) {
      // flat: once more
    }
}
inline Polyhedron random_solid(Random& random) {
  return random_solid(random, pick(random, 0, kSolidKinds - 1));
}

inline Polyhedron shrunk(const Polyhedron& p, double factor) {
  Polyhedron out = p;
  for (Vec3& v : out.vertices) v *= factor;
  for (Polyhedron::Face& f : out.faces) f.offset *= factor;
  for (Polyhedron::Border& b : out.borders) b.offset *= factor;
  for (Vec3& spoke : out.spokes) spoke *= factor;
  out.center *= factor;
  out.size *= factor;
  return out;
}

// From deep inside each other to a size apart, most of them near touching.
inline Pose random_placement(Random& random, const Polyhedron& a, const Polyhedron& b) {
  const Pose turn{Vec3::Zero(), random.rotation()};
  const Vec3 n = random.direction();
  const auto reach = [](const Polyhedron& p, const Vec3& along) {
    return p.vertices[support_brute_force(p, along)].dot(along);
  };
  const double touch = reach(a, n) + reach(b, turn.q.conjugate() * -n);
  const double L = a.size + b.size;
  const double past[] = {random.uniform(-0.5, 0.5), random.uniform(-0.05, 0.05),
                         random.uniform(-1e-3, 1e-3), 0};
  Vec3 at = (touch + L * past[pick(random, 0, 3)]) * n;
  if (pick(random, 0, 2) == 0)
    at = random.uniform(0, 1) * at + random.uniform(0, 0.1) * L * random.direction();
  return {at, turn.q};
}

// The Minkowski difference of the vertices, b - a, in A's frame.
inline std::vector<Vec3> vertex_differences(const Polyhedron& a, const Polyhedron& b,
                                            const Transform& X_AB) {
  std::vector<Vec3> out;
  for (const Vec3& q : b.vertices)
    for (const Vec3& p : a.vertices) out.push_back(X_AB * q - p);
  return out;
}

// The greatest separation along the normals of the faces of the Minkowski difference,
// < 0 and the minimum translational distance where the solids overlap.
inline double minkowski_separation(const Polyhedron& a, const Polyhedron& b,
                                   const Transform& X_AB) {
  const std::vector<Vec3> points = vertex_differences(a, b, X_AB);
  double most = -1e300;
  for (const Polyhedron::Face& f : convex_hull(points).faces) {
    double reach = -1e300;
    for (const Vec3& p : points) reach = std::max(reach, f.eta.dot(p));
    most = std::max(most, -reach);
  }
  return most;
}

// How far outside a polyhedron a point lies (m), by its faces; < 0 inside.
inline double outside(const Polyhedron& p, const Vec3& point) {
  double most = -1e300;
  for (int f = 0; f < p.face_count(); ++f) most = std::max(most, p.height_above(f, point));
  return most;
}

}  // namespace abut::testing
