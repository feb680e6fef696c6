// Tolerances of the room load. This header includes nothing.
#pragma once

namespace abut {

// Norm of an axis or a quaternion in a file, in the file's numbers. A shorter one has no direction
// and is an error.
// Too large: valid axes are refused. Too small: a direction of noise passes.
inline constexpr double kShortestAxis = 1e-14;

// Numbers above this are errors: the product of a few lengths and masses would overflow.
// Too large: infinities appear later, without the line of the file. Too small: valid files are
// refused.
inline constexpr double kLargestNumber = 1e30;

// Limits of URDF joints from here on (rad, m, N, N m) are none: files write 1e16 for "no limit".
// Too large: a limit that nobody meant is refused as beyond simulation. Too small: limits are lost.
inline constexpr double kUrdfUnlimited = 1e10;

// The least mass (kg) of a moving URDF link without its own.
// Too large: links that should have no weight have one. Too small: the mass matrix is close to
// singular where only such a link resists a joint.
inline constexpr double kLeastUrdfMass = 1e-6;

// The least moments of inertia (kg m^2) of the same links: a milligram with a radius of gyration of
// 3 cm.
// Too large: joints feel an inertia that nobody meant. Too small: as for the mass.
inline constexpr double kLeastUrdfInertia = 1e-9;

// Sines and cosines of superellipses (builtin_mesh.h) that are 0: rounding to a small power is not
// small.
// Too large: vertices near an axis of symmetry move onto it. Too small: those on it leave it.
inline constexpr double kNoSine = 1e-12;

}  // namespace abut
