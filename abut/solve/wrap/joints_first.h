// Joints first. Loops of a robot's joints always hold, and a joint with dry friction either moves,
// with an impulse at one of its bounds, or sticks, so that it holds too. Which of the two is known
// from the step before, all but a few: rows at a bound are given impulses, rows that hold are
// eliminated tree by tree (factored/held_rows.h), and the solver behind gets contacts, limits, and
// joints that are near a bound, with factors of the same trees. If a joint turns out to be on the
// wrong side, all that seemed to stick go to the solver behind, and the rest is solved again.
//
//   z_F = lo or hi     w_E = 0     (J_C M_held^-1 J_C') z_C + b_C'  for the solver behind
//
//   auto solver = abut::make_joints_first(abut::make_solver("cone,nsgs"));
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

// A problem goes to `behind` unchanged if its A is not in factors, or has no rows of joints that
// see one tree alone. The same holds if this method does not solve it: loops that contradict each
// other, joints on the wrong side once more.
std::unique_ptr<Solver> make_joints_first(std::unique_ptr<Solver> behind);

}  // namespace abut
