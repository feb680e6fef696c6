// Needed rows first. Steps that look far ahead make a row for every pair that might meet, but few
// of them press: at h = 0.1 s, 666 balls have 23,000 rows, of which some hundred press. A row is
// needed if zero impulse is not enough: z = 0 leaves it violated, or it pressed in the last step.
// Needed rows form connected parts; the solver behind solves each part. Rows that the answers
// violate are then needed too, and their parts are solved again. At the end every row holds, so
// that the answer solves the whole problem:
//
//   z_i = 0 and w_i >= 0 where a row was never needed.
//
//   auto solver = abut::make_needed_first(abut::make_solver("pivot,lemke"));
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

// A problem goes to `behind` unchanged if its A is not a block matrix, if it is small, or if it
// needs most of its rows. The same holds if this method does not solve it.
std::unique_ptr<Solver> make_needed_first(std::unique_ptr<Solver> behind);

}  // namespace abut
