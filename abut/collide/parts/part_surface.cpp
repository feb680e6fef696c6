#include "abut/collide/parts/part_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "abut/collide/parts/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// A plane through p, and what may rise above it.
struct Plane {
  Vec3 p, n;
  double tolerance;  // m

  bool rises(const Vec3& v) const {
    const Vec3 way = v - p;
    return n.dot(way) > kSeamAngle * way.norm() + tolerance;
  }
};

bool is_inside(const Polyhedron& solid, const Vec3& p, double tolerance) {
  for (int f = 0; f < solid.face_count(); ++f)
    if (solid.height_above(f, p) > tolerance) return false;
  return true;
}

bool pieces_allow(const ConvexSet& solids, int solid, const Plane& plane) {
  const SolidNumbers& numbers = solids.numbers();
  const SolidNumbers::Range parts = numbers.parts(numbers.geom_of(solid));
  for (int other = parts.begin; other < parts.end; ++other) {
    if (other == solid) continue;
    const Convex& c = solids[other];
    if ((plane.p - c.center).norm() > c.radius + plane.tolerance) continue;
    if (!plane.rises(c.support->vertex(c.support->farthest(plane.n)))) continue;
    if (is_inside(*c.polyhedron, plane.p, plane.tolerance)) return false;
  }
  return true;
}

// Height of p above a triangle's plane, if p is above it or on its border; else nothing.
bool is_under(const std::array<Vec3, 3>& corners, const Vec3& p, double tolerance) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 &from = corners[at(k)], &to = corners[at((k + 1) % 3)];
    const Vec2 side = (to - from).head<2>(), way = (p - from).head<2>();
    if (side.x() * way.y() - side.y() * way.x() < -tolerance * side.norm()) return false;
  }
  const Vec3 up = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  return up.dot(p - corners[0]) <= tolerance;
}

bool cell_allows(const HeightField& field, int triangle_index, const Plane& plane) {
  const std::array<Vec3, 3> corners = triangle(field, triangle_index);
  if (!is_under(corners, plane.p, plane.tolerance)) return true;
  for (const Vec3& v : corners)
    if (plane.rises(v) || plane.rises({v.x(), v.y(), -field.z_bottom})) return false;
  return true;
}

bool cells_allow(const FieldCells::Place& place, const Plane& plane) {
  const HeightField& field = *place.field;
  const auto cell = [&](double x, double half, int count) {
    return std::clamp(static_cast<int>(std::floor((x / half + 1) / 2 * count)), 0, count - 1);
  };
  const double t = plane.tolerance;
  const int rows = field.rows - 1, cols = field.cols - 1;
  const int r1 = cell(plane.p.y() + t, field.size.y(), rows);
  const int c1 = cell(plane.p.x() + t, field.size.x(), cols);
  for (int r = cell(plane.p.y() - t, field.size.y(), rows); r <= r1; ++r)
    for (int c = cell(plane.p.x() - t, field.size.x(), cols); c <= c1; ++c)
      for (int half = 0; half < 2; ++half) {
        const int other = 2 * (r * cols + c) + half;
        if (other != place.triangle && !cell_allows(field, other, plane)) return false;
      }
  return true;
}

}  // namespace

bool allows_normal(const ConvexSet& solids, int solid, const Vec3& p, const Vec3& n) {
  const SolidNumbers& numbers = solids.numbers();
  if (solid < numbers.geom_count()) return true;
  const Plane plane{p, n, kOnPart * solids[solid].size};
  return solid < numbers.first_cell() ? pieces_allow(solids, solid, plane)
                                      : cells_allow(solids.cells().place(solid), plane);
}

bool is_inner_face(const ConvexSet& solids, int solid, int face) {
  return solid >= solids.numbers().first_cell() && !solids.cells().is_surface(solid, face);
}

namespace {

// Whether a point over or under a face is inside its borders, or outside by no more than `margin`.
bool is_between_borders(const Polyhedron& part, int face, const Vec3& x, double margin) {
  for (const Polyhedron::Border& border : part.face_borders(face))
    if (border.inward.dot(x - part.center) < border.offset - margin) return false;
  return true;
}

// Whether another piece contains the point, deeper than `margin` (negative: or nearly so).
bool is_in_other(const ConvexSet& solids, int solid, const Vec3& p, double margin) {
  const SolidNumbers& numbers = solids.numbers();
  const SolidNumbers::Range parts = numbers.parts(numbers.geom_of(solid));
  for (int other = parts.begin; other < parts.end; ++other)
    if (other != solid && is_inside(*solids[other].polyhedron, p, -margin)) return true;
  return false;
}

}  // namespace

bool is_on(const Polyhedron& part, int face, const Vec3& x, double tolerance) {
  return std::abs(part.height_above(face, x)) <= tolerance &&
         is_between_borders(part, face, x, tolerance);
}

bool is_bare(const ConvexSet& solids, int solid, int face, const Vec3& x) {
  constexpr int kWaysAround = 12;
  const SolidNumbers& numbers = solids.numbers();
  if (solid < numbers.geom_count() || solid >= numbers.first_cell()) return true;
  const Polyhedron& part = *solids[solid].polyhedron;
  const double tolerance = kOnPart * solids[solid].size;
  const Vec3 up = part.faces[at(face)].eta, above = x + 10 * tolerance * up;
  if (!is_in_other(solids, solid, above, -tolerance)) return true;
  // the face around the point: towards its middle, and all around
  Vec3 middle = Vec3::Zero();
  for (const int v : part.face_loop(face)) middle += part.vertices[at(v)];
  middle /= static_cast<double>(part.face_loop(face).size());
  const Vec3 u = up.unitOrthogonal(), v = up.cross(u);
  const double beside = kBesidePoint * solids[solid].size;
  const auto is_bare_towards = [&](const Vec3& way) {
    const Vec3 y = above + beside * way;
    return is_between_borders(part, face, y, -2 * tolerance) &&
           !is_in_other(solids, solid, y, tolerance);
  };
  if ((middle - x).norm() > beside && is_bare_towards((middle - x).normalized())) return true;
  for (int k = 0; k < kWaysAround; ++k) {
    const double angle = (k + 0.5) * 2 * std::numbers::pi / kWaysAround;
    if (is_bare_towards(std::cos(angle) * u + std::sin(angle) * v)) return true;
  }
  return false;
}

}  // namespace abut
