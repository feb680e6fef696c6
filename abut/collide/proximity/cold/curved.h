// Signed distance of pairs with a cylinder or an ellipsoid, by support functions alone: GJK where
// the two are apart, an expanding polytope where they overlap (van den Bergen, "Proximity queries
// and penetration depth computation on 3D game objects", 2001), in double precision, on the true
// surfaces. Spheres and capsules enter as cores.
//
// Guarantees, with L the size of the pair:
//   apart        the distance is exact to 1e-9 L: the nearest point found is an upper bound, a
//                plane between the two a lower bound, and the two bounds agree to that
//   overlapping  `distance` is minus the width along `normal`, so that moving B by it along
//                the normal separates the two: the depth is never too small. The polytope proves
//                it the least to 1e-8 L, unless a whole curve of directions is equally good
//                (coaxial cylinders): then a local search finds the best to 1e-8 L, but the
//                proof is only as good as a few hundred facets allow
//
//   abut::Proximity d = abut::curved_proximity(can, box, X_AB, limit);
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"

namespace abut {

// The answer is in A's frame. For any two solids but half-spaces; made for solids without a core.
// Beyond `limit` (m) the answer only says so. Allocates nothing.
Proximity curved_proximity(const Convex& A, const Convex& B, const Transform& X_AB,
                           double limit = std::numeric_limits<double>::infinity());

}  // namespace abut
