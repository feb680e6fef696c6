// Signed distance of pairs with a cylinder or an ellipsoid, through supports alone: GJK
// where the two are apart, an expanding polytope where they overlap (van den Bergen,
// "Proximity queries and penetration depth computation on 3D game objects", 2001), in
// double precision, on the true surfaces. Spheres and capsules enter as cores.
//
// What is guaranteed, with L the size of the pair:
//   apart        the distance to 1e-9 L: the nearest point found is an upper bound, a
//                plane between the two a lower one, and they agree to that
//   overlapping  `distance` is minus the width along `normal`, so moving B by it along
//                the normal parts the two: never too small a depth. The polytope proves
//                it the least to 1e-8 L, unless a whole curve of directions is as good
//                (coaxial cylinders): then the best of them is searched for and found
//                to 1e-8 L, but the proof is only as good as some hundred facets are
//
//   abut::Proximity d = abut::curved_proximity(can, box, X_AB, limit);
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"

namespace abut {

// In A's frame. Any two solids but half-spaces; made for those without a core. Beyond
// `limit` (m) it only says so. Allocates nothing.
Proximity curved_proximity(const Convex& A, const Convex& B, const Transform& X_AB,
                           double limit = std::numeric_limits<double>::infinity());

}  // namespace abut
