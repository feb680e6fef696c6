// The point deepest inside two solids: the centre of the largest ball in both (Cheng Yi and
// Drumwright, IV-G; K-E2, K-16).
//
// It is a linear program in four unknowns: the largest s with n . x + s <= d for every face of
// both. s > 0: the solids overlap, and s is the ball's radius, which is not the depth (for a flat
// overlap it is half the depth). s = 0: they touch in the point. s < 0: they are apart, and -s is
// not their distance.
//
//   abut::InteriorPoint deepest = abut::interior_point(a, b, X_AB);
//   if (deepest.radius > 0) ...
#pragma once

#include "abut/collide/volume/intersection.h"
#include "abut/math/transform.h"

namespace abut {

struct InteriorPoint {
  Vec3 point = Vec3::Zero();    // in A's frame
  Vec3 point_B = Vec3::Zero();  // the same in B's frame, with B's precision
  double radius = 0;            // s (m)
};

// Curved solids are represented by their tessellations. At least one solid must not be a
// half-space.
InteriorPoint interior_point(const Convex& A, const Convex& B, const Transform& X_AB);

}  // namespace abut
