// Convex hull of points, with polygonal faces.
//
// Qhull finds the hull. Then facets that lie in one plane to 1e-9 of the size (more where the
// coordinates themselves are coarser) become one polygon, and points inside faces or edges are
// removed, so that a cube always has 8 vertices, 12 edges and 6 faces. The result depends neither
// on the order of the points nor on their place in space; its vertices are input points, in
// lexicographic order.
//
//   abut::Polyhedron p = abut::convex_hull(points);  // throws ShapeError if they are flat
#pragma once

#include <span>

#include "abut/shape/polyhedron.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

Polyhedron convex_hull(std::span<const Vec3> points);

// The same, cut into triangles.
TriangleMesh convex_hull_mesh(std::span<const Vec3> points);

}  // namespace abut
