// Tolerances of the room simulate. L is the size of a pair (pair_size()). This header includes nothing.
#pragma once

namespace abut {

// Fraction of the displacement |u_rel| h of a step. Together with kGhostSize, the gap within which
// a pair with an impulse must end (ghosts.h).
// Too large: ghosts are not counted. Too small: the linearisation error of every turning pair
// counts.
inline constexpr double kGhostWay = 1e-4;

// Fraction of L: the other term of the bound on ghosts.
// Too large: ghosts of slow pairs are not counted. Too small: rounding of resting pairs counts.
inline constexpr double kGhostSize = 1e-6;

// s. Inputs at given times take effect this much early, so that steps in binary fractions hit the
// intended times.
// Too large: inputs begin a step early. Too small: rounding of the time delays inputs by a step.
inline constexpr double kTimeGrace = 0.5e-9;

// Norm of a quaternion in a table of driven poses. A smaller one is an error.
// Too large: unnormalised quaternions are refused. Too small: a rotation of noise passes.
inline constexpr double kNoQuaternionInPath = 1e-6;

// Fraction of L. Initial overlaps above it get a warning. abut.contact.tolerance is at most this.
// Too large: overlaps that contact models push apart are not reported. Too small: worlds with
// harmless rounding get warnings.
inline constexpr double kReportedDepth = 1e-4;

// Fraction of a part of a step. A rest that is shorter is rounding of the lengths of substeps.
// Too large: time is lost. Too small: an additional substep of length 1e-16 s follows.
inline constexpr double kSubstepRest = 1e-12;

// Fraction of L. A substep that ends at an impact ends at this depth or less (impact_time.h).
// Too large: impacts are late. Too small: bisection runs to its limit.
inline constexpr double kImpactDepth = 1e-6;

// Fraction of the larger of the linear and angular momenta, as numbers. A momentum below it is
// rounding and has no drift.
// Too large: real drift is hidden. Too small: the drift of a world without momentum is noise /
// noise.
inline constexpr double kMomentumNoise = 1e-12;

// 1/s, times the radius of gyration for a linear velocity; rad/s for an angular one. A run with a
// larger velocity has diverged.
// Too large: diverged runs continue. Too small: fast projectiles end a run.
inline constexpr double kDivergedSpeed = 1e6;

}  // namespace abut
