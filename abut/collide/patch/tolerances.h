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

// Fraction of the patch's radius that the outline of a reduced patch may lose: an error of the wrench
// cone that is accepted to save points.
// Too large: bodies tip over too early. Too small: round outlines use all kMostPatchPoints.
inline constexpr double kPatchTolerance = 1e-3;

// Factor. Gaps are judged this many times more strictly than places: a lost gap shows as overlap of
// kPatchTolerance / kGapWeight of the range of gaps.
// Too large: points are spent on gaps that nobody sees. Too small: overlap.
inline constexpr double kGapWeight = 100;

// Fraction of the pair's size L. The range of gaps of a patch is at least this.
// Too large: gaps of small patches are lost. Too small: rounding of gaps decides which points stay.
inline constexpr double kLeastGapRange = 1e-4;

// Factor. Points of the last step stay while their error is below this multiple of the error of the
// best new points.
// Too large: worse points stay. Too small: points that do equally well alternate.
inline constexpr double kKeepPoints = 1.5;

// A point must be better by more than rounding to come before an earlier one.
inline constexpr double kOutlineRounding = 1e-9;

// The distance is refined until a plane shows that it is no less by this part of itself.
inline constexpr double kHullRefined = 1e-6;

}  // namespace abut
