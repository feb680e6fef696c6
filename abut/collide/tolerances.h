// Tolerances of the room collide that several folders share, or that no folder owns. Each folder
// has a tolerances.h of its own for the rest.
//
// L is the size of a pair (convex.h, pair_size): the sum of the diagonals of the two bounding
// boxes. Lengths are fractions of L, so that a query about a watch gear and one about a ship get
// answers of the same quality. Directions are unit vectors: a difference of two of them is an angle
// in rad, "1 - cosine" half of its square.
#pragma once

namespace abut {

// ---- all queries ----

// Fraction of L. Solids whose signed distance is smaller in magnitude kiss: they touch
// (docs/notation.md).
// Too large: solids that are visibly apart or overlap count as touching, and get kissing manifolds
// and `indeterminate` normals. Too small: rounding of the poses decides whether a resting pair
// touches, and its manifold flickers.
inline constexpr double kKissing = 1e-7;

// Fraction of L. Contact points of a patch that are nearer to each other are one point.
// Too large: distinct corners merge and a patch loses its extent. Too small: one corner of two
// flush faces becomes several points, whose rows are linearly dependent.
inline constexpr double kSameContactPoint = 1e-9;

// rad. Normals that differ by less are one direction.
// Too large: different planes count as one and an indeterminate normal is not reported. Too small:
// the two faces of a flush contact count as different directions.
inline constexpr double kSameDirection = 1e-6;

// Fraction of L. Centres that are nearer to each other define no direction between them.
// Too large: the direction between distinct centres is not used. Too small: rounding chooses the
// direction.
inline constexpr double kSameCenter = 1e-12;

// ---- pair_contact.h ----

// Fraction of L, added to the reach of a patch. Distances are exact to about 1e-16 L, so that a
// kissing pair may have a distance just above zero.
// Too large: a patch has points beyond its reach. Too small: a kissing pair has no patch within
// reach 0.
inline constexpr double kReachSlack = 1e-9;

// ---- first_meeting.h ----

// Fraction of L. Conservative advancement ends when the solids are this near.
// Too large: solids stop visibly before they touch. Too small: the search takes many steps, as each
// step ends a little short of the contact.
inline constexpr double kMeetingTouch = 1e-7;

// Fraction of L. Solids have met if they overlap by half of this a little later.
// Too large: a slow impact is found late or not at all. Too small: solids that graze, such as a box
// that slides from tile to tile, count as meeting.
inline constexpr double kMeetingDeep = 1e-6;

// Fraction of the step. The search ends when less than this is left of the step.
// Too large: a meeting at the end of the step is seen only by the last query. Too small: the search
// takes steps that rounding swallows.
inline constexpr double kMeetingStepLeft = 1e-9;

// ---- normal.h ----

// Fraction of L. The facet of the last step is kept while its depth is larger than the least depth
// by no more than this (D-N4).
// Too large: the normal stays on a facet that is no longer the least deep. Too small: the normal
// flickers between facets that are equally deep.
inline constexpr double kNormalHysteresis = 1e-6;

// 1 - cosine. A direction this near to a half-space's inward normal is that normal.
// Too large: a tilted direction gets the half-space's finite support. Too small: rounding of a
// rotation makes the support of a half-space infinite.
inline constexpr double kAlongHalfSpace = 1e-12;

// Fraction of L. A face passes through a point that is this near to its plane, at first; the rule
// contact_plane widens it tenfold until it finds a face, up to twice kKissing.
// Too large: faces beside the contact are candidates. Too small: a few more rounds.
inline constexpr double kFirstFaceThrough = 1e-12;

// Fraction of the area of the common part. An area vector that is shorter has no direction.
// Too large: area_weighted is undefined where it has an answer. Too small: its normal is rounding.
inline constexpr double kNoAreaVector = 1e-12;

// Fraction of L. Facets whose depths differ by less are equally deep.
// Too large: a deeper facet may be taken. Too small: rounding chooses between the two facets of a
// pierced plate.
inline constexpr double kFacetDepthRounding = 1e-14;

// ---- calm_pairs.h ----

// Of the size rounded up to a power of two, and of a quaternion: cells of the grid of poses.
// Too large: gaps are wrong by the square of it. Too small: slow solids are looked at anew too often.
inline constexpr double kCalmCell = 0x1p-15;

// Of the size: solids that move by less in a step are calm.
// Too large: those that pass a cell in every step are rounded for nothing. Too small: those that
// come to rest are looked at anew in every step for longer.
inline constexpr double kCalmMotion = 0x1p-17;

// ---- contact_drawing.h ----

// Fraction of the smaller solid. A drawing shows the shortest way between solids that are farther
// apart than this.
// Too large: a visible gap has no line. Too small: the line is a dot.
inline constexpr double kDrawnGap = 1e-3;

}  // namespace abut
