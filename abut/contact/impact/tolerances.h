// Tolerances of impacts.
#pragma once

namespace abut {

// Of the fastest approach: pairs that approach as fast as the fastest pair to this part meet at the
// same time under the law `sequential`. Larger: an order that the velocities tell is lost. 0: rounding
// orders what is symmetric.
inline constexpr double kSameMoment = 1e-9;

// Of the energy that an impact takes: a gain below this is rounding of an exact zero. Larger: impacts
// may gain so much. 0: e of elastic impacts is lowered by rounding.
inline constexpr double kNoWork = 1e-12;

// Of g h, and of the pair's size in a step: approaches slower than their sum (m/s) are rounding of what
// rests. Larger: slow approaches are left to the step. Smaller: solids at rest meet for ever.
inline constexpr double kRestingFall = 1e-6, kRestingMove = 1e-12;
inline double slowest_approach(double g, double size, double h) {
  return kRestingFall * g * h + kRestingMove * size / h;
}

// rad. Flights are divided into legs, within which the turn of a body differs from an even turn by no
// more.
// Too large: two bodies that fly meet at a wrong time. Too small: a step has many legs.
inline constexpr double kEvenTurn = 1e-4;

// Fraction of the angular velocity squared. An axis of rotation that moves at a lower rate is steady.
// Too large: tumbling bodies fly in one leg. Too small: rounding divides the flight of a ball.
inline constexpr double kSteadyAxis = 1e-9;

// Fraction of the sum of the radii of two bodies. Balls around them that pass at no more than this may
// meet.
// Too large: more pairs are searched exactly. Too small: rounding hides a meeting.
inline constexpr double kNearFlight = 1e-6;

// Fraction of the pair's size. Under models of forces a pair that would be deeper than this at the end
// of the step is stopped one step earlier, at the gap that is left.
// Too large: small fast bodies are found deep inside others and are thrown out. Too small: bodies stop
// in the air.
inline constexpr double kStoppedEarly = 1e-3;

// Fraction of the first velocity along the surface. Slip below it has ended.
// Too large: friction stops what still slides. Too small: the path of an impact has no end.
inline constexpr double kStoppedSlip = 1e-10;

// Fraction of the response along the normal, added to those along the surface, which may be 0.
// Too large: the friction impulse is too small by it. 0: the direction of friction is not defined
// where a joint holds the body along the surface.
inline constexpr double kImpactSoftness = 1e-12;

}  // namespace abut
