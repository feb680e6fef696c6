// ContactSet: the part of a solid that touches a plane laid against it (Cheng Yi and Drumwright,
// IV-E).
//
// For a polyhedron: the vertices on the plane. For a half-space: the whole plane, without points.
// For curved solids, whose surface always has the plane's normal there:
//   sphere, ellipsoid   one point
//   capsule             one point, or the two ends of the line it lies on
//   cylinder            one point of a rim, the two ends of the line it lies on, or the
//                       rim's tessellation, a polygon inscribed in the disc
// Features of curved solids are {surface, k}: k = 0, 1 for the lower and upper end, 2 for the line
// between, 3 + k for a corner of the tessellation.
//
//   abut::contact_set(A, abut::Transform(), n, 1e-7 * L, set);
#pragma once

#include <vector>

#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"

namespace abut {

struct ContactSet {
  std::vector<Vec3> points;  // in the frame that X places the solid in
  std::vector<Feature> features;
  double offset = 0;       // n.x of the plane (m)
  Feature face;            // the face of which several points are the corners
  bool unbounded = false;  // a half-space
  bool smooth = false;     // the surface has one normal at each point
  bool rim = false;        // the points lie on a curved edge
};

// `X` places the solid; `n` is unit and points out of it. Points within `tolerance` (m) of the
// farthest touch the plane.
void contact_set(const Convex& solid, const Transform& X, const Vec3& n, double tolerance,
                 ContactSet& out);

// The edge between two vertices. If there is none (nearly flat faces count as one face), the edge
// of the first vertex whose direction is closest to that of the second.
int edge_towards(const Polyhedron& p, int from, int to);

}  // namespace abut
