// The fast method for Coulomb's cones. An interior-point method comes close to a solution in about
// 10 iterations; Newton's method on the natural equations finishes to the last digits.
//
// Interior point. With x = (mu z_n, z_t) and s = (w_n / mu + |w_t|, w_t) the law says that x and s
// are in the standard cone and perpendicular (De Saxce 1992). The Jordan product is driven to zero
// as x o s = mu e, together with the rows s - |s_t| e = A x + b. The Newton step includes |s_t|, so
// that no outer fixed-point loop is needed (Acary, Armand, Nguyen and Shpakovych 2023). It uses
// Nesterov and Todd's scaling and Mehrotra's corrector. Redundant contacts do no harm: the answer
// is in the middle of the solutions. Finish. z = Z(z - w), with Z the projection of Alart and
// Curnier, by semismooth Newton steps with a small shift where A is singular. It is tried whenever
// the residual has fallen enough, and first of all from a warm start. If contacts of the warm start
// are on the border of sticking, a few sweeps (nsgs.h) replace it. If Newton's method stalls,
// redundant contacts slide: it is tried with a larger shift, and at last the contact states are
// found a few at a time. Both solve systems (diagonal blocks + A) in the size of A's rank
// (reduced_matrix.h), block-sparse: for 100 boxes a step costs as much as a few sweeps of nsgs.
//
//   auto solver = abut::make_solver("cone");
//   solver->solve(stack, answer);           // residual 1e-10, 10 to 20 iterations
//
// It accepts plain, boxed and free rows beside the cones, but no rows bounded by another row. There
// is no proof for mu > 0 (the problem is not convex, and may have several solutions); check the
// residual. Where it breaks: columns of 100 boxes shaken so that several faces slip at once. 7 of
// 45 such problems (mu 0.1 to 1, masses 1:1 to 100:1) stop at a residual of 1e-5 to 1e-6, because
// the boundary shortens every step from every start. With 60 boxes and fewer all 135 are solved.
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

const SolverInfo& cone_info();
std::unique_ptr<Solver> make_cone();
// Takes A in factors.
const SolverInfo& bodies_info();
std::unique_ptr<Solver> make_bodies();

}  // namespace abut
