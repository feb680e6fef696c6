// Cottle and Dantzig's principal pivoting, in the form that Baraff uses for contacts ("Fast contact
// force computation for nonpenetrating rigid bodies", SIGGRAPH 1994): rows are made valid one after
// the other, and valid rows stay valid.
//
// At every moment z is within the bounds, and each row is inside (w = 0), at its lower bound (valid
// if w >= 0) or at its upper bound (valid if w <= 0). A row with the wrong sign of w is driven: its
// z moves into the box, and the rows inside follow so that their w stays 0, until its w is 0 or its
// z is at the other bound. A row that would become wrong on the way changes sides first: one pivot
// each. The wrong row with the largest |w| / sqrt(A_ii) is next. For a semidefinite A the rows
// inside stay independent (Baraff, section 5), so that redundant contacts need no regularisation. A
// move along A d = 0 that nothing blocks proves that there is no solution.
//
// The start may be any set of rows inside whose z is within the bounds. Ours is empty, or that of
// the warm start. Rows are driven as long as each pivot corrects several rows, as with redundant
// contacts, few of which carry load. Otherwise all wrong rows go inside at once, except those whose
// z would be out of bounds. Free rows come first and never leave.
//
// Only the diagonal of A, the rows that are driven or inside, and their columns (to check symmetry)
// are read: for 1000 contacts of which 3 carry load, 6 of 2000. If z = 0 solves the problem, A is
// not read at all.
//
// Up to 16 rows that begin at 0 are pivoted on the whole tableau (small_tableau.h), the same method
// with fewer calls. If that finds no solution, the general code runs.
//
// Bounds by another row (friction): Baraff sets the bounds once, from forces that then change. Here
// the bounds follow. First the problem is solved with constant bounds from the last z_j, then the
// linear system of its row states with the bounds as unknowns (CoupledSystem). If that is valid it
// is the solution. Otherwise its z_j give the next bounds; after a few rounds the bounds move only
// part of the way to the new z_j. This need not converge; it fails after 200 rounds.
//
//   auto solver = abut::make_dantzig();
//   solver->solve(problem, answer);
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

const SolverInfo& dantzig_info();
std::unique_ptr<Solver> make_dantzig();

}  // namespace abut
