// V-Clip: closest features of two disjoint convex polyhedra by a walk over their Voronoi regions
// (B. Mirtich, "V-Clip: fast and robust polyhedral collision detection", ACM Transactions on
// Graphics 17(3), 1998; K-10).
//
// Two features contain the closest points if the closest point of each lies in the Voronoi region
// of the other (Mirtich's theorem 1). The walk starts at any two features and crosses one plane of
// a Voronoi region at a time, to a pair that is nearer, or equally near with fewer dimensions. From
// the last step's features it ends after a handful of plane tests, whatever the number of vertices.
// It shares no code with GJK.
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
  overlapping,  // or touching to rounding; V-Clip does not find the depth
  gave_up       // a pose that is not finite, or a cycle (vclip_walk)
};

struct VClipAnswer {
  VClipStatus status = VClipStatus::gave_up;
  // For disjoint solids, in A's frame: exact to rounding. The features are vertex-vertex,
  // vertex-edge, vertex-face or edge-edge, in either order. For overlapping solids only the
  // features are set, if the walk ended at them: a vertex under a face, or an edge through a face
  // or an edge. They are often the features of the minimum translation.
  Proximity proximity;
  int steps = 0;
  // The walk met a cycle (features parallel to rounding, faces not exactly flat), and the search
  // over all pairs of features found the answer (K-N4).
  bool exhaustive = false;
};

VClipAnswer vclip(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                  Feature start_a = {}, Feature start_b = {});

// The walk alone, from existing features. `to_the_end`: after a cycle, search all pairs of
// features, which is slow; otherwise give up.
VClipAnswer vclip_walk(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                       Feature start_a, Feature start_b, bool to_the_end);

// Whether these features are closest; if so, fills in the answer. It answers no when in doubt; a
// yes is within 1e-12 L of the true distance. It accepts the pairs that vclip() returns; edge-edge
// only if they are not parallel, vertex-vertex and vertex-edge only if they are kLeastGap L apart,
// since a nearer pair does not define a normal.
bool still_closest(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a,
                   Feature b, Proximity& out);
// The same in axes of the caller's choice (pair_axes.h).
template <typename Axes>
bool still_closest(const Polyhedron& A, const Polyhedron& B, const Axes& axes, Feature a, Feature b,
                   Proximity& out);

}  // namespace abut
