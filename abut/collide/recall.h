// The answer again from what a pair of polyhedra remembers: apart, while the same features are the
// closest (a local test, and by convexity enough), or where a walk from them ends; overlapping,
// while they are proved to give the least translation, or those that a walk downhill leads to.
//
//   abut::Proximity d;
//   if (recall(A, B, abut::InWorldAxes(X_WA, X_WB), hint, d)) use(d.distance);
#pragma once

#include "abut/collide/convex.h"
#include "abut/collide/pair_axes.h"
#include "abut/collide/proximity.h"

namespace abut {

// Both must be polyhedra. True: `d` is the answer, in these axes (pair_axes.h), and the hint is
// brought up to date. A hint that makes no sense for the two is no hint, and a pose that is not
// finite is nothing to be sure of.
template <typename Axes>
bool recall(const Convex& A, const Convex& B, const Axes& axes, PairHint& hint, Proximity& d);

}  // namespace abut
