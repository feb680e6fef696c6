// Tolerances of the models of impulses. This header includes nothing.
#pragma once

namespace abut {

// Fraction of the step. A bounce before this is one at the start of the step.
// Too large: pairs bounce early by it. Too small: a step is cut at a time that is rounding of 0, and
// the rest of the step finds the same bounce again.
inline constexpr double kBounceAtStart = 1e-9;

// Fraction of the diagonal that is added to the normal equations of mixing (mixing.h).
// Too large: the mix is further from the least residual. Too small: equations that differ by rounding
// have no solution.
inline constexpr double kMixingRidge = 1e-14;

// Fraction of the largest unknown. A row of the printed problem with a larger unknown is pressed.
// Too large: light contacts are dropped from the next problem. Too small: rounding keeps contacts that
// are open.
inline constexpr double kPressedRow = 1e-9;

}  // namespace abut
