// Murty's least-index principal pivoting (Murty 1974): the first of the wrong rows changes sides.
// Each P-matrix problem is solved in finitely many pivots (up to 2^n in constructed cases, about n
// usually), from any start. See exchange.h for boxes and semidefinite matrices.
//
//   auto solver = abut::make_murty();
//   solver->solve(problem, answer);
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

const SolverInfo& murty_info();
std::unique_ptr<Solver> make_murty();

}  // namespace abut
