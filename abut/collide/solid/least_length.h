// How short the parts of a polyhedron are, which tells how far its normals can be trusted: hulls
// are flat and convex to 4e-9 of their size (shape/hull.h), and a dent of that depth in a face or
// at an edge turns its normal by so much over its length.
//
//   double sure_to = 4e-9 * p.size / abut::least_length(p);  // rad
#pragma once

#include "abut/shape/polyhedron.h"

namespace abut {

// The least length that a normal depends on (m): of edges, and of faces across.
double least_length(const Polyhedron& p);

}  // namespace abut
