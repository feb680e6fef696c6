// Parallel edges side by side. A walk over features may name an end of one of them, although the
// whole edge faces the other.
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut {

// If an answer has a vertex of one solid and an edge of the other, and an edge at that vertex is
// parallel to it, the two edges become the answer's features. Distance, normal and points are
// unchanged.
void name_parallel_edges(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                         Proximity& d);

}  // namespace abut
