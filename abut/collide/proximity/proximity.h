// proximity(): signed distance of two convex solids, with the normal, the points and the
// features that show it (Cheng Yi and Drumwright, IV-A to IV-D; K-1, K-3, K-10, K-11).
// proximity_answer.h has the type of its answers.
//
// Apart, the distance is Euclidean; overlapping, it is minus the minimum translational
// distance. Both are exact to rounding for polyhedra and rounded cores, with a
// certificate: apart, the witness points are a support of each solid along the normal;
// overlapping, a polytope inside the Minkowski difference comes no nearer to the origin
// than the plane that carries the answer.
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

// A solid where it is in the world, for one that is asked about more than once.
struct PlacedConvex {
  const Convex& solid;
  const Transform& X;
};

// In the frame of A (`X_AB` places B in A), and in the world. Beyond `limit` (m) it only
// says so. `warm_start` is what the pair remembers of its last query, and is brought up to
// date: a coherent query is near constant time in the number of vertices. Features keep
// to last time's while they are no worse than by 1e-6 L (D-N4).
Proximity proximity(const Convex& A, const Convex& B, const Transform& X_AB,
                    WarmStart* warm_start = nullptr,
                    double limit = std::numeric_limits<double>::infinity());
Proximity proximity(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                    WarmStart* warm_start = nullptr,
                    double limit = std::numeric_limits<double>::infinity());
Proximity proximity(const PlacedConvex& A, const PlacedConvex& B, WarmStart* warm_start = nullptr,
                    double limit = std::numeric_limits<double>::infinity());

}  // namespace abut
