// Triangle mesh: any surface, closed or not, and its exact integrals.
//
//   abut::TriangleMesh mesh = ...;               // counter-clockwise seen from outside
//   if (check(mesh).oriented) mass = scaled(abut::solid_mesh(mesh), 1000);
#pragma once

#include <array>
#include <vector>

#include "abut/shape/aabb.h"
#include "abut/shape/mass_properties.h"

namespace abut {

struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

Aabb aabb(const TriangleMesh& mesh);

// The solid that a closed, outward oriented mesh bounds, at density 1: a sum of signed tetrahedra,
// exact for polyhedra. They share an apex inside the bounding box, so that nothing cancels for a
// mesh far from the origin. An inside-out mesh gets a negative mass; the result for an open mesh
// depends on the apex: see check().
MassProperties solid_mesh(const TriangleMesh& mesh);

// The surface alone, at one kg per m^2.
MassProperties shell_mesh(const TriangleMesh& mesh);

// MuJoCo's inertia="legacy": tetrahedra count with their absolute volume. For the centre the apex
// is the centroid of the surface; for mass and inertia it is that centre. The result is too heavy
// where the surface folds back; it equals solid_mesh for convex meshes. Made for meshes with
// triangles of mixed orientation.
MassProperties legacy_mesh(const TriangleMesh& mesh);

// How the triangles are connected, by vertex ids: weld the vertices first if the file repeats them
// for each triangle, as STL does.
struct MeshCheck {
  bool watertight = false;  // every edge has exactly two triangles
  bool oriented = false;    // watertight, and each edge's two triangles agree on a side
  int open_edges = 0;       // edges of one triangle
  int crowded_edges = 0;    // edges of three or more
};
MeshCheck check(const TriangleMesh& mesh);
bool is_watertight(const TriangleMesh& mesh);
bool is_consistently_oriented(const TriangleMesh& mesh);

// Replaces vertices closer than `tolerance` (m) to an earlier one by that one; removes triangles
// that lose a side, and vertices without a triangle.
TriangleMesh welded(const TriangleMesh& mesh, double tolerance = 0);

}  // namespace abut
