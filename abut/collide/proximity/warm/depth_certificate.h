// A certificate of depth: are these features the ones of the least translation? For overlapping
// polyhedra what still_closest() (vclip.h) is for disjoint ones: whether a face of the difference
// is still there, and a proof on the spot that no other is nearer.
//
//   bool certified = false;
//   if (translation_along(A, B, InFrameOfA(X_AB), last.a, last.b, d, certified) && certified)
//     depth = -d.distance;
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"

namespace abut {

// The translation along the normal that a face of one and a vertex, edge or face of the other
// define, or two edges. False if they define none (any more): the other is not deepest under the
// face, the edges do not face each other. `certified`: no other needs less, for sure. In axes of
// one's choice (pair_axes.h).
template <typename Axes>
bool translation_along(const Convex& A, const Convex& B, const Axes& axes, const Feature& a,
                       const Feature& b, Proximity& d, bool& certified);

}  // namespace abut
