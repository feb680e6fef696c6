// Block principal pivoting (Kostreva 1978; Judice and Pires, Computers Ops. Res. 21, 1994): all
// rows that are wrong change sides at once, and a handful of linear systems is usually enough. When
// their number stops falling, the least index changes alone, as in `murty`, until it falls again.
// The method is finite for P-matrices, and handles boxes and free rows directly. It is the fast
// first attempt (S-2), and uses a warm start. See exchange.h for semidefinite matrices.
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
