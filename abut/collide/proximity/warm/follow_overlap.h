// Follows the minimum translation of an overlapping pair, starting from the last query's face of
// the Minkowski difference. It walks from face to face downhill while another face is less deep,
// and then proves that none is (cap_certificate.h). If the pair moves little, the cost does not
// depend on the number of vertices.
//
//   abut::DifferenceFace face;
//   if (follow_overlap({A, B, X_AB}, last.a, last.b, false, L, 0, face)) depth = face.distance;
#pragma once

#include "abut/collide/proximity/warm/difference_face.h"

namespace abut {

// Starts from existing features: a face of either solid with any feature, or two edges. `checked`:
// the features are known to be still farthest against each other (depth_certificate.h). On success
// `face` is the face of the difference nearest to the origin, to kEqualDepth L. Its features are a
// face and a vertex, or edges that are not parallel to a face of the other solid. The walk does not
// leave its first face for a face that is nearer by `steady` (m) or less. Returns false if it is
// not certain.
bool follow_overlap(const PolyhedronPair& pair, const Feature& a, const Feature& b, bool checked,
                    double L, double steady, DifferenceFace& face);

}  // namespace abut
