#include "abut/collide/parts/part_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

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

bool is_covered(const ConvexSet& solids, int solid, const Vec3& p, const Vec3& n) {
  const SolidNumbers& numbers = solids.numbers();
  if (solid < numbers.geom_count() || solid >= numbers.first_cell()) return false;
  const double tolerance = kOnPart * solids[solid].size;
  const Vec3 above = p + 10 * tolerance * n;
  const SolidNumbers::Range parts = numbers.parts(numbers.geom_of(solid));
  for (int other = parts.begin; other < parts.end; ++other)
    if (other != solid && is_inside(*solids[other].polyhedron, above, -tolerance)) return true;
  return false;
}

}  // namespace abut
