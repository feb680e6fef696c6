// What a pair of polyhedra remembers from query to query: the features that were closest or of the
// least translation, and then how much any other needed. recall.h says when that is the answer
// again.
#pragma once

#include <array>

#include "abut/collide/convex.h"
#include "abut/collide/gjk.h"
#include "abut/collide/proximity.h"
#include "abut/math/transform.h"

namespace abut {

// Relative to L: last time's features are kept while no worse than by this (D-N4).
constexpr double kSteady = 1e-6;

// Relative to L: nearer than this, features that are all but parallel can lead a walk
// astray, and an answer is looked at twice.
constexpr double kNear = 1e-5;

// Whether a polyhedron has such a feature.
inline bool exists(const Polyhedron& p, const Feature& f) {
  return (f.kind == FeatureKind::vertex && f.index < p.vertex_count()) ||
         (f.kind == FeatureKind::edge && f.index < p.edge_count()) ||
         (f.kind == FeatureKind::face && f.index < p.face_count());
}

// The normal now, from A to B, of last time's least translation (of any length but 0); false if
// there was none.
bool last_normal(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint,
                 Vec3& normal);
// Three vertices of B - A (w = b - a) that span the face of last time's least translation,
// around the point nearest to the origin; false if there was none.
bool last_face(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint,
               std::array<DifferenceVertex, 3>& face);
// The same for any features: a face and what is deepest under it, or two edges.
bool difference_face(const Convex& A, const Convex& B, const Transform& X_AB, const Feature& a,
                     const Feature& b, std::array<DifferenceVertex, 3>& face);

// Puts last time's features, and their normal, in the place of what was found now, if
// the two overlapped then as well and the old normal needs no more than kSteady L more.
// True if it did.
bool keep_steady(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint,
                 Proximity& d);

void remember_apart(const Proximity& d, PairHint& hint);
void remember_overlap(const Proximity& d, double bound_of_others, const Transform& X_AB,
                      PairHint& hint);
void forget(PairHint& hint);

}  // namespace abut
