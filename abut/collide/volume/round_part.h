// RoundPart: what a ball, an ellipsoid or the end of a capsule has in common with a half-space,
// with a polyhedron inside one of its faces, or with another ball, in closed form.
//
// A ball that a plane cuts leaves a cap, two balls leave a lens of two caps. An ellipsoid is a ball
// that is stretched, x = c + D u with |u| <= 1, so its cap is a stretched cap: a plane eta . x <= o
// is m . u <= tau there, with D' eta = h m and tau = (o - eta . c) / h. With d = 1 + tau the unit
// cap's depth and rho^2 = 1 - tau^2 the square of its rim's radius:
//
//   volume    pi d^2 (3 - d) / 3 det D          centroid  c - 3 (2 - d)^2 / (4 (3 - d)) D m
//   shadow    the rim: an ellipse around c + tau D m with semi-axes rho D v, v across m, area
//             pi rho^2 det D / h; that of the whole ball where its middle is below the plane
//
// A tessellation makes rolling uneven: the common part's centroid is ahead of the middle or behind
// it by as much as a facet is wide. Here the centroid is on the contact's axis for every pose.
//
//   abut::RoundPart part;
//   if (abut::find_round_part(a, X_WA, b, X_WB, patch.a, patch.b, part)) use(part.volume);
#pragma once

#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/types.h"

namespace abut {

struct RoundPart {
  Vec3 normal = Vec3::Zero();    // unit, from A to B, world
  Vec3 centroid = Vec3::Zero();  // world
  double volume = 0;             // m^3
  double surface = 0;            // m^2: of the common part, of a ball; of an ellipsoid its shadow's
  double rim = 0;                // m^2: inside the rim; the length of each solid's area vectors
  // The shadow along the normal, an ellipse: middle (world, in the plane of the rim) and semi-axes,
  // conjugate to each other (m).
  Vec3 middle = Vec3::Zero();
  Vec3 axes[2] = {Vec3::Zero(), Vec3::Zero()};
  double area = 0;  // m^2
  // m, along the normal: how far A reaches beyond the rim's plane towards B, and B towards A.
  double reach_A = 0, reach_B = 0;
  Vec3 lean = Vec3::Zero();  // m: of the deepest place from the middle, in the plane

  double depth() const { return reach_A + reach_B; }
  // Mean of y y' over the shadow, y from its middle (m^2), and of |y| (m).
  Mat3 second() const {
    return 0.25 * (axes[0] * axes[0].transpose() + axes[1] * axes[1].transpose());
  }
  double arm() const;
};

// The features are those that a query found: where a polyhedron's is no face, or the cap reaches
// over the edge of the face, there is no closed form, nor for two ellipsoids, nor for a capsule
// that touches with its side. False then.
bool find_round_part(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                     const Feature& a, const Feature& b, RoundPart& out);

}  // namespace abut
