// Tolerances of patches, beside kSameContactPoint (collide/tolerances.h).
#pragma once

namespace abut {

// Cosine. A face whose normal has less than this along the patch's normal (it is within 0.6 degrees
// of parallel to the patch's normal) is a side and not part of the map. A point on such a face
// within reach of the other solid is within reach / 100 of a corner of a neighbouring face, so that
// no contact is lost. The walls of a resting box, upright to rounding, are not drawn.
// Too large: steep faces that carry a contact are left out. Too small: the map has faces whose
// heights rounding decides.
inline constexpr double kSteepestFace = 0.01;

// Cosine of 0.1 rad. Two capsules or lying cylinders whose axes differ by less lie side by side and
// have two contact points; at a wider angle they cross in one.
// Too large: cylinders that lie on each other rock on one point. Too small: points far from the
// crossing get gaps that are wrong, as surfaces bend away.
inline constexpr double kSideBySide = 0.995;

// Fraction of the way from a corner of the common shadow to its middle: where a line along the
// normal looks for a face.
// Too large: the line can miss the cell at the corner. Too small: rounding puts the line outside
// one of the solids.
inline constexpr double kCornerInset = 1e-3;

}  // namespace abut
