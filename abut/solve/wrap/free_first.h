// Free rows first (C-3, S-10). Rows that hold whatever their impulse, those of joints, are
// eliminated by a sparse factor, and the solver behind gets the problem of the other rows:
//
//   A = | E  C' |   z_E = -E^+ (b_E + C' z_C)        w_C = (D - C E^+ C') z_C + b_C - C E^+ b_E
//       | C  D  |
//
// E is J M^-1 J' of the joints, with one block each; two blocks meet if two joints share a body. A
// chain or a tree is eliminated leaf by leaf without fill (minimum degree first, block_lu.h), in
// time linear in the number of links; each loop adds a little, a body with k joints a block of k
// joints.
//
// Redundant joints make E singular. E is factored with kFreeRegular of its diagonal added, and the
// answer is refined with E itself until it no longer improves. Of the impulses with the same effect
// the least are found; of equations that contradict each other the error is least.
//
//   auto solver = abut::make_free_first(abut::make_solver("pivot,lemke"));
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

// A problem goes to `behind` unchanged if its A is not a block matrix, has no free blocks, or has
// so many other rows that their dense matrix would cost more. The same holds if this method does
// not solve it.
std::unique_ptr<Solver> make_free_first(std::unique_ptr<Solver> behind);

}  // namespace abut
