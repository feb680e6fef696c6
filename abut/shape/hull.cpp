#include "abut/shape/hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/shape/error.h"
#include "abut/shape/merge_facets.h"
#include "abut/shape/qhull_facets.h"
#include "abut/shape/tolerances.h"
#include "abut/shape/weld.h"

namespace abut {
namespace {

// A solid thinner than this many tolerances is flat: its two sides would be one face.
constexpr double kThinnest = 4;
// Factors of the tolerance, tried one after the other while merging gives no valid polyhedron; 0
// keeps Qhull's own facets.
constexpr double kLoosen[] = {1, 10, 100, 1000, 0};

// With at least this many points Qhull first runs without merging facets. Its merging takes time
// proportional to the square of a face's corners: 15 s for a lid of 10,000 corners, minutes for
// 100,000. abut merges the facets itself (merge_facets.h). If the result is not convex, Qhull runs
// again with merging.
constexpr std::size_t kMany = 1000;

bool lexicographic(const Vec3& a, const Vec3& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

// The points relative to the centre of their box, scaled by a power of two to a size near 1, so
// that the following code is independent of the position and the size of the shape.
struct Normalised {
  std::vector<Vec3> original;  // sorted, no two closer than the tolerance
  std::vector<Vec3> local;
  double scale = 1;      // m per local unit
  double tolerance = 0;  // in local units
};

Normalised normalise(std::span<const Vec3> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) {
      throw ShapeError(
          fmt::format("point {} of a convex hull is ({}, {}, {}) m; coordinates must be finite", i,
                      points[i].x(), points[i].y(), points[i].z()));
    }
  }
  if (points.size() < 4) {
    throw ShapeError(fmt::format("a convex hull needs at least 4 points, got {}", points.size()));
  }
  const Aabb box = aabb(points);
  const double size = box.extent().norm();
  if (!std::isfinite(size))
    throw ShapeError("points of a convex hull are too far apart for their distance to be a number");
  const double largest = std::max(box.min.cwiseAbs().maxCoeff(), box.max.cwiseAbs().maxCoeff());
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * largest;
  if (size <= rounding) {
    throw ShapeError(
        fmt::format("all {} points of a convex hull are the same, ({:.6g}, {:.6g}, {:.6g}) m",
                    points.size(), points[0].x(), points[0].y(), points[0].z()));
  }

  Normalised out;
  out.scale = std::exp2(std::floor(std::log2(size)));
  out.tolerance = (kHullCoplanar * size + rounding) / out.scale;
  std::vector<Vec3> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(), lexicographic);
  std::vector<Vec3> local;
  for (const Vec3& p : sorted) local.push_back((p - box.center()) / out.scale);
  const std::vector<int> twin = weld(local, out.tolerance);
  for (std::size_t i = 0; i < local.size(); ++i) {
    if (twin[i] != static_cast<int>(i)) continue;
    out.original.push_back(sorted[i]);
    out.local.push_back(local[i]);
  }
  return out;
}

// Looks for four corners of a solid: far points, then far from their line, then far
// from their plane.
void require_solid(const Normalised& n) {
  const auto farthest = [&](auto distance) {
    double best = 0;
    Vec3 at = n.local[0];
    for (const Vec3& p : n.local) {
      if (const double d = distance(p); d > best) {
        best = d;
        at = p;
      }
    }
    return std::pair(at, best);
  };
  const std::size_t count = n.local.size();
  const double least = kThinnest * n.tolerance;
  const Vec3 a = n.local[0];
  const auto [b, length] = farthest([&](const Vec3& p) { return (p - a).norm(); });
  const Vec3 along = (b - a) / length;
  const auto [c, width] = farthest([&](const Vec3& p) { return (p - a).cross(along).norm(); });
  if (width <= least) {
    throw ShapeError(
        fmt::format("the {} distinct points of a convex hull lie on a line, to {:.2g} m over a "
                    "length of {:.3g} m",
                    count, width * n.scale, length * n.scale));
  }
  const Vec3 normal = along.cross(c - a).normalized();
  double low = 0, high = 0;
  for (const Vec3& p : n.local) {
    const double d = normal.dot(p - a);
    low = std::min(low, d);
    high = std::max(high, d);
  }
  if (high - low <= least) {
    throw ShapeError(
        fmt::format("the {} distinct points of a convex hull lie in a plane, to {:.2g} m over a "
                    "length of {:.3g} m; "
                    "a solid must be thicker than {:.2g} m",
                    count, (high - low) * n.scale, length * n.scale, least * n.scale));
  }
}

// The polyhedron over the points that the loops use; ids stay in order.
Polyhedron build(const Normalised& n, std::vector<std::vector<int>> loops) {
  std::vector<int> new_id(n.local.size(), -1);
  for (const auto& loop : loops)
    for (const int v : loop) new_id[v] = 0;
  std::vector<Vec3> vertices;
  for (std::size_t i = 0; i < new_id.size(); ++i) {
    if (new_id[i] < 0) continue;
    new_id[i] = static_cast<int>(vertices.size());
    vertices.push_back(n.original[i]);
  }
  for (auto& loop : loops)
    for (int& v : loop) v = new_id[v];
  return make_polyhedron(std::move(vertices), loops);
}

}  // namespace

Polyhedron convex_hull(std::span<const Vec3> points) {
  const Normalised n = normalise(points);
  require_solid(n);

  std::string error = "Qhull found none";
  for (const QhullMode mode : {QhullMode::raw, QhullMode::merged, QhullMode::joggled}) {
    if (mode == QhullMode::raw && n.local.size() < kMany) continue;
    const std::vector<std::vector<int>> facets = qhull_facets(n.local, mode);
    if (facets.empty()) continue;
    for (const double factor : kLoosen) {
      std::vector<std::vector<int>> loops = merge_coplanar(n.local, facets, factor * n.tolerance);
      if (loops.empty()) continue;
      try {
        Polyhedron p = build(n, std::move(loops));
        error = validate(p, 4 * std::max(1.0, factor) * n.tolerance * n.scale / p.size);
        if (error.empty()) return p;
      } catch (const ShapeError& e) {
        error = e.what();
      }
    }
  }
  throw ShapeError(fmt::format("no clean convex hull of {} points of size {:.3g} m: {}",
                               points.size(), aabb(points).extent().norm(), error));
}

TriangleMesh convex_hull_mesh(std::span<const Vec3> points) {
  return triangulated(convex_hull(points));
}

}  // namespace abut
