// Closed forms for pairs of primitives: signed distance, normal and points, exact to
// rounding, apart and overlapping.
//
//   half-space   with a polyhedron, sphere, capsule, cylinder, ellipsoid
//   sphere       with a sphere, capsule, box, cylinder
//   capsule      with a capsule
//
// Overlapping, the depth is the minimum translational distance, from inside too: a
// sphere whose centre is in a box leaves by the nearest face; capsules with crossing
// axes part along the common perpendicular. Where several directions would do (one
// centre on the other, equal ways out) it takes one of them and says `indeterminate`.
//
//   abut::Proximity d;
//   if (!abut::analytic_proximity(a, b, X_AB, d)) d = ask_someone_else();
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"

namespace abut {

// In A's frame. False: there is no closed form for these two kinds.
bool analytic_proximity(const Convex& A, const Convex& B, const Transform& X_AB, Proximity& out);

}  // namespace abut
