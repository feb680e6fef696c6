// Separating axes: the signed distance of two polyhedra over the normals of their faces and of the
// pairs of edges whose arcs cross (Cheng Yi and Drumwright, IV-C; K-3, K-N2, K-N5).
//
// These axes are all faces of the Minkowski difference, so that the least overlap found is exactly
// the minimum translational distance. For solids apart, the largest separation found is the
// distance if the closest features are a face and a vertex, edge or face, or two crossing edges.
// Between two vertices, or a vertex and an edge, it is only a lower bound, and `exact` is false.
//
// The separation along an axis is measured by projecting all vertices, so that slivers and nearly
// parallel edges cannot report too much. Among axes that are equal to kFaceBias L, a face of A is
// preferred, then a face of B, then edges, so that points and features do not flicker; the distance
// is wrong by no more than that. A wider hysteresis (K-N2's 1e-6 L) is the task of callers with a
// memory, such as proximity().
//
// On a face axis one feature is the face; the other is a vertex above it if there is one, else an
// edge or a face. On an edge axis both features are edges. The cost is quadratic in the number of
// edges: use it for boxes and small hulls, as a fallback, and to test other methods.
// `indeterminate` is not set; manifold.h determines it.
//
//   abut::SatScratch scratch;  // keep it: a second query allocates nothing
//   abut::SatProximity d = abut::sat_proximity(A, B, X_AB, scratch);
#pragma once

#include <limits>
#include <vector>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut {

struct SatProximity : Proximity {
  // The points lie on both solids (to 1e-9 L), and `distance` is their distance. If false, the
  // solids are apart, `distance` is a lower bound along `normal`, and the points and features are
  // those that are extreme along it.
  bool exact = false;
};

struct SatScratch {
  std::vector<double> a, b;        // vertices in A's frame: all x, all y, all z
  std::vector<double> b_normals;   // normals of B's faces, likewise
  std::vector<Vec3> b_directions;  // directions of B's edges
  std::vector<double> sides;       // of each face of B about one edge of A
  std::vector<int> through;        // edges of B that pass through that edge's circle
};

// The answer is in A's frame; X_AB places B in it. A separation above `limit` (m) ends the search:
// then `beyond_limit` is set, with that separation and its normal, and without points.
SatProximity sat_proximity(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                           SatScratch& scratch,
                           double limit = std::numeric_limits<double>::infinity());

// The same for boxes, given by half extents, with the feature indices of box_polyhedron(): 15 axes,
// about a hundred nanoseconds.
SatProximity box_box_proximity(const Vec3& half_a, const Vec3& half_b, const Transform& X_AB,
                               double limit = std::numeric_limits<double>::infinity());

}  // namespace abut
