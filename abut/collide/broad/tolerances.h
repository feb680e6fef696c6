// Tolerances of the broad phase. None of them changes which pairs are reported, but kBoxRounding.
#pragma once

namespace abut {

// Fraction of the diagonal of a geom's box: the margin of its leaf in the tree.
// Too large: leaves overlap many others, and a step tests many candidates. Too small: geoms leave
// their leaves in every step, and a step asks the tree again for each.
inline constexpr double kLeafMargin = 0.05;

// Ratio of surface areas. A leaf is replaced when its area is this many times that of a new leaf:
// the geom's box has shrunk.
// Too large: a leaf stays that is much too large. Too small: leaves are replaced for nothing.
inline constexpr double kLooseLeaf = 4;

// Steps. A leaf is extended along the motion of its geom for this many steps, at most by the size
// of the box.
// Too large: long leaves with many candidates. Too small: fast geoms leave their leaves every step.
inline constexpr double kLeafLookAhead = 4;

// Fraction of the largest coordinate (2^-48, 16 units in the last place). Boxes grow by this,
// because boxes are rounded in world coordinates and distances are computed in a local frame.
// Too large: pairs are reported that do not touch. Too small: a contact far from the world's origin
// is lost.
inline constexpr double kBoxRounding = 0x1p-48;

}  // namespace abut
