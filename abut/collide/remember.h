// What a pair of polyhedra remembers from query to query, and when that is the answer
// again: apart, while the same features are the closest (a local test, and by convexity
// enough); overlapping, while the certificate of the least translation still holds.
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
bool exists(const Polyhedron& p, const Feature& f);

enum class Recalled {
  nothing,
  answer,
  translation,  // overlapping: the features still part the two, but maybe not by the least
};

// Both must be polyhedra. A hint that makes no sense for them is no hint. `d` is set unless there
// is nothing.
Recalled recall(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint,
                Proximity& d);

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
