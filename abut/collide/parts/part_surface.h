// What the surface of a geom in parts allows: parts meet at seams, which are inside the solid, and no
// contact may push along a seam.
//
// At a point that several parts share, a normal n is one of the whole solid only if no part reaches
// beyond the plane n . (x - p) = 0 near p: the proximal normals of a union of convex sets are normals
// of each set that contains the point. So between coplanar parts only their common normal is left; on
// a ridge all normals between those of its two sides; in a valley none, and contacts have the
// normals of the faces beside it.
#pragma once

#include "abut/collide/solid/convex.h"

namespace abut {

// Whether the outward normal n (unit) at a point p of a part's surface, both in the geom's frame, is
// one of the whole geom's surface. A geom that is convex allows all.
bool allows_normal(const ConvexSet& solids, int solid, const Vec3& p, const Vec3& n);

// Whether a face of a cell is a wall between cells.
bool is_inner_face(const ConvexSet& solids, int solid, int face);

// Whether a point (in the part's frame) lies on a face of it.
bool is_on(const Polyhedron& part, int face, const Vec3& x, double tolerance);

// Whether the geom's surface comes to a point x of a face of a part: other pieces may lie on the face,
// there or all around the point. (The upper border of a wall between two pieces of one plane is
// covered; the lower border of a wall that stands on another piece is bare.)
bool is_bare(const ConvexSet& solids, int solid, int face, const Vec3& x);

}  // namespace abut
