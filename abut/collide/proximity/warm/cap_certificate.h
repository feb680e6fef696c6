// A certificate of depth by caps: a proof that no direction parts two overlapping polyhedra by less
// than a face of their difference does, from that face outwards.
//
// A point v of the difference M = A - B rules out the directions u with v . u >= d: a cap of the
// sphere of directions. A ball inside M, the sum of one in each solid (inner_balls.h), rules out
// all but a cap K around the normal. So caps of the face's corners must cover K. Where two
// neighbours' caps end, beyond the face's edge, is a corner of what they cover: if the ball rules
// it out as well, this edge is done. If not, the vertex of M farthest along it is taken in
// between, with two corners more; and if that one is nearer than d, here is a direction that
// needs less.
//
// Why corners are enough: what is left of K is bounded by circles of caps. On such a circle the
// part in K is one arc. Its cap's neighbours on both sides cover the circle from one corner to
// the other, on the side of the face. With both corners outside K, the arc is all on the covered
// side or all on the other; one point of it tells which. If it is the covered side for every
// circle, nothing is left of K.
//
// All circles pass through the normal itself if d is the face's own distance, and the corner of two
// neighbours v, w is the normal mirrored at their plane: most edges need no root and no quotient.
//
//   switch (certify_by_caps({A, B, X_AB}, face, slack).answer) ..
#pragma once

#include "abut/collide/proximity/warm/difference_face.h"

namespace abut {

struct CapCertificate {
  enum Answer {
    certified,  // no direction needs less than asked for
    better,     // some direction beyond `edge` of the face needs less
    unsure,     // it would take too long, or rounding is in the way
  };
  Answer answer = unsure;
  int edge = -1;
  int inserted = 0;  // vertices taken in
};

// Whether every direction needs at least the face's distance, but for `slack` (m, > 0).
// The face must be one of the difference; the origin's projection may be outside it.
CapCertificate certify_by_caps(const PolyhedronPair& pair, const DifferenceFace& face,
                               double slack);

}  // namespace abut
