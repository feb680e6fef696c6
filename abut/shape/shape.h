// Shape: what a geom is made of, and what the rooms above ask of any shape.
//
// A Shape is a small value; meshes, hulls and height fields live in ShapeAssets, and a
// shape names its own by index. A mesh is known by its convex hull to everything here
// but the mass properties; a mesh without triangles weighs what its hull weighs.
//
//   abut::ShapeAssets assets;
//   abut::Shape ball{abut::ShapeKind::sphere, {0.1, 0, 0}};
//   abut::Shape rock{abut::ShapeKind::mesh, {0, 0, 0}, add_mesh(assets, mesh)};
//   abut::Aabb box = aabb(rock, assets, X_WG);
#pragma once

#include <string>
#include <vector>

#include "abut/shape/aabb.h"
#include "abut/shape/height_field.h"
#include "abut/shape/kind.h"
#include "abut/shape/mass_properties.h"
#include "abut/shape/polyhedron.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  Vec3 size = Vec3::Zero();  // kind.h says what it means
  int asset = -1;            // mesh: in meshes and hulls; hfield: in hfields
};

struct ShapeAssets {
  std::vector<TriangleMesh> meshes;
  std::vector<Polyhedron> hulls;  // hulls[i] is the hull of meshes[i]
  std::vector<HeightField> hfields;
};

// Adds a mesh and its hull; gives their index. Throws ShapeError if it has no volume.
int add_mesh(ShapeAssets& assets, TriangleMesh mesh);
// Adds a hull that has no mesh behind it.
int add_hull(ShapeAssets& assets, Polyhedron hull);

// "box", "sphere", ...: MJCF's word.
const char* name(ShapeKind kind);

// What is wrong with the size or the asset and what to write instead, or "".
std::string check_size(const Shape& shape, const ShapeAssets& assets);

// The smallest box, in the shape's frame or in the world. A plane's is infinite, but
// for the side its half-space ends on when its normal is a coordinate axis.
Aabb local_aabb(const Shape& shape, const ShapeAssets& assets);
Aabb aabb(const Shape& shape, const ShapeAssets& assets, const Pose& X_WG);

// The farthest point along a direction of any length, both in the shape's frame, of
// the shape's convex hull. `hint`, if given, is where to start and then where it ended
// (hulls only). Not for planes: a half-space has no farthest point.
Vec3 support(const Shape& shape, const ShapeAssets& assets, const Vec3& direction,
             int* hint = nullptr);

// At density 1 (per m^3 and per m^2), in the shape's frame. A plane weighs nothing.
MassProperties solid_properties(const Shape& shape, const ShapeAssets& assets);
MassProperties shell_properties(const Shape& shape, const ShapeAssets& assets);

// Of the smallest ball about the frame's origin that holds the shape (m); a plane's is
// infinite.
double bounding_radius(const Shape& shape, const ShapeAssets& assets);

}  // namespace abut
