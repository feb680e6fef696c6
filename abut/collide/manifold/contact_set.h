// ContactSet: the part of a solid that touches a plane laid against it (Cheng Yi and Drumwright,
// IV-E).
//
// For a polyhedron: the vertices on the plane. For a half-space: the whole plane, without
// points. For curved solids, where the normal is always the solid's own:
//   sphere, ellipsoid   one point
//   capsule             one point, or the two ends of the line it lies on
//   cylinder            one point of a rim, the two ends of the line it lies on, or the
//                       rim's tessellation, a polygon inscribed in the disc
// Their features are {surface, k}: k = 0, 1 for the lower and upper end, 2 the line
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
  std::vector<Vec3> points;  // in the frame the solid was placed in
  std::vector<Feature> features;
  double offset = 0;       // n.x of the plane (m)
  Feature face;            // what the points are corners of, if they are many
  bool unbounded = false;  // a half-space
  bool smooth = false;     // the surface has one normal at each of the points
  bool rim = false;        // points lie on a curved edge
};

// `X` places the solid; `n`, unit, points out of it. Points within `tolerance` (m) of the
// farthest touch the plane.
void contact_set(const Convex& solid, const Transform& X, const Vec3& n, double tolerance,
                 ContactSet& out);

// The edge between two vertices, or if there is none (nearly flat faces counted as one)
// the edge from the first that leads closest to the second.
int edge_towards(const Polyhedron& p, int from, int to);

}  // namespace abut
