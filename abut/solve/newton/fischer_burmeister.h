// Newton's method on the function of Fischer and Burmeister. phi_i(z) = 0 for every row, with
// phi(a, b) = a + b - sqrt(a^2 + b^2) (fischer_function.h), is the complementarity problem as a
// square system of semismooth equations (Fischer 1992; De Luca, Facchinei, Kanzow 1996; Billups
// 1995 for boxes). Each step solves with an element of the generalised Jacobian. If that is
// singular, or the step does not descend enough, a Levenberg-Marquardt step is taken, and the
// gradient as the last resort. The line search uses Armijo's rule on 1/2 |phi|^2, along the step
// projected to the bounds and, if that fails, along the straight step. At the end Newton's method
// on the natural map (natural_newton.h) gives the remaining digits.
//
//   auto solver = abut::make_solver("fb");
//   abut::Answer answer;
//   solver->solve(problem, answer);
//
// If the descent ends without a solution, up to 8 proximal rounds follow: the same method with w +
// pull (z - anchor) for w, anchored at the point reached, with pull 0.01 and a tenth of it each
// time (Rockafellar 1976). For semidefinite A every round has one solution, and the solutions
// converge to one of the problem. Where contacts are nearly redundant, phi alone is too flat to
// determine which of them carries the load.
//
// Convergence is quadratic near a solution with a regular Jacobian. For P0 matrices (which include
// positive semidefinite ones) every stationary point is a solution. For other matrices it may stop
// at a minimum that is no solution: `failed`, "a minimum that is no solution". It never proves
// infeasibility. A warm start near the solution saves half of the steps or more.
//
// Measured on problems of generate.h, from seed 1 (n 10: 4000 of each family, 12: 1000, 40: 300,
// 100: 60): P, semidefinite, degenerate, badly scaled, mixed, boxed: all solved, in 3 to 25 steps.
// Friction as pyramids: 998 of 1000 with 12 unknowns, 296 of 300 with 40; bounded by another row:
// 988 of 1000, 284 of 300; Painleve's rods: 109 of 1000, none of 300 (lmmcp.h solves them).
//
// For rows bounded by another row (|z_i| <= mu z_j) Newton's step includes the change of the bound.
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

const SolverInfo& fb_info();
std::unique_ptr<Solver> make_fb();

}  // namespace abut
