// The answer from a warm start, which is what the last query of a pair of polyhedra found: apart,
// while the same features are the closest (a local test, and by convexity enough), or where a walk
// from them ends; overlapping, while they are proved to give the least translation, or those that a
// walk downhill leads to.
//
//   abut::Proximity d;
//   if (warm_proximity(A, B, abut::InWorldAxes(X_WA, X_WB), warm_start, d)) use(d.distance);
#pragma once

#include "abut/collide/proximity/pair_axes.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/model/contact_memory.h"

namespace abut {

// Both must be polyhedra. True: `d` is the answer, in these axes (pair_axes.h), and the warm start
// is brought up to date. One that makes no sense for the two counts as none, and a pose that is not
// finite is nothing to be sure of.
template <typename Axes>
bool warm_proximity(const Convex& A, const Convex& B, const Axes& axes, WarmStart& warm_start,
                    Proximity& d);

}  // namespace abut
