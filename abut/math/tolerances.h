// Tolerances of the room math. This header includes nothing.
#pragma once

namespace abut {

// Radians. Below this angle exp_rotation() uses the series of sin(a/2)/a, which is then exact to
// rounding.
// Too large: the omitted term a^4/3840 appears in rotations. Too small: 0/0 for tiny angles.
inline constexpr double kSmallAngle = 1e-4;

// Length of a unit quaternion's vector part. Below it log_rotation() takes the sine for the angle.
// Too large: rotations lose digits. Too small: 0/0 for no rotation.
inline constexpr double kNoRotation = 1e-12;

// Sine of an angle. A direction this close to the z axis is z or -z.
// Too large: rotation_from_z() is off by this angle. Too small: the axis of rotation is noise.
inline constexpr double kAlongZ = 1e-14;

// Fraction of the largest term. Rounding error of a sum of a few products (linear_program.cpp).
// Too large: a violated constraint passes. Too small: rounding counts as a violation, and programs
// seem infeasible.
inline constexpr double kSumRounding = 4e-15;

// Fraction of a row's terms. A row that contradicts the others by less belongs to a tie that
// elimination has blurred; linear programming omits it.
// Too large: contradictions are ignored. Too small: feasible programs with ties seem infeasible.
inline constexpr double kBlurredTie = 1e-10;

// Length of a row after elimination, from a length of about 1. A shorter row was parallel to the
// eliminating row.
// Too large: independent rows are lost. Too small: noise acts as a row.
inline constexpr double kParallelRows = 1e-13;

// Fraction of the largest term. Nearly parallel rows lose digits when one eliminates an unknown of
// the other, and then seem to contradict each other. A solution with a larger error is computed
// again in another order of the rows.
// Too large: inaccurate solutions pass. Too small: all attempts are used for nothing.
inline constexpr double kGoodOptimum = 1e-13;

}  // namespace abut
