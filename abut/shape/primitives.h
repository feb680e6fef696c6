// Polyhedra for the primitives: the box as it is, curved shapes by polyhedra inscribed in
// them (vertices on the surface, a little volume missing).
//
// `tolerance` is how far the surface may be from the true one, relative to the radius
// (an ellipsoid's: its largest semi-axis). 1e-3 takes about 70 sides around a cylinder.
//
//   abut::Polyhedron die = abut::box_polyhedron({0.01, 0.01, 0.01});
//   abut::Polyhedron can = abut::cylinder_polyhedron(0.03, 0.06);
#pragma once

#include "abut/shape/polyhedron.h"

namespace abut {

constexpr double kTessellation = 1e-3;

Polyhedron box_polyhedron(const Vec3& half_extents);
Polyhedron sphere_polyhedron(double r, double tolerance = kTessellation);
Polyhedron capsule_polyhedron(double r, double h, double tolerance = kTessellation);
Polyhedron cylinder_polyhedron(double r, double h, double tolerance = kTessellation);
Polyhedron ellipsoid_polyhedron(const Vec3& semi_axes, double tolerance = kTessellation);

}  // namespace abut
