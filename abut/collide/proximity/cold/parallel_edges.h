// Edges that run side by side: of these a walk over features may name an end of one, and that edge
// is what faces the other.
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut {

// If an answer has a vertex of one and an edge of the other, and an edge of that vertex is parallel
// to it, names the two edges. Distance, normal and points stay: they are the same.
void name_parallel_edges(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                         Proximity& d);

}  // namespace abut
