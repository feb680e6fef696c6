// Height field: a grid of heights over a rectangle, as MJCF has it.
//
// Column c is at x = -size.x .. size.x, row r at y = -size.y .. size.y; the surface is
// at z = z_top * height, the base at z = -z_bottom. A cell is cut into two triangles
// along the diagonal from its (low x, low y) to its (high x, high y) corner.
//
//   abut::HeightField field{2, 3, {1, 0.5}, 0.2, 0.1, {0, 0.5, 1, 0, 0.5, 1}};
//   double z = height(field, 0.3, 0.1);
#pragma once

#include <array>
#include <string>
#include <vector>

#include "abut/shape/aabb.h"
#include "abut/shape/mass_properties.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

struct HeightField {
  int rows = 0, cols = 0;
  Vec2 size = Vec2::Zero();    // half extents along x and y (m)
  double z_top = 0;            // elevation of height 1 (m)
  double z_bottom = 0;         // thickness of the base below z = 0 (m)
  std::vector<double> height;  // row-major, 0 .. 1

  double at(int row, int col) const { return height[static_cast<std::size_t>(row) * cols + col]; }
};

// The error in the field and what to write instead, or "".
std::string check(const HeightField& field);

// Shifts and stretches the heights to 0 .. 1, as MuJoCo does on loading; equal heights
// become 0.
void normalise_heights(std::vector<double>& height);

Vec3 vertex(const HeightField& field, int row, int col);

// Elevation of the surface (m); outside the rectangle that of the nearest border point.
double height(const HeightField& field, double x, double y);

Aabb aabb(const HeightField& field);

// The surface consists of two triangles a cell, numbered along the rows: 2 (row (cols - 1) + col)
// has the corner of high x and low y, the next one the corner of low x and high y.
int triangle_count(const HeightField& field);
// Its corners, counter-clockwise seen from above, from the corner of low x and low y.
std::array<Vec3, 3> triangle(const HeightField& field, int index);

// The closed surface: top, base and four walls, outward oriented.
TriangleMesh surface(const HeightField& field);

// Not the solid under the surface (that is solid_mesh(surface(field))), but what MuJoCo gives an
// hfield geom: a box centred on its frame, as thick as the base and half the elevation together. It
// matters only for a field on a moving body.
MassProperties solid_height_field(const HeightField& field);
MassProperties shell_height_field(const HeightField& field);

}  // namespace abut
