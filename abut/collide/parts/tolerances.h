// Tolerances of the folder collide/parts: geoms that consist of several convex parts.
#pragma once

namespace abut {

// Fraction of the part's size. A point belongs to a part if it is no farther outside than this.
// Too large: parts that only come near the point forbid normals there. Too small: rounding makes the
// seam between two parts an edge, at which things get caught.
inline constexpr double kOnPart = 1e-7;

// rad. A neighbouring part may rise above the plane of a contact by this angle.
// Too large: a shallow valley between two parts is taken as flat, and its edge may push. Too small:
// rounding of coplanar faces forbids the normal of both.
inline constexpr double kSeamAngle = 1e-6;

// 1 - cosine. Patches of a pair of geoms whose normals differ by less are one patch.
// Too large: faces that differ are taken as one. Too small: each part of a flat floor has a patch of
// its own, and solvers get many points that say the same.
inline constexpr double kOnePatch = 1e-13;

// Fraction of the part's size. How far beside a point its face is looked at.
// Too large: corners of small faces are not seen. Too small: rounding decides what is beside a seam.
inline constexpr double kBesidePoint = 1e-5;

// Fraction of a curved solid's size: its tessellation lies inside by less than this.
// Too large: parts are looked at that cannot touch. Too small: a part that touches is missed.
inline constexpr double kInscribed = 0.02;

}  // namespace abut
