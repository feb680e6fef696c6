// Proximity: what a query about two convex solids answers: signed distance, normal, points and
// features. proximity.h asks; every method of cold/ and warm/ answers in this form.
#pragma once

#include <limits>

#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"

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

// "Kissing", relative to the pair's size (docs/notation.md).
constexpr double kKissing = 1e-7;

// The same seen from the other side.
Proximity swapped(const Proximity& d);
// From A's frame to the world, in place, and by the matrix: three rotations by a quaternion cost
// 18 ns more, a fifth of a coherent query.
inline void place(Proximity& d, const Transform& X_WA) {
  d.normal = X_WA.R * d.normal;
  d.p_A = X_WA * d.p_A;
  d.p_B = X_WA * d.p_B;
}
// Placed by X_WA: from A's frame to the world.
Proximity placed(const Proximity& d, const Pose& X_WA);

}  // namespace abut
