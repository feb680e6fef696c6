// The contact plane of two touching solids, found from a point common to both (Cheng Yi and
// Drumwright, IV-D; K-12, K-16). Queries know their normal already (K-E7); this function is a
// cross-check.
//
// Candidates are the faces that pass through the point: faces of A, and faces of B with their
// normals reversed. Taken literally, the paper's rule calls a vertex on a face indeterminate,
// because all faces around the vertex pass through the point. Therefore a face counts only if the
// other solid is beyond its plane. "Through" means within kFirstPlaneWidth L at first; it widens
// tenfold until a face is found, at most to kLastPlaneWidth L.
//
//   abut::ContactPlane plane = abut::contact_plane(a, b, X_AB, interior_point);
#pragma once

#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"

namespace abut {

struct ContactPlane {
  bool found = false;          // false: no contact there, or a contact of two edges alone
  bool indeterminate = false;  // faces of different directions were found
  Vec3 normal = Vec3::Zero();  // of the first face found, from A to B, in A's frame
  double offset = 0;           // normal . x (m)
  double tolerance = 0;        // width that found the face (m)
};

// Curved solids are represented by their tessellation. `common_point` and the answer are in A's
// frame.
ContactPlane contact_plane(const Convex& A, const Convex& B, const Transform& X_AB,
                           const Vec3& common_point);

}  // namespace abut
