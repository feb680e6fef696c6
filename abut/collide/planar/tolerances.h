// Tolerances of planar worlds. L is the size of the pair of polygons.
#pragma once

namespace abut {

// rad. How far joint axes and the normals of faces may be turned from the world's plane or from its
// normal.
// Too large: a world that is not planar is simulated as if it were. Too small: a planar world whose
// file has rounded numbers is refused.
inline constexpr double kPlanarAngle = 1e-6;

// Fraction of L, or of a distance. Differences of heights and distances below this are rounding.
// Too large: a worse edge or vertex may be taken. Too small: rounding chooses between equal edges.
inline constexpr double kPlanarRounding = 1e-12;

}  // namespace abut
