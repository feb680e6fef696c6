// Newton's method on Fischer and Burmeister's function: phi_i(z) = 0 for every row, where
// phi(a, b) = a + b - sqrt(a^2 + b^2) (fischer_function.h), is the complementarity problem as
// a square system of semismooth equations (Fischer 1992; De Luca, Facchinei, Kanzow 1996; Billups
// 1995 for boxes). Each step solves with an element of the generalized Jacobian; where that is
// singular, or the step does not go down enough, a Levenberg-Marquardt step is taken, and the
// gradient as the last resort. Armijo's rule on 1/2 |phi|^2, along the step bent into the
// bounds and, where that does not do, along the straight one. Last, Newton on the natural map
// (natural_newton.h) brings the rest of the digits.
//
//   auto solver = abut::make_solver("fb");
//   abut::Answer answer;
//   solver->solve(problem, answer);
//
// Where the descent ends without a solution, up to 8 proximal rounds follow: the same with
// w + pull (z - anchor) for w, anchored at the point reached, pull 0.01 and a tenth of it each
// time (Rockafellar 1976). For semidefinite A every round has one solution and they lead to one
// of the problem; where contacts are nearly redundant, phi alone is too flat to say which of
// them carries.
//
// Quadratic convergence near a solution where the Jacobian is regular; for P0 matrices
// (positive semidefinite ones among them) every stationary point is a solution. For others it
// may stop at a minimum that is none: `failed`, "a minimum that is no solution". It proves
// nothing infeasible. A warm start near the solution saves half the steps or more.
//
// Measured on problems of generate.h, from seed 1 (n 10: 4000 of each family, 12: 1000, 40: 300,
// 100: 60): P, semidefinite, degenerate, badly scaled, mixed, boxed: all solved, in 3 to 25
// steps. Friction as pyramids: 998 of 1000 of 12 unknowns, 296 of 300 of 40; bound by another
// row: 988 of 1000, 284 of 300; Painleve's rods: 109 of 1000, none of 300 (lmmcp.h solves them).
//
// Rows bound by another (|z_i| <= mu z_j) are taken with the bound moving in Newton's step.
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

const SolverInfo& fb_info();
std::unique_ptr<Solver> make_fb();

}  // namespace abut
