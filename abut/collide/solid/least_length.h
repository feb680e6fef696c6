// The shortest length of a polyhedron, which tells how accurate its normals are. Hulls are flat and
// convex to kHullFlatness of their size. A dent of that depth in a face or at an edge turns its
// normal by the depth divided by the length.
//
//   double normal_error = kHullFlatness * p.size / abut::least_length(p);  // rad
#pragma once

#include "abut/shape/polyhedron.h"

namespace abut {

// The least length that a normal depends on (m): the shortest edge, or the smallest width of a
// face.
double least_length(const Polyhedron& p);

}  // namespace abut
