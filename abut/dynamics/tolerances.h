// Tolerances of the room dynamics. This header includes nothing.
#pragma once

namespace abut {

// Radians. Below this angle the inverse left Jacobian of SO(3) uses the series of its coefficient.
// Too large: the omitted term a^4/30240 appears. Too small: the difference of two large numbers
// loses digits.
inline constexpr double kSeriesAngle = 1e-3;

// Fraction of the largest pivot of J M^-1 J'. A task whose smallest pivot is below it has dependent
// rows, and no inertia.
// Too large: tasks near a singular pose are refused. Too small: inertias of noise.
inline constexpr double kDependentTask = 1e-13;

// Radians. Below this half angle tan(x)/x uses its series.
// Too large: the omitted term 2 x^4/15 appears. Too small: 0/0 for a body without rotation.
inline constexpr double kSeriesTangent = 1e-4;

// Fraction of the angular momentum. Newton's method for the mean angular velocity of a step ends
// below it, once the residual no longer shrinks.
// Too large: energy of tumbling bodies drifts. Too small: the iterations run to their limit.
inline constexpr double kGyroscopeRounding = 1e-14;

// Squared fraction of the largest row of a group of constraints: 1e-12 of it in J. A smaller row
// has no effect and is omitted.
// Too large: weak constraints are lost. Too small: rows of noise make the problem singular.
inline constexpr double kBlindRow = 1e-24;

// s. Lower bound of an actuator's time constant. MuJoCo's value.
// Too large: fast actuators lag. Too small: division by zero.
inline constexpr double kLeastTimeConstant = 1e-15;

// kg. A body with less mass has no drag. MuJoCo's value.
// Too large: light bodies have no drag. Too small: the equivalent box is 0/0.
inline constexpr double kMasslessInAir = 1e-15;

// Fraction of the acceleration plus velocity / h. The fixed point of the velocity terms at the mean
// velocity of a step is reached when the change is smaller.
// Too large: energy of tumbling chains drifts. Too small: rounds are wasted, six at most.
inline constexpr double kSettledAcceleration = 1e-9;

// Fraction of the weight. A body with a smaller contact force falls freely, and its fall is
// corrected by h^2 g / 2.
// Too large: bodies at rest are moved into their support. Too small: rounding of contact forces
// prevents the correction.
inline constexpr double kNoContactForce = 1e-6;

}  // namespace abut
