// Tolerances of derivatives of a step. This header includes nothing.
#pragma once

namespace abut {

// m, rad, m/s, .. and units of controls: how far a coordinate is moved to each side.
// Too large: the curvature of the motion counts (with its square; central differences). Too small:
// the residual of the contact solver counts (divided by it).
inline constexpr double kDerivativeStep = 1e-5;

// Fraction of the larger of the two one-sided derivatives, entry by entry: the most by which they may
// differ where the derivative exists, besides kDerivativeNoise. A change of contact mode makes them differ by about their size;
// curvature by kDerivativeStep times the second derivative.
// Too large: kinks pass as derivatives. Too small: motions that are merely curved have none.
inline constexpr double kDerivativeKink = 0.01;

// Units of the entry of A or B: differences of one-sided derivatives below it are no kink. A kink in a
// position is one time step times that of its velocity, so this is far below common time steps.
// Too large: kinks in positions pass as derivatives. Too small: the residual of the contact solver,
// divided by kDerivativeStep, counts as a kink.
inline constexpr double kDerivativeNoise = 1e-4;

}  // namespace abut
