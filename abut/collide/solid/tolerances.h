// Tolerances of what queries precompute for one solid. L is the size of this solid: the diagonal of
// its bounding box.
#pragma once

namespace abut {

// Fraction of L. Hulls are flat and convex to this (shape/hull.h): a vertex may be this far above
// the plane of a face, and a dent of this depth turns the normal of a face or of an edge.
// Too large: support maps list more vertices than they need. Too small: a support map can miss the
// farthest vertex, and a certificate of depth can be wrong.
inline constexpr double kHullFlatness = 4e-9;

// rad. Cells of a support map are widened by at least this.
// Too large: longer lists. Too small: rounding of a direction puts it into a cell that does not
// list its farthest vertex.
inline constexpr double kLeastCellWidening = 1e-8;

// rad. Where the normals of a solid are less certain than this, its support map only says where a
// climb begins.
// Too large: lists of nearly all vertices. Too small: climbs where a list would be exact.
inline constexpr double kMostCellWidening = 1e-3;

// Fraction of L. A polyhedron whose shortest edge or narrowest face is shorter has no AxisTable.
// Too large: fewer solids use the fast search over separating axes. Too small: rounding turns the
// normals of short edges and the search can return a wrong axis.
inline constexpr double kLeastAxisLength = 1e-4;

// Cosine. The least cosine of half the angle between the normals of an edge that
// AxisTable::stretch divides by.
// Too large: the bound of a knife edge is too small, and an axis can be ruled out that is the best.
// Too small: division by zero at a sheet.
inline constexpr double kLeastHalfAngleCosine = 1e-9;

// Fraction of L^2. Added to the spread of a solid (Convex::spread) on the diagonal.
// Too large: the guess of the normal ignores the shape of flat solids. Too small: a sheet has a
// singular spread, and no guess.
inline constexpr double kLeastSpread = 1e-6;

// Fraction of L. Inner balls are smaller by this, for the rounding of the planes.
// Too large: certificates of depth fail more often, and queries take the slow way. Too small: a ball
// can reach out of the solid, and a certificate can be wrong.
inline constexpr double kInnerBallRounding = 1e-13;

// Fraction of the distance of the solid's centre from its origin: the same for the rounding of the
// positions.
inline constexpr double kInnerBallOffsetRounding = 1e-15;

}  // namespace abut
