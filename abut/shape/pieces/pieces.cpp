#include "abut/shape/pieces/pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "abut/math/index.h"
#include "abut/shape/error.h"
#include "abut/shape/hull.h"
#include "abut/shape/pieces/solid_surface.h"
#include "abut/shape/tolerances.h"

namespace abut {
namespace {

// At most so many places along each side of a hull's triangles are samples of the error; they are half
// the error that is asked for apart, if that is fewer.
constexpr int kSamples = 6;
// Planes of the surface that are tried for a cut: those nearest to the worst place.
constexpr int kPlanes = 12;

// What lies in a convex cell, and its hull.
struct Part {
  SurfacePart surface;
  std::vector<Vec3> inner;  // corners of the cell that are inside the solid
  Polyhedron hull;
  double volume = 0;          // of the hull, m^3
  double error = 0;           // m
  Vec3 worst = Vec3::Zero();  // where the error is
};

class Cutter {
 public:
  Cutter(const TriangleMesh& mesh, const PiecesOptions& options, double size)
      : mesh_(mesh), options_(options), size_(size), tolerance_(kHullCoplanar * size) {}

  void run(int most, Pieces& out) {
    std::vector<Part> parts;
    if (std::optional<Part> whole = part_of(surface_of(mesh_), {})) {
      const bool is_convex =
          whole->volume - solid_mesh(mesh_).mass <= kHullCoplanar * whole->volume;
      if (!is_convex) measure(*whole);
      parts.push_back(std::move(*whole));
    }
    while (static_cast<int>(parts.size()) < most) {
      const auto worst = std::ranges::max_element(parts, {}, &Part::error);
      if (worst == parts.end() || worst->error <= options_.error * size_) break;
      if (!cut(static_cast<std::size_t>(worst - parts.begin()), parts)) break;
    }
    for (Part& part : parts) {
      out.error = std::max(out.error, part.error);
      out.solids.push_back(std::move(part.hull));
    }
  }

 private:
  // Nothing if it is flat.
  std::optional<Part> part_of(SurfacePart surface, std::vector<Vec3> inner) const {
    std::vector<Vec3> points = inner;
    for (const SurfacePolygon& p : surface)
      points.insert(points.end(), p.points.begin(), p.points.end());
    Part part;
    try {
      part.hull = convex_hull(points);
    } catch (const ShapeError&) {
      return {};
    }
    part.volume = solid_polyhedron(part.hull).mass;
    if (part.volume <= tolerance_ * size_ * size_) return {};
    part.surface = std::move(surface);
    part.inner = std::move(inner);
    return part;
  }

  void note(Part& part, const Vec3& x, double error) const {
    if (!(error > part.error)) return;
    part.error = error;
    part.worst = x;
  }

  // How far the hull reaches out of the solid, and how deep in it the surface lies.
  void measure(Part& part) const {
    for (const SurfacePolygon& polygon : part.surface) {
      Vec3 middle = Vec3::Zero();
      for (const Vec3& x : polygon.points) {
        middle += x / static_cast<double>(polygon.points.size());
        note(part, x, depth(part.hull, x));
      }
      note(part, middle, depth(part.hull, middle));
    }
    for (int f = 0; f < part.hull.face_count(); ++f) {
      const std::span<const int> loop = part.hull.face_loop(f);
      const auto corner = [&](std::size_t k) -> const Vec3& {
        return part.hull.vertices[at(loop[k])];
      };
      for (std::size_t k = 1; k + 1 < loop.size(); ++k)
        sample(part, corner(0), corner(k), corner(k + 1));
    }
  }

  // Of a triangle of the hull; its corners lie on the surface or inside.
  void sample(Part& part, const Vec3& a, const Vec3& b, const Vec3& c) const {
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    const int n = static_cast<int>(
        std::clamp(std::ceil(longest / (0.5 * options_.error * size_)), 2.0, double{kSamples}));
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) {
        if (i == n || j == n || i + j == 0) continue;
        const double u = i / double(n), v = j / double(n);
        const Vec3 x = (1 - u - v) * a + u * b + v * c;
        const double out = distance(part.surface, x);
        if (out > part.error && winding(mesh_, x) < 0.5) note(part, x, out);
      }
  }

