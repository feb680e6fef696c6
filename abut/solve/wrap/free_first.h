// Free rows first (C-3, S-10): rows that hold whatever their impulse, those of joints, are
// solved for by a sparse factor, and the solver behind gets what is left of the others:
//
//   A = | E  C' |   z_E = -E^+ (b_E + C' z_C)        w_C = (D - C E^+ C') z_C + b_C - C E^+ b_E
//       | C  D  |
//
// E is J M^-1 J' of the joints, one block each, and two blocks meet where two joints share a body:
// a chain or tree is eliminated leaf by leaf without fill (least degree first, block_lu.h), in
// time that grows with the number of links; each loop adds a little, a body with k joints a block
// of k joints.
//
// Joints that say a thing twice leave E singular. It is factored with 1e-12 of its diagonal added,
// and the answer refined with E itself until nothing more is gained: of the impulses that do the
// same the least are taken, and of equations that contradict each other the least is missed.
//
//   auto solver = abut::make_free_first(abut::make_solver("pivot,lemke"));
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

// What is no block matrix, has no free blocks, or so many rows besides that a dense matrix of
// them would cost more, goes to `behind` as it is; so does what is not solved this way.
std::unique_ptr<Solver> make_free_first(std::unique_ptr<Solver> behind);

}  // namespace abut
