// Signed distance of two cores (polyhedra, points, segments), and of solids that are cores grown by
// a rounding. GJK finds the distance of cores that are apart, the expanding polytope finds the
// depth of cores that overlap. Then the answer is computed again from the features themselves,
// exact to rounding.
//
// This is the part of proximity() (proximity.h) that does not handle primitives. cold/core_parts.h
// has its methods, warm/ has the warm starts.
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"
#include "abut/model/contact_memory.h"

namespace abut {

// The answer is in A's frame. Both solids must have a core. `warm_start` is used for polyhedra:
// this query continues where warm_proximity() gave up (warm_proximity.h).
Proximity core_proximity(const Convex& A, const Convex& B, const Transform& X_AB,
                         WarmStart* warm_start, double limit);

}  // namespace abut
