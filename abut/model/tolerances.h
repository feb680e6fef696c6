// Tolerances of the room model. Values that are MuJoCo's are marked: with another value the same file
// would mean something else there. This header includes nothing.
#pragma once

namespace abut {

namespace compiling {

// A mass (kg), an inertia (kg m^2) or a length (m) below this counts as zero. MuJoCo's value.
// Too large: worlds of dust are refused. Too small: divisions overflow.
inline constexpr double kTiny = 1e-15;
// Numbers above this are errors, in any unit.
// Too large: products of a few numbers overflow. Too small: valid worlds are refused.
inline constexpr double kAbsurd = 1e15;

}  // namespace compiling

// kg m^2. Each principal moment of a fullinertia must exceed it. MuJoCo's value.
// Too large: tiny bodies are refused. Too small: a singular inertia passes.
inline constexpr double kLeastMoment = 1e-14;

// kg. A geom with less mass does not count for its body's inertia. MuJoCo's value.
// Too large: light geoms are lost. Too small: the inertia of massless geoms is noise.
inline constexpr double kMasslessGeom = 1e-14;

// Fraction of the largest principal moment. The largest moment may exceed the sum of the others by
// this: flat bodies have equality up to rounding.
// Too large: impossible bodies pass. Too small: flat bodies are refused.
inline constexpr double kTriangleSlack = 1e-12;

// The norm of an axis (no unit), or half the distance of two ends (m), below which it has no
// direction.
// Too large: short axes and capsules are refused. Too small: a direction of noise passes.
inline constexpr double kNoAxis = 1e-14;

// Deviation of a quaternion's squared norm from 1. Within it kinematics uses the quaternion as it
// is.
// Too large: rotations scale bodies. Too small: every read normalises, and bits change without
// need.
inline constexpr double kUnitQuaternion = 1e-14;

// Squared norm of a quaternion. Below it the quaternion is the identity.
// Too large: valid quaternions are lost. Too small: the inverse of the norm overflows.
inline constexpr double kNoQuaternion = 1e-30;

// Fraction of the largest moment. Smaller off-diagonal entries of an inertia count as zero.
// Too large: principal axes are off. Too small: rounding turns the axes of a diagonal inertia.
inline constexpr double kOffDiagonal = 1e-16;

// Fraction of the largest moment. Moments that differ by less keep their order.
// Too large: moments are not sorted. Too small: rounding exchanges the axes of symmetric bodies.
inline constexpr double kEqualMoments = 1e-12;

// Fraction of the largest moment, for both purposes above, of meshes. MuJoCo's value.
// Too large: axes of meshes are off. Too small: files tuned in MuJoCo get other axes here.
inline constexpr double kMeshMoments = 1e-7;

// Cosine or sine of the angle of two joint axes. Below it they are perpendicular, or parallel.
// Too large: maximal coordinates replace a joint by another one. Too small: axes with rounded
// numbers are refused.
inline constexpr double kSquareAxes = 1e-9;

// m. Thickness of the layer whose inertia is that of an ellipsoid's shell. MuJoCo's value.
// Too large: the shell is a thick one. Too small: the difference of two inertias is noise.
inline constexpr double kEllipsoidLayer = 1e-6;

}  // namespace abut
