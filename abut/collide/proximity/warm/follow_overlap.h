// Follows the least translation of an overlapping pair from last time's face of the difference:
// from face to face downhill while another needs less, and then the proof that none does
// (cap_certificate.h). Costs the same whatever the number of vertices, as long as the pair moves
// little.
//
//   abut::DifferenceFace face;
//   if (follow_overlap({A, B, X_AB}, last.a, last.b, false, L, 0, face)) depth = face.distance;
#pragma once

#include "abut/collide/proximity/warm/difference_face.h"

namespace abut {

// From features that exist: a face of either solid with anything, or two edges. `checked`: they
// are known to be the farthest against each other still (depth_certificate.h). True: `face` is
// the face of the difference nearest to the origin, to 1e-11 L, and its features are a face and a
// vertex, or edges that are not parallel to a face of the other. It does not leave the face it
// starts from for one that is nearer by `steady` (m) or less. False: not sure.
bool follow_overlap(const PolyhedronPair& pair, const Feature& a, const Feature& b, bool checked,
                    double L, double steady, DifferenceFace& face);

}  // namespace abut
