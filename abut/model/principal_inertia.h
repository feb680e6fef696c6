// Inertia by its principal axes: how MJCF writes it, and how it is bounded, balanced
// and aligned with.
#pragma once

#include "abut/math/types.h"
#include "abut/shape/mass_properties.h"

namespace abut {

struct PrincipalInertia {
  double mass = 0;             // kg
  Pose pose;                   // of the principal axes; its origin is the centre of mass
  Vec3 diagonal = Vec3::Zero();  // kg m^2
};

// The axes of a symmetric matrix, moments in descending order. They are the ones that
// MuJoCo finds, signs and order included, since a free joint aligned with them makes
// them visible in q.
//
// MuJoCo takes off-diagonal entries below 1e-12 for zero, in whatever unit the matrix
// has. That is wrong for very small parts, and we do the same: a model that was tuned
// there weighs the same here.
PrincipalInertia principal_inertia(const MassProperties& properties);

MassProperties to_mass_properties(const PrincipalInertia& inertia);

}  // namespace abut
