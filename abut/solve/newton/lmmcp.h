// LMMCP: Levenberg-Marquardt for mixed complementarity problems (Kanzow and Petra, "On a semismooth
// least squares formulation of complementarity problems with gap reduction", 2004; the paper on PEG
// names this method beside PATH).
//
// Least squares of 2 n functions, lambda_1 phi_i (Fischer and Burmeister) and lambda_2 g_i (the
// gap: product of the positive parts), with lambda_1 = 0.1, lambda_2 = 0.9 (fischer_function.h);
// for free rows both are w.
//   phase I   at most 20 Levenberg-Marquardt steps, each clipped to the bounds and to a box of
//             half width delta (5 at first, doubled if |Phi| came down to 0.95, halved if it
//             went above 4.75 times, never below 1), taken without a test; if none ended in a
//             solution, back to the start;
//   phase II  Levenberg-Marquardt steps with Armijo's rule (sigma 1e-4, factor 0.55, not below
//             1e-12), from the sixth on against the largest of the last 10 values; after 20
//             steps without a new best point, back to the best (watchdog). Until
//             1/2 |Phi|^2 <= 1/2 eps; 500 iterations of both phases together.
//   mu        1e-16; where the condition number of J'J is above 1e25: 1e-6 / (k + 1) in phase I,
//             0.1 / (k + 1) in phase II.
// Differences from the paper: rows and columns are scaled first (mcp.h). Newton's method on the
// natural map (natural_newton.h) gives the last digits; it is tried after phase I and at every 20th
// step of phase II too, because mu makes the method slow where J is singular at the solution
// (redundant contacts). A start ends early at a stationary point, or if 60 steps reduced the value
// by less than a tenth. Rows bounded by another row (|z_i| <= mu z_j) are supported; the bound
// moves with z_j.
//
// The functions have minima that are no solutions. Therefore there are several starts: the given
// one (or zeros), then random points within the bounds (`SolveOptions::starts`, from the seed).
// Only an answer that the natural residual confirms counts.
//
// Measured on problems of generate.h, from seed 1 (n 12: 1000 of each family, 40: 300, 100: 60; 18:
// 5000 with friction): P, semidefinite, degenerate, badly scaled, mixed, boxed, friction as
// pyramids, Painleve's rods: all solved, 999 of 1000 from zero. Rows bounded by another row: 993 of
// 1000, 289 of 300 and 46 of 60 from zero, and all of these with 20 starts; of 3500 with 30
// unknowns one is not (seed 2139), so that friction is not among the declared classes. PEG's two
// triangles (P-X5): 1 of the 4 problems from zero; 6 of 10 random starts lead to a solution.
//
//   auto solver = abut::make_solver("lmmcp");
//   solver->solve(problem, answer);  // answer.starts: how many starts it took
//
// Problems of PEG have several solutions. All that 50 starts find:
//
//   for (const abut::VectorX& z : abut::lmmcp_solutions(problem, {.starts = 50})) ..
#pragma once

#include <memory>

#include "abut/solve/newton/fischer_function.h"
#include "abut/solve/newton/natural_newton.h"
#include "abut/solve/solver.h"
#include "abut/solve/tolerances.h"

namespace abut {

struct LmmcpOptions {
  double tolerance = kSolveTolerance;  // of the natural residual
  int most_iterations = 500;           // of each start
  int starts = 20;                     // random starts after the given one
  std::uint64_t seed = 1;
};

struct LmmcpResult {
  bool solved = false;
  double natural = kInfinity;  // residual of the best point found
  int iterations = 0;          // of all starts together
  int starts = 0;              // starts made: 1 if the given one succeeded
};

// For any Mcp, also a nonlinear one. Keeps its workspace: the same size again allocates nothing.
class Lmmcp {
 public:
  LmmcpOptions options;

  // Solves from z alone; z becomes the best point found.
  LmmcpResult solve_from(const Mcp& mcp, VectorX& z);
  // Solves from z, then from random points, until one leads to a solution.
  LmmcpResult solve(const Mcp& mcp, VectorX& z);
  // Solves from z and from all random points: returns the solutions that differ from each other by
  // more than `apart`, relative to 1 + |z|, in some entry; in the order found.
  std::vector<VectorX> solutions(const Mcp& mcp, const VectorX& z, double apart = kSameFromStarts);

 private:
  void resize(int n);
  double merit(const Mcp& mcp, const VectorX& z, VectorX& w) const;
  int fill_rows(const Mcp& mcp);  // fills J and r of ls_ at z_; returns the number of rows
  void step(const Mcp& mcp, double mu_if_singular);
  void phase_one(const Mcp& mcp, LmmcpResult& result);
  void phase_two(const Mcp& mcp, LmmcpResult& result);
  bool finish(const Mcp& mcp, LmmcpResult& result);  // true: z_ is now a solution
  void random_start(const Mcp& mcp, int number, VectorX& z) const;

  DenseRows J_;
  LeastSquares ls_;
  NaturalNewton natural_;
  std::vector<RowMap> rows_;
  VectorX z_, w_, gradient_, step_, direction_, trial_, trial_w_, best_, start_, finish_, finish_w_;
  double psi_ = 0;
};

// The same for a linear problem. Throws std::invalid_argument for cones.
std::vector<VectorX> lmmcp_solutions(const Problem& problem, const LmmcpOptions& options = {},
                                     double apart = kSameFromStarts);

const SolverInfo& lmmcp_info();
std::unique_ptr<Solver> make_lmmcp();

}  // namespace abut
