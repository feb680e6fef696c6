// The fast method for Coulomb's cones: an interior point gets close in 10 iterations or so,
// Newton's method on the natural equations finishes to the last digits.
//
// Interior point. With x = (mu z_n, z_t), s = (w_n / mu + |w_t|, w_t) the law is x, s in the
// standard cone, perpendicular (De Saxce 1992); its Jordan product is driven to zero as x o s =
// mu e along with the rows s - |s_t| e = A x + b, |s_t| included in the Newton step (so no outer
// fixed point; Acary, Armand, Nguyen and Shpakovych 2023), with Nesterov and Todd's scaling and
// Mehrotra's second step. Redundant contacts are no trouble: what is found is the middle of the
// solutions.
// Finish. z = Z(z - w), Z Alart and Curnier's projection, by semismooth Newton steps with a
// small shift where A is singular; tried whenever the residual has fallen enough, and first
// of all on a warm start, or a few sweeps (nsgs.h) in its place where contacts of that start are at
// the limit of sticking. Where it stalls, redundant contacts slide: it is tried with a larger
// shift, and at last the states of the contacts are found a few at a time.
// Both solve systems (blocks on the diagonal + A), in the size of A's rank (reduced_matrix.h),
// block-sparse: 100 boxes cost as much a step as a few sweeps of nsgs.
//
//   auto solver = abut::make_solver("cone");
//   solver->solve(stack, answer);           // residual 1e-10, 10 to 20 iterations
//
// Takes rows that are plain, boxed or free beside the cones; not rows bound by another. No
// proof for mu > 0 (the problem is not convex, and may have several solutions); the residual
// tells. Where it breaks: columns of 100 boxes shaken so that several faces slip at once; 7 of
// 45 (mu 0.1 to 1, masses 1:1 to 100:1) stop at a residual of 1e-5 to 1e-6, the border cutting
// every step short from every start. Of 60 boxes and fewer all 135 are solved.
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
