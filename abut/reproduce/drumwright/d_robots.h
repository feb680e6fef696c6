// The two robots of Drumwright, IV-D, with dimensions and masses of our own.
#pragma once

#include "abut/model/world.h"

namespace abut::reproduce {

inline constexpr double kWheel = 0.1, kTrack = 0.38;  // m: radius of a wheel; from wheel to wheel

// A base on two driven wheels and two castors that do not rub, at rest on the ground z = 0; x is
// forward. Controls are the speeds (rad/s) of the left and of the right wheel. With `humanoid` the
// base carries a waist, a neck and two arms of seven joints: 26 degrees of freedom in all.
// worlds/diff_drive.xml and worlds/humanoid.xml are alike.
//
// `corners`: the wheels are prisms over polygons of so many corners; 0: cylinders.
World robot_on_wheels(bool humanoid, int corners = 0);

}  // namespace abut::reproduce
