// A certificate of depth by caps: a proof that no direction separates two overlapping polyhedra by
// a smaller translation than the normal of a given face of their Minkowski difference.
//
// A point v of the difference M = A - B rules out the directions u with v . u >= d: a cap of the
// sphere of directions. A ball inside M, the sum of one ball in each solid (inner_balls.h), rules
// out all directions but a cap K around the normal. So the caps of the face's corners must cover K.
// The caps of two neighbouring corners end, beyond the edge between them, in a corner of the
// covered region. If the ball rules out that corner as well, the edge is done. If not, the vertex
// of M that is farthest along that corner is inserted between the two, which makes two new corners.
// If that vertex is nearer than d, a direction with a smaller translation is found.
//
// Why corners are sufficient: the uncovered part of K is bounded by circles of caps. The part of
// such a circle inside K is one arc. The neighbouring caps on both sides cover the circle from one
// corner to the other, on the side of the face. If both corners are outside K, then the arc is
// either completely on the covered side or completely on the other side, and one point of it tells
// which. If the arc is on the covered side for every circle, nothing of K is left.
//
// If d is the face's own distance, all circles pass through the normal itself, and the corner of
// two neighbours v, w is the normal mirrored at their plane. Then most edges need neither a square
// root nor a division.
//
//   switch (certify_by_caps({A, B, X_AB}, face, slack).answer) ..
#pragma once

#include "abut/collide/proximity/warm/difference_face.h"

namespace abut {

struct CapCertificate {
  enum Answer {
    certified,  // no direction has a smaller translation
    better,     // a direction beyond `edge` of the face has a smaller translation
    unsure,     // undecided: too expensive, or rounding prevents a proof
  };
  Answer answer = unsure;
  int edge = -1;
  int inserted = 0;  // number of inserted vertices
};

// Whether every direction needs a translation of at least the face's distance minus `slack` (m, >
// 0). The face must be a face of the difference; the origin's projection may lie outside it.
CapCertificate certify_by_caps(const PolyhedronPair& pair, const DifferenceFace& face,
                               double slack);

}  // namespace abut
