// Polyhedra for the primitives: the box exactly, curved shapes by inscribed polyhedra (vertices on
// the surface, slightly too little volume).
//
// `tolerance` is the largest distance from the true surface, relative to the radius (of an
// ellipsoid: its largest semi-axis). 1e-3 takes about 70 sides around a cylinder.
//
//   abut::Polyhedron die = abut::box_polyhedron({0.01, 0.01, 0.01});
//   abut::Polyhedron can = abut::cylinder_polyhedron(0.03, 0.06);
#pragma once

#include "abut/shape/polyhedron.h"
#include "abut/shape/tolerances.h"

namespace abut {

Polyhedron box_polyhedron(const Vec3& half_extents);
Polyhedron sphere_polyhedron(double r, double tolerance = kTessellation);
Polyhedron capsule_polyhedron(double r, double h, double tolerance = kTessellation);
Polyhedron cylinder_polyhedron(double r, double h, double tolerance = kTessellation);
Polyhedron ellipsoid_polyhedron(const Vec3& semi_axes, double tolerance = kTessellation);

}  // namespace abut
