// dual_volume: the common part of two convex solids by duality, as the papers do it (Cheng Yi
// and Drumwright, IV-G; Hasegawa and Fujii, 4.2; K-15, K-E3, H-4): from a point inside both, every
// plane n . x = d becomes the point n/d; the facets of the hull of these points, which Qhull finds,
// are the vertices of the common part, and its vertices are the faces.
//
// Where the method is known to fail, thin and tiny volumes (Drumwright's criticism, K-N1),
// the space is first stretched until the volume is about as wide as long: linear programs
// find its extent along axes of its own. What is left to fail has no inner point at all:
// it is OverlapKind::touching without faces, and the kissing manifold has the answer.
//
// For research, and for tests of clip_volume.h, with which it shares no code but the type
// of the answer. Faces of both solids in one plane count as A's (H-N4).
//
//   abut::Intersection common = abut::dual_volume(a, b, X_AB);
#pragma once

#include "abut/collide/volume/interior_point.h"
#include "abut/collide/volume/intersection.h"

namespace abut {

Intersection dual_volume(const Convex& A, const Convex& B, const Transform& X_AB);

}  // namespace abut
