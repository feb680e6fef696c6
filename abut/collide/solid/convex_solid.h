// Convex: one convex solid in the form that queries need.
//
// A Convex is a small view; another object owns the data (convex.h: ConvexSet). There are three
// sorts of solids:
//   polyhedra     boxes and hulls of meshes: `polyhedron` is the solid itself
//   half-space    a plane: z <= 0 in its frame, one face, no vertices
//   curved        sphere, capsule, cylinder, ellipsoid: exact where a query has a closed form,
//                 else `tessellation`, a polyhedron inscribed in the solid
// A sphere is a point and a capsule is a segment, each grown by `rounding`. Queries on these cores
// are polyhedral and exact.
#pragma once

#include "abut/collide/solid/axis_table.h"
#include "abut/collide/solid/inner_balls.h"
#include "abut/collide/solid/support_map.h"
#include "abut/math/types.h"
#include "abut/shape/kind.h"
#include "abut/shape/polyhedron.h"

namespace abut {

struct Convex {
  ShapeKind kind = ShapeKind::mesh;
  Vec3 dimensions = Vec3::Zero();          // of a primitive, as Shape::size (kind.h)
  const Polyhedron* polyhedron = nullptr;  // of boxes and hulls; else null
  // polyhedron: the same; curved: inscribed
  const Polyhedron* tessellation = nullptr;
  const SupportMap* support = nullptr;  // of the polyhedron or of the rounded core
  const AxisTable* axes = nullptr;      // of a small polyhedron; else null
  const InnerBalls* balls = nullptr;    // of a polyhedron; else null
  double rounding = 0;                  // m: radius of a sphere or capsule
  double size = 0;                      // L (m): diagonal of the local bounding box
  Vec3 center = Vec3::Zero();           // centre of a bounding ball
  double radius = 0;                    // m: radius of that ball; half-space: infinite
  double inner = 0;                     // m, polyhedra: radius of an inscribed ball around `center`
  double bumps = 0;            // m, polyhedra: largest height of a vertex above a face plane
  Mat3 spread = Mat3::Zero();  // m^2, polyhedra: mean of x x' about `center`

  bool is_half_space() const { return kind == ShapeKind::plane; }
  bool is_polyhedron() const { return polyhedron != nullptr; }
  // The solid is a polyhedron, a point or a segment, grown by `rounding`.
  bool has_core() const { return support != nullptr; }
};

// L of a pair (m): the length that tolerances are relative to. A half-space contributes no size.
inline double pair_size(const Convex& a, const Convex& b) { return a.size + b.size; }

}  // namespace abut
