// Tolerances of the room haptic. This header includes nothing.
#pragma once

namespace abut::haptic {

// Largest error of the length of a device's quaternion.
// Too large: damaged packets pass. Too small: devices that send single precision are refused.
inline constexpr double kQuaternionError = 1e-2;

// N: a force below it is none, for the directions of limits.
// Too large: small forces are not limited. Too small: the direction is rounding.
inline constexpr double kNoForce = 1e-12;

// Least positive resistance (kg): a mass below it is no mass.
// Too large: light hands are refused. Too small: the hand's motion overflows.
inline constexpr double kNoMass = 1e-9;

// m: least depth that a contact's stiffness is taken from (linear_contact.h).
// Too large: soft contacts look softer. Too small: rounding of the depth makes the stiffness.
inline constexpr double kLeastDepth = 1e-9;

// s: one nanosecond, the unit of the clock.
// Too large, too small: it is exact.
inline constexpr double kNanosecond = 1e-9;

}  // namespace abut::haptic
