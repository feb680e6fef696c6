// RoundPart: the common part of a ball, an ellipsoid or the end of a capsule with a half-space,
// with a polyhedron inside one of its faces, or with another ball, in closed form.
//
// A plane cuts a cap off a ball; two balls have a lens of two caps in common. An ellipsoid is a
// stretched ball, x = c + D u with |u| <= 1, so that its cap is a stretched cap: a plane eta . x <=
// o is m . u <= tau there, with D' eta = h m and tau = (o - eta . c) / h. With d = 1 + tau, the
// depth of the unit cap, and rho^2 = 1 - tau^2, the squared radius of its rim:
//
//   volume    pi d^2 (3 - d) / 3 det D          centroid  c - 3 (2 - d)^2 / (4 (3 - d)) D m
//   shadow    the rim: an ellipse around c + tau D m with semi-axes rho D v, v across m, area
//             pi rho^2 det D / h; that of the whole ball where its middle is below the plane
//
// A tessellation makes rolling uneven: the centroid of the common part is ahead of the middle or
// behind it by as much as a facet is wide. Here the centroid is on the contact's axis in every
// pose.
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
  double surface = 0;            // m^2: of the common part; of an ellipsoid: of its shadow
  double rim = 0;                // m^2: area inside the rim; length of each solid's area vector
  // The shadow (projection) along the normal, an ellipse: centre (world, in the plane of the rim)
  // and conjugate semi-axes (m).
  Vec3 middle = Vec3::Zero();
  Vec3 axes[2] = {Vec3::Zero(), Vec3::Zero()};
  double area = 0;  // m^2
  // m, along the normal: how far A reaches beyond the rim's plane towards B, and B towards A.
  double reach_A = 0, reach_B = 0;
  Vec3 lean = Vec3::Zero();  // m: deepest point relative to the middle, in the plane

  double depth() const { return reach_A + reach_B; }
  // Mean of y y' over the shadow, y relative to its middle (m^2), and mean of |y| (m).
  Mat3 second() const {
    return 0.25 * (axes[0] * axes[0].transpose() + axes[1] * axes[1].transpose());
  }
  double arm() const;
};

// The features are those of a distance query. There is no closed form if the polyhedron's feature
// is not a face, if the cap extends beyond the face, for two ellipsoids, and for a capsule that
// touches with its side. Returns false then.
bool find_round_part(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                     const Feature& a, const Feature& b, RoundPart& out);

}  // namespace abut
