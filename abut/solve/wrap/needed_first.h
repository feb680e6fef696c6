// Needed rows first. Steps that look far ahead make a row for every pair that might meet, and few
// of them press: at h = 0.1 s, 666 balls have 23,000 rows, of which some hundred do. A row is
// needed where no impulse at all would not do: z = 0 leaves it violated, or it is remembered to
// have pressed. Needed rows fall into parts that share nothing; each part is solved by the solver
// behind. Rows that the answers violate are then needed too, and the parts that they belong to are
// solved again. At the end every row holds, so that the answer is one of the whole problem:
//
//   z_i = 0 and w_i >= 0 where a row was never needed.
//
//   auto solver = abut::make_needed_first(abut::make_solver("pivot,lemke"));
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

// What is no block matrix, is small, or needs most of its rows goes to `behind` as it is; so does
// what is not solved this way.
std::unique_ptr<Solver> make_needed_first(std::unique_ptr<Solver> behind);

}  // namespace abut
