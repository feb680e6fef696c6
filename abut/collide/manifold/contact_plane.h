// The contact plane of two touching solids, found from a point common to both (Cheng Yi and
// Drumwright, IV-D; K-12, K-16). Queries know their normal already (K-E7); this is a cross-check.
//
// Candidates are the faces that pass through the point: of A as they are, of B turned
// round. Read as printed the rule calls a vertex on a face indeterminate, since the faces
// all round the vertex pass through the point as well; so a face counts only if its plane
// has the other solid beyond it. "Through" begins at 1e-9 L and widens tenfold until a
// face is found, at most to 1e-5 L.
//
//   abut::ContactPlane plane = abut::contact_plane(a, b, X_AB, interior_point);
#pragma once

#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"

namespace abut {

struct ContactPlane {
  bool found = false;          // no: they do not touch there, or by two edges alone
  bool indeterminate = false;  // faces of different directions were found
  Vec3 normal = Vec3::Zero();  // of the first, from A to B, in A's frame
  double offset = 0;           // normal . x (m)
  double tolerance = 0;        // what counted as through the point (m)
};

// Curved solids by their tessellation. `common_point` is in A's frame, as is the answer.
ContactPlane contact_plane(const Convex& A, const Convex& B, const Transform& X_AB,
                           const Vec3& common_point);

}  // namespace abut
