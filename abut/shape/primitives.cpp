#include "abut/shape/primitives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "abut/shape/error.h"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

void require_positive(const char* what, double length) {
  if (!(std::isfinite(length) && length > 0)) {
    throw ShapeError(fmt::format("{} is {} m; it must be positive", what, length));
  }
}

// Sides of a regular polygon in a unit circle whose sides are within `sagitta` of it; a
// multiple of four, so that the polygon has the circle's extent along x and y.
int circle_sides(double sagitta) {
  if (!(sagitta > 0 && sagitta <= 0.5)) {
    throw ShapeError(fmt::format(
        "a tessellation's tolerance is {}; it must be above 0 and at most 0.5", sagitta));
  }
  const double sides = kPi / std::acos(1 - sagitta);
  if (sides > 4000)
    throw ShapeError(
        fmt::format("a tessellation's tolerance is {}; the finest is about 1e-6", sagitta));
  return 4 * static_cast<int>(std::ceil(sides / 4));
}

struct Ring {
  double radius, z;  // radius 0 is a pole
};

// Stacks rings of `sides` vertices from low to high z, closed by a polygon or a pole.
Polyhedron stacked(std::span<const Ring> rings, int sides, const Vec3& scale) {
  std::vector<Vec3> vertices;
  std::vector<int> first;  // vertex of each ring
  for (const Ring& ring : rings) {
    first.push_back(static_cast<int>(vertices.size()));
    for (int k = 0; k < (ring.radius > 0 ? sides : 1); ++k) {
      // a quarter at a time: opposite vertices are mirror images to the last bit
      const double angle = 2 * kPi * (k % (sides / 4)) / sides;
      const double c = std::cos(angle), s = std::sin(angle);
      const Vec2 quarter[] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
      const Vec2 p = ring.radius * quarter[k / (sides / 4)];
      vertices.push_back(scale.cwiseProduct(Vec3(p.x(), p.y(), ring.z)));
    }
  }

  std::vector<std::vector<int>> loops;
  const auto cap = [&](std::size_t ring, bool top) {
    if (rings[ring].radius == 0) return;
    auto& loop = loops.emplace_back();
    for (int k = 0; k < sides; ++k) loop.push_back(first[ring] + (top ? k : sides - 1 - k));
  };
  cap(0, false);
  for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
    for (int k = 0; k < sides; ++k) {
      const int next = (k + 1) % sides, low = first[i], high = first[i + 1];
      if (rings[i].radius == 0) {
        loops.push_back({low, high + next, high + k});
      } else if (rings[i + 1].radius == 0) {
        loops.push_back({low + k, low + next, high});
      } else {
        loops.push_back({low + k, low + next, high + next, high + k});
      }
    }
  }
  cap(rings.size() - 1, true);
  return make_polyhedron(std::move(vertices), loops);
}

// The rings of a unit sphere from pole to pole, pulled apart by h at the equator.
std::vector<Ring> round_rings(int sides, double r, double h) {
  std::vector<Ring> rings;
  for (int k = -sides / 4; k <= sides / 4; ++k) {
    const double latitude = 2 * kPi * k / sides;
    const bool pole = std::abs(k) == sides / 4;
    const Ring ring{pole ? 0 : r * std::cos(latitude), r * std::sin(latitude)};
    if (k < 0 || (k == 0 && h > 0)) rings.push_back({ring.radius, ring.z - h});
    if (k >= 0) rings.push_back({ring.radius, ring.z + h});
  }
  return rings;
}

}  // namespace

Polyhedron box_polyhedron(const Vec3& a) {
  for (int k = 0; k < 3; ++k) require_positive("a box's half extent", a[k]);
  std::vector<Vec3> vertices;
  for (int i = 0; i < 8; ++i) {
    vertices.emplace_back(i & 4 ? a.x() : -a.x(), i & 2 ? a.y() : -a.y(), i & 1 ? a.z() : -a.z());
  }
  const std::vector<std::vector<int>> loops{{0, 1, 3, 2}, {0, 2, 6, 4}, {0, 4, 5, 1},
                                            {1, 5, 7, 3}, {2, 3, 7, 6}, {4, 6, 7, 5}};
  return make_polyhedron(std::move(vertices), loops);
}

Polyhedron cylinder_polyhedron(double r, double h, double tolerance) {
  require_positive("a cylinder's radius", r);
  require_positive("a cylinder's half length", h);
  const Ring rings[] = {{r, -h}, {r, h}};
  return stacked(rings, circle_sides(tolerance), Vec3::Ones());
}

// A facet of a sphere is bent both ways: each way gets half of the tolerance.
Polyhedron capsule_polyhedron(double r, double h, double tolerance) {
  require_positive("a capsule's radius", r);
  require_positive("a capsule's half length", h);
  const int sides = circle_sides(tolerance / 2);
  return stacked(round_rings(sides, r, h), sides, Vec3::Ones());
}

Polyhedron ellipsoid_polyhedron(const Vec3& a, double tolerance) {
  for (int k = 0; k < 3; ++k) require_positive("an ellipsoid's semi-axis", a[k]);
  const int sides = circle_sides(tolerance / 2);
  return stacked(round_rings(sides, 1, 0), sides, a);
}

Polyhedron sphere_polyhedron(double r, double tolerance) {
  require_positive("a sphere's radius", r);
  return ellipsoid_polyhedron(Vec3::Constant(r), tolerance);
}

}  // namespace abut
