// Tolerances of impacts.
#pragma once

namespace abut {

// Of the fastest approach: pairs that approach as fast as the fastest pair to this part meet at the
// same time under the law `sequential`. Larger: an order that the velocities tell is lost. 0: rounding
// orders what is symmetric.
inline constexpr double kSameMoment = 1e-9;

// Of the energy that an impact takes: a gain below this is rounding of an exact zero. Larger: impacts
// may gain so much. 0: e of elastic impacts is lowered by rounding.
inline constexpr double kNoWork = 1e-12;

// Of g h, and of the pair's size in a step: approaches slower than their sum (m/s) are rounding of what
// rests. Larger: slow approaches are left to the step. Smaller: solids at rest meet for ever.
inline constexpr double kRestingFall = 1e-6;
inline constexpr double kRestingMove = 1e-12;
inline double slowest_approach(double g, double size, double h) {
  return kRestingFall * g * h + kRestingMove * size / h;
}

}  // namespace abut
