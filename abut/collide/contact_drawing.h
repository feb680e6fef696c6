// A picture of a pair in contact: both solids, the normal, the contact points and the common
// volume.
//
//   abut::Drawing picture = abut::contact_drawing(a, X_WA, b, X_WB, d, points);
#pragma once

#include <span>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/shape/drawing.h"

namespace abut {

// Draws `points` (world) as dots, and an outline around them if there are more than two: give the
// points in order around the manifold. Draws the normal unless it is indeterminate, and the
// shortest way between the solids if they are apart.
Drawing contact_drawing(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                        const Proximity& d_W, std::span<const Vec3> points = {});

}  // namespace abut
