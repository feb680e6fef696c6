// Tolerances of penalty models. This header includes nothing.
#pragma once

namespace abut {

// Of the depth: what is left of an overlap that a world began with no longer counts
// (initial_overlap.h). Larger: springs jump by so much. 0: the state remembers it for minutes.
inline constexpr double kPaid = 1e-9;

// Of the largest eigenvalue of static friction's system, weighed by what contacts can bear
// (held_friction.h): directions below it are redundant. Larger: what is lightly loaded slips. 0:
// rounding decides how redundant contacts share a force.
inline constexpr double kRedundant = 1e-10;

}  // namespace abut
