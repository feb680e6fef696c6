// Torque-free rotation for one step, with energy and momentum conserved to rounding.
//
// The midpoint rule for Euler's equations, with w the mean angular velocity in body axes,
//
//   I (omega' - omega) + h k (w x I w) = 0,   w = (omega + omega')/2,
//
// conserves the energy for any k (dot product with w) and turns the body's angular momentum by
// exactly the rotation about w whose half angle has the tangent h k |w| / 2. With k = tan(x)/x, x =
// h |w|/2 that rotation is exp(h w): steady spins are exact, and R' = R exp(h w) leaves R I omega
// unchanged (docs/decisions.md).
#pragma once

#include "abut/math/types.h"

namespace abut {

struct Spin {
  Vec3 omega;   // rad/s, body axes, at the end of the step
  Quat turned;  // R' = R * turned
};

// Steps of more than 0.4 rad are divided, up to 256 parts.
Spin free_rotation(const Mat3& inertia, const Vec3& omega, double h);

// How the end of free_rotation() changes with omega: the velocity, and the turn, as a rotation vector in
// the axes at the end. Exact, of the equation that the midpoint rule solves.
struct SpinSlopes {
  Mat3 omega, turned;
};
SpinSlopes free_rotation_slopes(const Mat3& inertia, const Vec3& omega, double h);

}  // namespace abut
