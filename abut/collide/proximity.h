// Proximity: signed distance of two convex solids, with the normal, the points and the
// features that show it (seed 002, IV-A to IV-D; spec K-1, K-3, K-10, K-11).
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

#include "abut/collide/convex.h"
#include "abut/collide/feature.h"
#include "abut/math/transform.h"
#include "abut/model/contact_memory.h"

namespace abut {

struct Proximity {
  double distance = std::numeric_limits<double>::infinity();  // m, < 0: overlapping
  Vec3 normal = Vec3::Zero();                                 // unit, from A to B
  Vec3 p_A = Vec3::Zero(), p_B = Vec3::Zero();                // p_B = p_A + distance * normal
  Feature a, b;                                               // what p_A and p_B lie on
  // Touching (|distance| <= kKissing L) where more than one normal would do: vertex on
  // vertex, vertex on edge, parallel edges side by side. `normal` is then one of them.
  bool indeterminate = false;
  // Only when a limit was given: `distance` is a lower bound above the limit, and
  // nothing else is known. So it is too for a pose that is not finite.
  bool beyond_limit = false;
};

// "Kissing", relative to the pair's size (spec 0.6).
constexpr double kKissing = 1e-7;

// A solid where it is in the world, for one that is asked about more than once.
struct PlacedConvex {
  const Convex& solid;
  const Transform& X;
};

// In the frame of A (`X_AB` places B in A), and in the world. Beyond `limit` (m) it only
// says so. `hint` is what the pair remembers of its last query, and is brought up to
// date: a coherent query is near constant time in the number of vertices. Features keep
// to last time's while they are no worse than by 1e-6 L (D-N4).
Proximity proximity(const Convex& A, const Convex& B, const Transform& X_AB,
                    PairHint* hint = nullptr,
                    double limit = std::numeric_limits<double>::infinity());
Proximity proximity(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                    PairHint* hint = nullptr,
                    double limit = std::numeric_limits<double>::infinity());
Proximity proximity(const PlacedConvex& A, const PlacedConvex& B, PairHint* hint = nullptr,
                    double limit = std::numeric_limits<double>::infinity());

// The same seen from the other side.
Proximity swapped(const Proximity& d);
// Placed by X_WA: from A's frame to the world.
Proximity placed(const Proximity& d, const Pose& X_WA);

}  // namespace abut
