// Mass, centre of mass and inertia: transformation, sums, scaling, and closed forms for the
// primitives.
//
// All functions that compute them use density 1: a solid's mass is its volume (m^3), a shell's mass
// its area (m^2). So a steel ball and a paper ball of radius 0.1 are
//
//   abut::MassProperties steel = scaled(abut::solid_sphere(0.1), 7850);  // kg/m^3
//   abut::MassProperties paper = scaled(abut::shell_sphere(0.1), 0.08);  // kg/m^2
//   abut::MassProperties both = combined(steel, transformed(paper, X_SP));
#pragma once

#include <span>

#include "abut/math/types.h"

namespace abut {

struct MassProperties {
  double mass = 0;              // kg
  Vec3 com = Vec3::Zero();      // m
  Mat3 inertia = Mat3::Zero();  // kg m^2, about com, along the axes com is given in
};

// Transforms from frame B to frame A.
MassProperties transformed(const MassProperties& in_B, const Pose& X_AB);

// The sum of the parts, all given in one frame. If the total mass is zero, the centre is the origin
// and the inertias are added.
MassProperties combined(std::span<const MassProperties> parts);
MassProperties combined(const MassProperties& a, const MassProperties& b);

MassProperties scaled(const MassProperties& unit_density, double density);

// From the integrals of 1, x and x x^T over the mass, x measured from `origin`.
MassProperties from_moments(double mass, const Vec3& first, const Mat3& second, const Vec3& origin);

// Frames are centred, axes along z; h is a half length (m), as MJCF has it.
MassProperties solid_sphere(double r);
MassProperties solid_capsule(double r, double h);  // 2h is the cylinder's part alone
MassProperties solid_cylinder(double r, double h);
MassProperties solid_ellipsoid(const Vec3& semi_axes);
MassProperties solid_box(const Vec3& half_extents);

MassProperties shell_sphere(double r);
MassProperties shell_capsule(double r, double h);
MassProperties shell_cylinder(double r, double h);  // with its two discs
MassProperties shell_box(const Vec3& half_extents);

// As MuJoCo defines it, which is not a uniform shell (that would need elliptic integrals). The area
// is Thomsen's approximation (off by at most 1.1 %). The inertia is that of the layer between the
// ellipsoid and one whose semi-axes are all longer by the same small length. MuJoCo uses 1e-6 m,
// abut uses the limit: a relative difference of about 1e-6 m / size. Exact for a sphere.
MassProperties shell_ellipsoid(const Vec3& semi_axes);

}  // namespace abut
