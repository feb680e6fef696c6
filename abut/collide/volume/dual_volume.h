// dual_volume: the common part of two convex solids by duality, as in the papers (Cheng Yi and
// Drumwright, IV-G; Hasegawa and Fujii, 4.2; K-15, K-E3, H-4). From a point inside both solids,
// every plane n . x = d becomes the point n/d. Qhull computes the hull of these points. The facets
// of the hull are the vertices of the common part, and the vertices of the hull are its faces.
//
// The method is known to fail for thin and tiny volumes (Drumwright's criticism, K-N1). Therefore
// the space is first stretched until the volume is about as wide as long: linear programs find its
// extent along its own axes. Where it still fails there is no inner point: the answer is
// OverlapKind::touching without faces, and the kissing manifold is to be used instead.
//
// This is for research and for tests of clip_volume.h, with which it shares only the type of the
// answer. Faces of both solids in one plane count as A's (H-N4).
//
//   abut::Intersection common = abut::dual_volume(a, b, X_AB);
#pragma once

#include "abut/collide/volume/interior_point.h"
#include "abut/collide/volume/intersection.h"

namespace abut {

Intersection dual_volume(const Convex& A, const Convex& B, const Transform& X_AB);

}  // namespace abut
