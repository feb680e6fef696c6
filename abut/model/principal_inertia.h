// Inertia by its principal axes: the form in which MJCF specifies, bounds, balances and aligns it.
#pragma once

#include "abut/math/types.h"
#include "abut/shape/mass_properties.h"

namespace abut {

struct PrincipalInertia {
  double mass = 0;               // kg
  Pose pose;                     // of the principal axes; its origin is the centre of mass
  Vec3 diagonal = Vec3::Zero();  // kg m^2
};

// The axes of a symmetric matrix, moments in descending order. They are the axes that MuJoCo finds,
// including signs and order, because a free joint aligned with them makes them visible in q.
PrincipalInertia principal_inertia(const MassProperties& properties);

// The same for a mesh, with the accuracy of MuJoCo 3.14. There an off-diagonal entry below 1e-7 of
// the largest moment counts as zero, and the mesh's inertia is wrong by as much. A file that was
// tuned there weighs the same here.
PrincipalInertia principal_inertia_of_mesh(const MassProperties& unit_density);

MassProperties to_mass_properties(const PrincipalInertia& inertia);

}  // namespace abut
