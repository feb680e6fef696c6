// The warm start of a pair of polyhedra (WarmStart, in State's contact memory): the features that
// were closest or of the least translation at the last query, and a lower bound on the depth along
// any other direction. warm_proximity.h says when that is the answer again.
#pragma once

#include <array>

#include "abut/collide/proximity/cold/gjk.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"
#include "abut/model/contact_memory.h"

namespace abut {

// Relative to L: last time's features are kept while no worse than by this (D-N4).
constexpr double kSteady = 1e-6;

// Whether a polyhedron has such a feature.
inline bool exists(const Polyhedron& p, const Feature& f) {
  return (f.kind == FeatureKind::vertex && f.index < p.vertex_count()) ||
         (f.kind == FeatureKind::edge && f.index < p.edge_count()) ||
         (f.kind == FeatureKind::face && f.index < p.face_count());
}

// The normal now, from A to B, of last time's least translation (of any length but 0); false if
// there was none.
bool last_normal(const Convex& A, const Convex& B, const Transform& X_AB,
                 const WarmStart& warm_start, Vec3& normal);
// Three vertices of B - A (w = b - a) that span the face of last time's least translation,
// around the point nearest to the origin; false if there was none.
bool last_face(const Convex& A, const Convex& B, const Transform& X_AB, const WarmStart& warm_start,
               std::array<DifferenceVertex, 3>& face);

// Puts last time's features, and their normal, in the place of what was found now, if
// the two overlapped then as well and the old normal needs no more than kSteady L more.
// True if it did.
bool keep_steady(const Convex& A, const Convex& B, const Transform& X_AB,
                 const WarmStart& warm_start, Proximity& d);

void store_apart(const Proximity& d, WarmStart& warm_start);
void store_overlap(const Proximity& d, double bound_of_others, const Transform& X_AB,
                   WarmStart& warm_start);
void clear(WarmStart& warm_start);

}  // namespace abut
