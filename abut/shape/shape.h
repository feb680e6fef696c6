// Shape: the geometry of a geom, and the functions that other rooms need of any shape.
//
// A Shape is a small value. ShapeAssets owns meshes, hulls and height fields, and a shape refers to
// its own by index. All functions here represent a mesh by its convex hull, except the mass
// properties; a mesh without triangles has the mass of its hull.
//
//   abut::ShapeAssets assets;
//   abut::Shape ball{abut::ShapeKind::sphere, {0.1, 0, 0}};
//   abut::Shape rock{abut::ShapeKind::mesh, {0, 0, 0}, add_mesh(assets, mesh)};
//   abut::Aabb box = aabb(rock, assets, X_WG);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abut/shape/aabb.h"
#include "abut/shape/height_field.h"
#include "abut/shape/kind.h"
#include "abut/shape/mass_properties.h"
#include "abut/shape/pieces/pieces.h"
#include "abut/shape/polyhedron.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

struct MeshField;

struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  Vec3 size = Vec3::Zero();  // meaning: see kind.h
  int asset = -1;            // mesh: index in meshes and hulls; hfield: in hfields
};

struct ShapeAssets {
  std::vector<TriangleMesh> meshes;
  std::vector<Polyhedron> hulls;  // hulls[i] is the hull of meshes[i]
  std::vector<Pieces> pieces;     // of meshes[i]; none, or none of a mesh: it collides as its hull
  // Of meshes[i] (field/mesh_field.h); none, or null: it does not collide by a distance field.
  std::vector<std::shared_ptr<const MeshField>> fields;
  std::vector<HeightField> hfields;
};

// Adds a mesh and its hull; returns their index. Throws ShapeError if the mesh has no volume.
int add_mesh(ShapeAssets& assets, TriangleMesh mesh);
// Adds a hull without a mesh.
int add_hull(ShapeAssets& assets, Polyhedron hull);

// The MJCF name: "box", "sphere", ...
const char* name(ShapeKind kind);

// The error in the size or the asset and what to write instead, or "".
std::string check_size(const Shape& shape, const ShapeAssets& assets);

// The smallest box, in the shape's frame or in the world. The box of a plane is infinite, except on
// the side where its half-space ends if its normal is a coordinate axis.
Aabb local_aabb(const Shape& shape, const ShapeAssets& assets);
Aabb aabb(const Shape& shape, const ShapeAssets& assets, const Pose& X_WG);

// The farthest point of the shape's convex hull along a direction of any length, both in the
// shape's frame (support map). `hint`, if given, is the start of the search, and then its end
// (hulls only). Not for planes: a half-space has no farthest point.
Vec3 support(const Shape& shape, const ShapeAssets& assets, const Vec3& direction,
             int* hint = nullptr);

// At density 1 (per m^3 and per m^2), in the shape's frame. A plane has no mass.
MassProperties solid_properties(const Shape& shape, const ShapeAssets& assets);
MassProperties shell_properties(const Shape& shape, const ShapeAssets& assets);

// Radius of the smallest ball about the frame's origin that contains the shape (m); infinite for a
// plane.
double bounding_radius(const Shape& shape, const ShapeAssets& assets);

}  // namespace abut
