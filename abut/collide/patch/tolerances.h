// Tolerances of patches, all relative.
#pragma once

namespace abut {

// Of the pair's size L. Points nearer than this are one point. Larger: corners of fine meshes
// merge. Smaller: rounding leaves two points of one corner, with two names.
inline constexpr double kSamePoint = 1e-9;

// Cosine of 0.1 rad: two capsules or cylinders whose axes enclose a smaller angle touch along a
// line; others cross in a point.
inline constexpr double kSideBySide = 0.995;

// How much the outline of a reduced patch may lose, of the patch's radius: this error of the wrench
// cone is accepted to save points. Larger: bodies tip over too early. Smaller: round outlines use
// all kMostPatchPoints.
inline constexpr double kPatchTolerance = 1e-3;

// Gaps are judged so many times more strictly than places: a lost gap shows as overlap of
// kPatchTolerance / kGapWeight of the gaps' range.
inline constexpr double kGapWeight = 100;

// The gaps' range of a patch is at least this part of L, so that rounding of gaps does not count.
inline constexpr double kLeastGapRange = 1e-4;

// A set of points that was kept before stays while its error is below this multiple of that of the
// best new set. 1: points that do equally well alternate.
inline constexpr double kKeepPoints = 1.5;

}  // namespace abut
