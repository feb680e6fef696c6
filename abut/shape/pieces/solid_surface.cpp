#include "abut/shape/pieces/solid_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "abut/math/index.h"
#include "abut/shape/tolerances.h"

namespace abut {
namespace {

struct Triangle {
  std::array<Vec3, 3> p;
  std::array<int, 3> ids;
};

Triangle corners(const TriangleMesh& mesh, std::size_t t) {
  const std::array<int, 3>& ids = mesh.triangles[t];
  return {{mesh.vertices[at(ids[0])], mesh.vertices[at(ids[1])], mesh.vertices[at(ids[2])]}, ids};
}

bool share_vertex(const Triangle& a, const Triangle& b) {
  return std::ranges::any_of(a.ids, [&](int v) { return std::ranges::count(b.ids, v) > 0; });
}

// Six times the signed volume of a tetrahedron.
double side_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x) {
  return (b - a).cross(c - a).dot(x - a);
}

// Whether the segment goes through the inside of the triangle.
bool pierces(const Vec3& from, const Vec3& to, const Triangle& t, double tolerance) {
  const double s0 = side_of(t.p[0], t.p[1], t.p[2], from), s1 = side_of(t.p[0], t.p[1], t.p[2], to);
  if (!(std::min(s0, s1) < -tolerance && std::max(s0, s1) > tolerance)) return false;
  double low = 1, high = -1;
  for (int k = 0; k < 3; ++k) {
    const double s = side_of(from, to, t.p[at(k)], t.p[at((k + 1) % 3)]);
    low = k == 0 ? s : std::min(low, s);
    high = k == 0 ? s : std::max(high, s);
  }
  return low > tolerance || high < -tolerance;
}

bool cross_each_other(const Triangle& a, const Triangle& b, double tolerance) {
  for (int k = 0; k < 3; ++k)
    if (pierces(a.p[at(k)], a.p[at((k + 1) % 3)], b, tolerance) ||
        pierces(b.p[at(k)], b.p[at((k + 1) % 3)], a, tolerance))
      return true;
  return false;
}

}  // namespace

// By a sweep along x.
std::optional<Vec3> crossing(const TriangleMesh& mesh) {
  const std::size_t count = mesh.triangles.size();
  std::vector<Aabb> boxes(count);
  for (std::size_t t = 0; t < count; ++t)
    for (const Vec3& v : corners(mesh, t).p) boxes[t].merge(v);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return boxes[a].min.x() < boxes[b].min.x(); });
  const double size = aabb(mesh).extent().norm(), tolerance = kCrossingVolume * size * size * size;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = i + 1; k < count; ++k) {
      const Aabb &a = boxes[order[i]], &b = boxes[order[k]];
      if (b.min.x() > a.max.x()) break;
      if (!overlap(a, b)) continue;
      const Triangle s = corners(mesh, order[i]), t = corners(mesh, order[k]);
      if (!share_vertex(s, t) && cross_each_other(s, t, tolerance)) return t.p[0];
    }
  return {};
}

SurfacePolygon::SurfacePolygon(std::vector<Vec3> corners, const Vec3& outward)
    : points(std::move(corners)), normal(outward) {
  for (const Vec3& x : points) center += x / static_cast<double>(points.size());
  for (const Vec3& x : points) radius = std::max(radius, (x - center).norm());
}

SurfacePart surface_of(const TriangleMesh& mesh) {
  SurfacePart part;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::array<Vec3, 3> p = corners(mesh, t).p;
    const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
    if (n.norm() > 0) part.emplace_back(std::vector(p.begin(), p.end()), n.normalized());
  }
  return part;
}

SurfacePart below(const SurfacePart& part, const CutPlane& plane, double tolerance) {
  SurfacePart out;
  for (const SurfacePolygon& polygon : part) {
    double high = -std::numeric_limits<double>::infinity(), low = -high;
    for (const Vec3& x : polygon.points) {
      high = std::max(high, plane.above(x));
      low = std::min(low, plane.above(x));
    }
    const bool in_plane = high <= tolerance && low >= -tolerance;
    if (in_plane ? polygon.normal.dot(plane.n) > 0 : high <= tolerance) {
      out.push_back(polygon);
      continue;
    }
    if (in_plane || low >= -tolerance) continue;
    std::vector<Vec3> cut;
    const std::size_t n = polygon.points.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 &a = polygon.points[i], &b = polygon.points[(i + 1) % n];
      const double ha = plane.above(a), hb = plane.above(b);
      if (ha <= tolerance) cut.push_back(a);
      if ((ha < -tolerance && hb > tolerance) || (ha > tolerance && hb < -tolerance))
        cut.push_back(a + ha / (ha - hb) * (b - a));
    }
    if (cut.size() >= 3) out.emplace_back(std::move(cut), polygon.normal);
  }
  return out;
}

double distance(const SurfacePolygon& polygon, const Vec3& x) {
  const std::vector<Vec3>& p = polygon.points;
  const double height = polygon.normal.dot(x - p[0]);
  bool is_over = true;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 side = p[(i + 1) % p.size()] - p[i], way = x - p[i];
    if (polygon.normal.cross(side).dot(way) < 0) is_over = false;
    const double along = std::clamp(side.dot(way) / side.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (way - along * side).norm());
  }
  return is_over ? std::abs(height) : least;
}

double distance(const SurfacePart& part, const Vec3& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const SurfacePolygon& polygon : part)
    if ((x - polygon.center).norm() - polygon.radius < least)
      least = std::min(least, distance(polygon, x));
  return least;
}

// The sum of the solid angles of the triangles (van Oosterom and Strackee 1983).
double winding(const TriangleMesh& mesh, const Vec3& x) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::array<Vec3, 3> p = corners(mesh, t).p;
    const Vec3 a = p[0] - x, b = p[1] - x, c = p[2] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum +=
        std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

std::string why_no_solid(const TriangleMesh& mesh) {
  const MeshCheck found = check(mesh);
  if (found.open_edges > 0)
    return fmt::format("it is not closed: {} edges have a face on one side only", found.open_edges);
  if (!found.watertight)
    return fmt::format("{} edges have more than two faces", found.crowded_edges);
  if (!found.oriented) return "its faces are turned in and out";
  if (solid_mesh(mesh).mass <= 0) return "its faces point inwards";
  if (const std::optional<Vec3> place = crossing(mesh))
    return fmt::format("it cuts itself, near ({:.4g}, {:.4g}, {:.4g})", place->x(), place->y(),
                       place->z());
  return "";
}

std::vector<TriangleMesh> components(const TriangleMesh& mesh) {
  std::vector<int> root(mesh.vertices.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int v) {
    while (root[at(v)] != v) v = root[at(v)] = root[at(root[at(v)])];
    return v;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    root[at(find(a))] = find(b);
    root[at(find(b))] = find(c);
  }
  std::vector<int> number(mesh.vertices.size(), -1);
  std::vector<TriangleMesh> parts;
  for (const std::array<int, 3>& t : mesh.triangles) {
    int& part = number[at(find(t[0]))];
    if (part < 0) {
      part = static_cast<int>(parts.size());
      parts.push_back({mesh.vertices, {}});
    }
    parts[at(part)].triangles.push_back(t);
  }
  for (TriangleMesh& part : parts) part = welded(part);
  return parts;
}

}  // namespace abut
