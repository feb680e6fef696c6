// The warm start of a pair of polyhedra (WarmStart, in State's contact memory): the features that
// were closest, or those of the minimum translation, at the last query, and a lower bound on the
// depth along any other direction. warm_proximity.h says when these features are the answer again.
#pragma once

#include <array>

#include "abut/collide/proximity/cold/gjk.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"
#include "abut/model/contact_memory.h"

namespace abut {

// Whether the polyhedron has this feature.
inline bool exists(const Polyhedron& p, const Feature& f) {
  return (f.kind == FeatureKind::vertex && f.index < p.vertex_count()) ||
         (f.kind == FeatureKind::edge && f.index < p.edge_count()) ||
         (f.kind == FeatureKind::face && f.index < p.face_count());
}

// The current normal of the last minimum translation, from A to B, of any length but 0. Returns
// false if the last query found none.
bool last_normal(const Convex& A, const Convex& B, const Transform& X_AB,
                 const WarmStart& warm_start, Vec3& normal);
// Three vertices of B - A (w = b - a) that span the face of the last minimum translation, around
// the point nearest to the origin. Returns false if the last query found none.
bool last_face(const Convex& A, const Convex& B, const Transform& X_AB, const WarmStart& warm_start,
               std::array<DifferenceVertex, 3>& face);

// Replaces the answer by the features and the normal of the last query, if the two overlapped then
// as well and the old normal needs at most kSteady L more. Returns true if it did.
bool keep_steady(const Convex& A, const Convex& B, const Transform& X_AB,
                 const WarmStart& warm_start, Proximity& d);

void store_apart(const Proximity& d, WarmStart& warm_start);
void store_overlap(const Proximity& d, double bound_of_others, const Transform& X_AB,
                   WarmStart& warm_start);
void clear(WarmStart& warm_start);

}  // namespace abut
