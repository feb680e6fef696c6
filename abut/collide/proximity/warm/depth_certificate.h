// A certificate of depth: whether given features are those of the minimum translation. For
// overlapping polyhedra it is what still_closest() (vclip.h) is for disjoint ones: it checks that
// the features still make a face of the Minkowski difference, and proves locally that no other face
// is nearer.
//
//   bool certified = false;
//   if (translation_along(A, B, InFrameOfA(X_AB), last.a, last.b, d, certified) && certified)
//     depth = -d.distance;
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"

namespace abut {

// The translation along the normal that two features define: a face of one solid and a vertex, edge
// or face of the other, or two edges. Returns false if the features define none (any more): the
// other feature is not the deepest under the face, or the edges do not face each other. `certified`
// means that no other direction needs a smaller translation. The answer is in axes of the caller's
// choice (pair_axes.h).
template <typename Axes>
bool translation_along(const Convex& A, const Convex& B, const Axes& axes, const Feature& a,
                       const Feature& b, Proximity& d, bool& certified);

}  // namespace abut
