// Proximity: the answer of a query about two convex solids: signed distance, normal, witness points
// and features. proximity.h has the query; every method of cold/ and warm/ answers in this form.
#pragma once

#include <limits>

#include "abut/collide/solid/feature.h"
#include "abut/collide/tolerances.h"
#include "abut/math/transform.h"

namespace abut {

struct Proximity {
  double distance = std::numeric_limits<double>::infinity();  // m; negative: overlapping
  Vec3 normal = Vec3::Zero();                                 // unit, from A to B
  Vec3 p_A = Vec3::Zero(), p_B = Vec3::Zero();                // p_B = p_A + distance * normal
  Feature a, b;  // the features that p_A and p_B lie on
  // The solids touch (|distance| <= kKissing L) and more than one normal is valid: vertex on
  // vertex, vertex on edge, or parallel edges side by side. `normal` is one of the valid normals.
  bool indeterminate = false;
  // Only if the query has a limit: `distance` is a lower bound above the limit, and the other
  // members are not set. The same holds for a pose that is not finite.
  bool beyond_limit = false;
};

// The same answer with A and B exchanged.
Proximity swapped(const Proximity& d);
// Transforms an answer from A's frame to the world, in place and by a matrix: three rotations by a
// quaternion would cost 18 ns more, a fifth of a coherent query.
inline void place(Proximity& d, const Transform& X_WA) {
  d.normal = X_WA.R * d.normal;
  d.p_A = X_WA * d.p_A;
  d.p_B = X_WA * d.p_B;
}
// Returns the answer transformed from A's frame to the world.
Proximity placed(const Proximity& d, const Pose& X_WA);

}  // namespace abut
