// Tolerances of common volumes. L is the size of the pair.
#pragma once

namespace abut {

// Fraction of L. A plane that would cut off less than this cuts nothing, and vertices that are
// nearer to each other along an edge are one.
// Too large: volumes lose digits. Too small: rounding assigns a face that both solids share to one
// or the other, piece by piece.
inline constexpr double kFlush = 2e-14;

// Fraction of the thickness (volume / area) of the common part. Edges that are shorter are removed.
// Too large: faces of a thin volume vanish. Too small: several vertices stay in one place where more
// than three faces meet.
inline constexpr double kShortEdge = 1e-3;

// Fraction of L. dual_volume() needs a common ball of a larger radius than this.
// Too large: thin overlaps are reported as touching. Too small: the inner point is outside, by the
// rounding of the planes, and the dual has no meaning.
inline constexpr double kNoBall = 1e-15;

// Distance in stretched space, where the volume is about 2 wide. Dual points that are nearer stand
// for one plane.
// Too large: different faces become one. Too small: Qhull gets double points.
inline constexpr double kSameDualPoint = 1e-12;

// Radius in stretched space. A volume with an inscribed ball of this radius is round enough for
// Qhull.
// Too large: the space is stretched again for nothing. Too small: thin volumes lose digits.
inline constexpr double kRoundEnough = 0.02;

// rad. Facets of a shallower contact on a curved solid are as wide as those of a contact with this
// half angle.
// Too large: a shallow contact lies within one facet. Too small: facets are so narrow that their
// planes are rounding.
inline constexpr double kLeastCapAngle = 1e-4;

}  // namespace abut
