// V-Clip: closest features of two disjoint convex polyhedra by a walk over their
// Voronoi regions (B. Mirtich, "V-Clip: fast and robust polyhedral collision
// detection", ACM Transactions on Graphics 17(3), 1998; K-10).
//
// Two features hold the closest points if each one's closest point lies in the Voronoi
// region of the other (Mirtich's theorem 1). The walk starts at any two features and
// crosses one plane of a Voronoi region at a time, to a pair that is nearer or as near
// with fewer dimensions. From last step's features it ends after a handful of plane
// tests, whatever the number of vertices. It shares nothing with GJK.
//
//   abut::VClipAnswer d = abut::vclip(a, b, X_AB, last.a, last.b);
//   if (d.status == abut::VClipStatus::disjoint) use(d.proximity.distance);
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut {

enum class VClipStatus {
  disjoint,
  overlapping,  // or touching to rounding; V-Clip can't say how deep
  gave_up       // a number that is not finite, or a walk in circles (vclip_walk)
};

struct VClipAnswer {
  VClipStatus status = VClipStatus::gave_up;
  // Of disjoint ones, in A's frame: exact to rounding. The features are vertex-vertex,
  // vertex-edge, vertex-face or edge-edge, in either order. Of overlapping ones the features
  // alone, if the walk ended there: a vertex under a face, or an edge through a face or
  // through an edge. The least translation is often theirs.
  Proximity proximity;
  int steps = 0;
  // The walk went in a circle (features parallel to rounding, faces not quite flat) and
  // looking at every pair of features found the answer (K-N4).
  bool exhaustive = false;
};

VClipAnswer vclip(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                  Feature start_a = {}, Feature start_b = {});

// The walk alone, from features that are there. `to_the_end`: a walk in circles looks at every
// pair of features, slowly; else it gives up.
VClipAnswer vclip_walk(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                       Feature start_a, Feature start_b, bool to_the_end);

// Whether these are closest features, and if so everything about them. Answers no when
// in doubt; a yes is within 1e-12 L of the true distance. Takes the pairs that vclip()
// gives; edge-edge only if they are not parallel, vertex-vertex and vertex-edge only
// if they are 1e-6 L apart, since a nearer pair does not define a normal of its own.
bool still_closest(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a,
                   Feature b, Proximity& out);
// In axes of one's own (pair_axes.h).
template <typename Axes>
bool still_closest(const Polyhedron& A, const Polyhedron& B, const Axes& axes, Feature a, Feature b,
                   Proximity& out);

}  // namespace abut
