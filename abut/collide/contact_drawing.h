// A picture of a pair in contact: both solids, the normal, the contact points, what they
// have in common.
//
//   abut::Drawing picture = abut::contact_drawing(a, X_WA, b, X_WB, d, points);
#pragma once

#include <span>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/shape/drawing.h"

namespace abut {

// `points` (world) are drawn as dots, with an outline around them if there are more than
// two: give them in order around the manifold. The normal is drawn unless it is
// indeterminate, and the shortest way between the solids when they are apart.
Drawing contact_drawing(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                        const Proximity& d_W, std::span<const Vec3> points = {});

}  // namespace abut
