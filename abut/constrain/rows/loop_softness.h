// Softness of the rows of joints that close loops. Loops often say the same twice: the hinges of a
// planar four-bar repeat that its bars stay in their plane. Such rows move nothing, or next to
// nothing, and an error of rounding in them would ask for an impulse of rounding / rounding. With
//
//   w + c p = 0,   c = (kLoopPlay s)^2,   s^2 = (J M^-1 J')_A + (J M^-1 J')_B   at qpos0,
//
// where A and B are the two sides of the loop, each moved without the other, the impulses are those
// of least squares: of  |w|^2 / c + p' J M^-1 J' p. Directions in which the loop can move its bodies
// by more than kLoopPlay of what they would move without it hold to (kLoopPlay s)^2 / (J M^-1 J');
// along the others the error stays, and nothing moves.
//
// The rows are those of EqualityRows::add, in order; they are the same at every step.
#pragma once

#include <vector>

#include "abut/model/model.h"

namespace abut {

// 1/kg for lengths, 1/(kg m^2) for angles.
std::vector<double> loop_softness(const Model& model);

}  // namespace abut
