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

// --- Analytic derivatives (analytic.h).

// Fraction of L, and sine of an angle. A contact point this near to a corner is that corner, and a normal
// this near to a face's is the face's.
// Too large: points of edges pass as corners. Too small: rounding far from the origin hides corners.
inline constexpr double kSameCorner = 1e-9;

// Fraction of L, or of a joint's range. A gap this small may open or overlap: the derivative has two
// sides. Bodies at rest have gaps of rounding.
// Too large: gaps that are to close in the step count as closed. Too small: rounding decides the side.
inline constexpr double kClosedGap = 1e-8;

// Fraction of the largest impulse, or speed, of the step. An impulse on the border of its cone and a slip
// or a parting this slow may change their mode.
// Too large: modes that stand still are refused. Too small: the solver's residual decides the mode.
inline constexpr double kModeBorder = 1e-6;

// Fraction of the speeds of the step. What the equations of the modes lead to is what the step led to, to
// this part: nothing else took part in the step.
// Too large: a second impact passes unseen. Too small: the solver's residual counts as one.
inline constexpr double kSameEnd = 1e-7;

// Fraction of the largest pivot. Rows of held contacts that depend on others to this part are redundant.
// Too large: rows that count are dropped. Too small: rounding of redundant rows moves bodies.
inline constexpr double kRedundantRow = 1e-9;

}  // namespace abut
