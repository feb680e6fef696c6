// Tolerances of kissing manifolds. L is the size of the pair.
#pragma once

namespace abut {

// Fraction of L (K-N3). Corners of a manifold that are nearer to each other, or to the line between
// their neighbours, are one corner.
// Too large: small manifolds lose their shape. Too small: rounding adds corners.
inline constexpr double kManifoldMerge = 1e-9;

// Fraction of L^2 (K-N3). A polygon of less area is a segment.
// Too large: narrow polygons lose two of their corners. Too small: a line contact becomes a polygon
// whose orientation is rounding.
inline constexpr double kManifoldLeastArea = 1e-14;

// Fraction of L. contact_plane() takes a face to pass through the common point if the point is this
// near to the face's plane. It begins with the first and widens it tenfold up to the last.
// Too large: faces beside the contact are candidates. Too small: no face is found.
inline constexpr double kFirstPlaneWidth = 1e-9, kLastPlaneWidth = 1e-5;

}  // namespace abut
