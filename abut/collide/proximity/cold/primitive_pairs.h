// Closed forms for pairs of primitives: signed distance, normal and points, exact to rounding, both
// apart and overlapping.
//
//   half-space   with a polyhedron, sphere, capsule, cylinder, ellipsoid
//   sphere       with a sphere, capsule, box, cylinder
//   capsule      with a capsule
//
// For overlapping solids the depth is the minimum translational distance, also from inside: a
// sphere whose centre is in a box leaves by the nearest face; capsules with crossing axes separate
// along the common perpendicular. If several directions are equally good (coinciding centres, equal
// ways out), the answer is one of them and is `indeterminate`.
//
//   abut::Proximity d;
//   if (!abut::analytic_proximity(a, b, X_AB, d)) d = another_method();
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"

namespace abut {

// The answer is in A's frame. Returns false if these two kinds have no closed form.
bool analytic_proximity(const Convex& A, const Convex& B, const Transform& X_AB, Proximity& out);

}  // namespace abut
