// The answer from a warm start, which is the state of the last query of a pair of polyhedra. Apart:
// the same features are still the closest (a local test, sufficient by convexity), or a walk from
// them finds the closest. Overlapping: the same features are proved to give the minimum
// translation, or a walk downhill finds those that do.
//
//   abut::Proximity d;
//   if (warm_proximity(A, B, abut::InWorldAxes(X_WA, X_WB), warm_start, d)) use(d.distance);
#pragma once

#include "abut/collide/proximity/pair_axes.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/model/contact_memory.h"

namespace abut {

// Both solids must be polyhedra. If it returns true, `d` is the answer in these axes (pair_axes.h),
// and the warm start is updated. A warm start whose features do not exist counts as none. Returns
// false for a pose that is not finite.
template <typename Axes>
bool warm_proximity(const Convex& A, const Convex& B, const Axes& axes, WarmStart& warm_start,
                    Proximity& d);

}  // namespace abut
