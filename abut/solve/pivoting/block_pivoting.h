// Block principal pivoting (Kostreva 1978; Judice and Pires, Computers Ops. Res. 21, 1994):
// all rows that are wrong change sides at once, and a handful of linear systems is usually
// enough. When their number stops falling the least index goes alone, as in `murty`, until it
// falls: finite for P-matrices, with boxes and free rows as they are. The fast first attempt
// (S-2); starts from answer.z if told to. See exchange.h for semidefinite matrices.
//
//   auto solver = abut::make_pivot();
//   solver->solve(problem, answer);
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

const SolverInfo& pivot_info();
std::unique_ptr<Solver> make_pivot();

}  // namespace abut
