// Murty's least-index principal pivoting (Murty 1974): of the rows that are
// wrong the first changes sides. Each P-matrix problem is solved in finitely many pivots (up
// to 2^n in made-up cases, about n in usual ones); nothing is asked of the start.
// See exchange.h for what is done with boxes and with semidefinite matrices.
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
