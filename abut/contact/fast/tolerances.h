// Tolerances of the contact model fast.
#pragma once

namespace abut {

// Of the pair's size: gaps below this are none. Bodies at rest have gaps of this order by rounding,
// another at each point of a face. Larger: gaps that are real close later. Smaller: psi / h asks for
// velocities that no rigid body can have.
inline constexpr double kNoGap = 1e-10;

// Of the pair's size: overlap that the position pass lets be. Larger: solids overlap visibly.
// Smaller: solids at rest are moved at every step by what the velocities were not solved for.
inline constexpr double kLetBe = 5e-6;

// The same for islands that rest, of few bodies, which the exact solver takes otherwise. Larger:
// overlap that the post-step would remove stays. Smaller: rounding keeps islands from resting.
inline constexpr double kRestOverlap = 2e-10;

// Of the mean impulse: an island of few bodies rests if a sweep changes no impulse by more. Larger:
// small scenes are less exact than under st. Smaller: rounding keeps them from resting.
inline constexpr double kRests = 1e-9;

// rad: an island in which a body turns by more in a step does not rest (contacts_ahead.cpp).
inline constexpr double kRestTurn = 1e-5;

// Of a body's size: the most that the position pass moves a body in a step. Larger: gaps, linear in
// the motion, mean little. Smaller: solids that start deep in each other need more steps to part.
inline constexpr double kMostLift = 0.05;

// Of the mean impulse of contacts that press: a sweep that changes no impulse by more ends the
// solution. Larger: piles creep. Smaller: more sweeps a step.
inline constexpr double kAccuracy = 1e-5;

// Weight of a contact in a step of Newton's method, by its own inverse inertia. Larger: rounding of
// the factors shows in the impulses. Smaller: slow modes of tall towers need more steps.
inline constexpr double kStiff = 1e4;

// Of the largest impulse: momentum that a step of Newton's method leaves. Larger: the step ends
// before contacts slide as they should. Smaller: systems for nothing.
inline constexpr double kSolvedIsland = 1e-8;

}  // namespace abut
