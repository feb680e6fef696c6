// Cottle and Dantzig's principal pivoting as Baraff uses it for contacts ("Fast contact force
// computation for nonpenetrating rigid bodies", SIGGRAPH 1994): rows are made valid one after
// the other, and those that are valid stay so.
//
// At every moment z is within the bounds, and each row is inside (w = 0), at its lower bound
// (valid if w >= 0) or at its upper (valid if w <= 0). A row with the wrong sign of w is
// driven: its z moves into the box, the rows inside follow so that their w stays 0, until its
// w is 0 or its z is at the other bound. A row that would become wrong on the way changes
// sides first: one pivot each. Of the wrong rows the one with the largest |w| / sqrt(A_ii) is
// next. For A semidefinite the rows inside stay independent (Baraff, section 5), so redundant
// contacts need no regularisation; a move along A d = 0 that nothing stops proves that there
// is no solution.
//
// The start is any set of rows inside whose z comes out within the bounds. Ours: none, or those of
// the warm start. Rows are driven as long as each pivot puts several right, as with redundant
// contacts, of which few carry anything; else all rows that are wrong go inside at once, less those
// whose z comes out of bounds, until none does. Rows that are free come first and never leave.
//
// Of A only the diagonal and the rows that are ever driven or inside are read, and their columns,
// to see that these are the same: for 1000 contacts of which 3 carry, 6 of 2000. Where z = 0 solves
// the problem A is not read at all.
//
// Up to 16 rows that begin at 0 are pivoted on the whole tableau (small_tableau.h), which is the
// same method with less to call; where that finds nothing, the rest is as above.
//
// Bounds by another row (friction): Baraff sets them once, from forces that then change. Here
// the bounds follow: with the bounds of the last z_j as numbers the problem is solved, then the
// states of its rows with the bounds as unknowns (CoupledSystem); if that is valid it is the
// solution, else its z_j are the next bounds, and after a few rounds those part of the way to the
// z_j that came out. This need not converge; then, after 200 rounds, it fails.
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
