// Signed distance of two cores (polyhedra, points, segments) and of solids that are
// cores grown by a rounding: GJK apart, the expanding polytope where they overlap, and
// then the answer once more from the features themselves, exact to rounding.
//
// This is the part of proximity() (proximity.h) that does not know of primitives. cold/core_parts.h
// has the ways it can go, warm/ what a pair remembers.
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"
#include "abut/model/contact_memory.h"

namespace abut {

// In A's frame. Both must have a core. `warm_start` of polyhedra: where warm_proximity() left off
// (warm_proximity.h).
Proximity core_proximity(const Convex& A, const Convex& B, const Transform& X_AB,
                         WarmStart* warm_start, double limit);

}  // namespace abut
