// Functions that the parts of V-Clip share: edges as lines, the check that two features are
// closest, the search over all pairs, and the answer.
#pragma once

#include <cmath>

#include "abut/collide/proximity/cold/segments.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut::vclip_parts {

inline Segment line_of(const Polyhedron& P, int edge) {
  const Polyhedron::Edge& e = P.edges[edge];
  return {P.vertices[e.tail], P.vertices[e.head] - P.vertices[e.tail]};
}

// Direction into a face across its edge, in the face's plane, as long as the edge
// (docs/notation.md).
inline Vec3 into_f1(const Polyhedron& P, const Polyhedron::Edge& e, const Vec3& along) {
  return P.faces[e.f1].eta.cross(along);
}
inline Vec3 into_f2(const Polyhedron& P, const Polyhedron::Edge& e, const Vec3& along) {
  return along.cross(P.faces[e.f2].eta);
}

// Rounding error of coordinates of this pair (m). `between`: from origin to origin.
inline double rounding(const Polyhedron& A, const Polyhedron& B, const Vec3& between) {
  return kUnitRounding * (A.size + B.size + A.center.lpNorm<1>() + between.lpNorm<1>());
}

// Tolerances that a pair must meet to be called closest.
struct Strictness {
  double slack;       // m: outside a Voronoi region or beyond a supporting plane
  double least_gap;   // m: of vertex-vertex and vertex-edge
  double least_sine;  // of edge-edge
};

bool is_closest(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a,
                Feature b, const Strictness& strictness, Proximity& out);

// The nearest two features of all: the closest, if the solids do not overlap.
void closest_by_exhaustion(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                           Feature& a, Feature& b);

// Distance, points and normal of two features that are known to be closest. Returns false if they
// touch to rounding and define no normal.
bool answer(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a, Feature b,
            Proximity& out);

}  // namespace abut::vclip_parts