  static double depth(const Polyhedron& hull, const Vec3& x) {
    double least = std::numeric_limits<double>::infinity();
    for (int f = 0; f < hull.face_count(); ++f) least = std::min(least, -hull.height_above(f, x));
    return std::max(least, 0.0);
  }

  // Planes of the surface near the worst place, and planes through it.
  std::vector<CutPlane> candidates(const Part& part) const {
    std::vector<std::pair<double, const SurfacePolygon*>> near;
    for (const SurfacePolygon& p : part.surface) near.emplace_back(distance(p, part.worst), &p);
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<CutPlane> planes;
    const auto add = [&](const Vec3& n, double offset) {
      for (const CutPlane& known : planes)
        if (std::abs(known.n.dot(n)) > 1 - kHullCoplanar &&
            std::abs(known.offset - std::copysign(1.0, known.n.dot(n)) * offset) <= tolerance_)
          return;
      planes.push_back({n, offset});
    };
    for (const auto& [_, polygon] : near) {
      if (std::ssize(planes) == kPlanes) break;
      add(polygon->normal, polygon->normal.dot(polygon->points[0]));
    }
    for (int k = 0; k < 3; ++k) add(Vec3::Unit(k), part.worst[k]);
    return planes;
  }

  std::optional<Part> half(const Part& part, const CutPlane& plane) const {
    SurfacePart surface = below(part.surface, plane, tolerance_);
    std::vector<Vec3> inner;
    for (const Vec3& x : part.inner)
      if (plane.above(x) <= tolerance_) inner.push_back(x);
    for (const Polyhedron::Edge& e : part.hull.edges) {
      const Vec3 &a = part.hull.vertices[at(e.tail)], &b = part.hull.vertices[at(e.head)];
      const double ha = plane.above(a), hb = plane.above(b);
      if (!(std::min(ha, hb) < -tolerance_ && std::max(ha, hb) > tolerance_)) continue;
      const Vec3 x = a + ha / (ha - hb) * (b - a);
      if (distance(part.surface, x) > tolerance_ && winding(mesh_, x) > 0.5) inner.push_back(x);
    }
    return part_of(std::move(surface), std::move(inner));
  }

  // Replaces a part by its two halves; false if no plane divides it.
  bool cut(std::size_t index, std::vector<Part>& parts) const {
    std::optional<Part> low, high;
    for (const CutPlane& plane : candidates(parts[index])) {
      std::optional<Part> a = half(parts[index], plane);
      std::optional<Part> b = half(parts[index], {-plane.n, -plane.offset});
      if (!a || !b || (low && a->volume + b->volume >= low->volume + high->volume)) continue;
      low = std::move(a);
      high = std::move(b);
    }
    if (!low) return false;
    measure(*low);
    measure(*high);
    parts[index] = std::move(*low);
    parts.push_back(std::move(*high));
    return true;
  }

  const TriangleMesh& mesh_;
  const PiecesOptions& options_;
  const double size_, tolerance_;
};

}  // namespace

Pieces cut_into_pieces(const TriangleMesh& mesh, const PiecesOptions& options) {
  const double size = aabb(mesh).extent().norm();
  const TriangleMesh closed = welded(mesh, kHullCoplanar * size);
  if (const std::string wrong = why_no_solid(closed); !wrong.empty()) throw ShapeError(wrong);
  Pieces pieces;
  std::vector<TriangleMesh> parts = components(closed);
  // a hollow is a component that is inside out: it belongs to what is around it
  const bool has_hollow =
      std::ranges::any_of(parts, [](const TriangleMesh& p) { return solid_mesh(p).mass < 0; });
  if (has_hollow) parts.assign(1, closed);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto others = static_cast<int>(parts.size() - i) - 1;
    const int left = options.most - static_cast<int>(pieces.solids.size()) - others;
    Cutter(parts[i], options, size).run(std::max(left, 1), pieces);
  }
  return pieces;
}

}  // namespace abut
