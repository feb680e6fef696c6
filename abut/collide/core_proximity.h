// Signed distance of two cores (polyhedra, points, segments) and of solids that are
// cores grown by a rounding: GJK apart, the expanding polytope where they overlap, and
// then the answer once more from the features themselves, exact to rounding.
//
// This is the part of proximity() (proximity.h) that does not know of primitives.
#pragma once

#include "abut/collide/convex.h"
#include "abut/collide/proximity.h"
#include "abut/math/transform.h"

namespace abut {

// How often each way was taken, for tests and benchmarks; one for each thread.
struct CoreCounts {
  long long queries = 0, gjk_iterations = 0, expansions = 0, expansion_iterations = 0;
  long long same_features = 0;  // coherent queries answered from last time's features
  long long followed = 0;       // coherent depths found by a walk from there
  long long polished = 0;       // near or doubtful: V-Clip had the last word
  long long fallbacks = 0;      // answered by the separating axes, for rounding's sake
};
CoreCounts& core_counts();

// In A's frame. Both must have a core. `hint` of polyhedra: where recall() left off (recall.h).
Proximity core_proximity(const Convex& A, const Convex& B, const Transform& X_AB, PairHint* hint,
                         double limit);

}  // namespace abut
