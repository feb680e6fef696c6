// Nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe and Erleben 2010): what a sweep of
// projected Gauss-Seidel changes is taken for a negative gradient, and Fletcher and Reeves's
// directions are made of it, with a restart where it grew. Costs a sweep and two vectors an
// iteration; on large problems takes the square root of pgs's sweeps or so.
//
//   auto solver = abut::make_solver("nncg", {.tolerance = 1e-6});
//
// No proof of convergence: a step along a direction is not tested. What is handed out is the
// best of the points looked at.
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

const SolverInfo& nncg_info();
std::unique_ptr<Solver> make_nncg();

}  // namespace abut
