// Separating axes: the signed distance of two polyhedra over the normals of their faces
// and of those pairs of edges whose arcs cross (Cheng Yi and Drumwright, IV-C; K-3, K-N2, K-N5).
//
// These axes are all the faces of the Minkowski difference, so that the least overlap
// found is the minimum translational distance, exactly. Apart, the greatest separation
// found is the distance where the closest features are a face and a vertex, edge or face,
// or two crossing edges; between vertices, or a vertex and an edge, it is only a lower
// bound, and `exact` says so.
//
// An axis is believed only as far as the projections of all vertices on it show, so that
// slivers and nearly parallel edges can't claim too much. Of axes equal to kFaceBias L a
// face of A is preferred, then a face of B, then edges, for points and features that do
// not flicker; the distance is off by no more than that. Wider hysteresis (K-N2's 1e-6 L)
// is for callers that remember, such as proximity().
//
// On a face axis that solid's feature is the face, the other's a vertex above it if there
// is one, else an edge or face; on an edge axis both are edges. Quadratic in the number
// of edges: for boxes and small hulls, as a fallback and to test other methods with.
// `indeterminate` is not looked at; manifold.h does that.
//
//   abut::SatScratch scratch;  // keep it: a second query allocates nothing
//   abut::SatProximity d = abut::sat_proximity(A, B, X_AB, scratch);
#pragma once

#include <limits>
#include <vector>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut {

// Relative to L, the sum of the sizes: how much worse a face's axis may be than an edge's.
constexpr double kFaceBias = 1e-12;

struct SatProximity : Proximity {
  // The points lie on both solids (to 1e-9 L), and `distance` is theirs. Not so, the solids
  // are apart, `distance` is a lower bound along `normal`, and the points and features
  // are what is extreme along it.
  bool exact = false;
};

struct SatScratch {
  std::vector<double> a, b;        // vertices in A's frame: all x, all y, all z
  std::vector<double> b_normals;   // of faces, likewise
  std::vector<Vec3> b_directions;  // of edges
  std::vector<double> sides;       // of each face of B about one edge of A
  std::vector<int> through;        // edges of B that pass through that edge's circle
};

// In A's frame; X_AB places B in it. A separation above `limit` ends the search: then
// `beyond_limit` is set, with that separation and its normal, and no points.
SatProximity sat_proximity(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                           SatScratch& scratch,
                           double limit = std::numeric_limits<double>::infinity());

// The same for boxes, given by half extents, with features as box_polyhedron() counts
// them: 15 axes, about a hundred nanoseconds.
SatProximity box_box_proximity(const Vec3& half_a, const Vec3& half_b, const Transform& X_AB,
                               double limit = std::numeric_limits<double>::infinity());

}  // namespace abut
