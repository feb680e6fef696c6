// proximity(): signed distance of two convex solids, with the normal, witness points and features
// (Cheng Yi and Drumwright, IV-A to IV-D; K-1, K-3, K-10, K-11). proximity_answer.h has the type of
// the answer.
//
// For solids that are apart the distance is Euclidean. For solids that overlap it is minus the
// minimum translational distance. Both are exact to rounding for polyhedra and rounded cores, and
// both have a certificate. Apart: each witness point is a support point of its solid along the
// normal. Overlapping: a polytope inside the Minkowski difference comes no nearer to the origin
// than the plane of the answer.
//
//   abut::Proximity d = abut::proximity(a, X_WA, b, X_WB);
//   if (d.distance < 0) push_apart(d.normal, -d.distance);
#pragma once

#include <limits>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"
#include "abut/model/contact_memory.h"

namespace abut {

// A solid with its pose in the world as a matrix, for solids that take part in several queries.
struct PlacedConvex {
  const Convex& solid;
  const Transform& X;
};

// The first form answers in the frame of A (`X_AB` places B in A), the other two in the world.
// Beyond `limit` (m) the answer only says that the distance is larger. `warm_start` is the state of
// the pair's last query; the query updates it. A coherent query takes nearly constant time in the
// number of vertices. The features of the last query are kept while they are worse than the best by
// no more than kSteady L (D-N4).
Proximity proximity(const Convex& A, const Convex& B, const Transform& X_AB,
                    WarmStart* warm_start = nullptr,
                    double limit = std::numeric_limits<double>::infinity());
Proximity proximity(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                    WarmStart* warm_start = nullptr,
                    double limit = std::numeric_limits<double>::infinity());
Proximity proximity(const PlacedConvex& A, const PlacedConvex& B, WarmStart* warm_start = nullptr,
                    double limit = std::numeric_limits<double>::infinity());

}  // namespace abut
