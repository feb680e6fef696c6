// Nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe and Erleben 2010). The change of z in a
// sweep of projected Gauss-Seidel is used as a negative gradient; the directions are those of
// Fletcher and Reeves, with a restart if the gradient grew. An iteration costs one sweep and two
// vectors; large problems need about the square root of the sweeps of pgs.
//
//   auto solver = abut::make_solver("nncg", {.tolerance = 1e-6});
//
// There is no proof of convergence, because steps are not tested. The answer is the best of the
// points measured.
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

const SolverInfo& nncg_info();
std::unique_ptr<Solver> make_nncg();

}  // namespace abut
