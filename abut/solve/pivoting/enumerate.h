// "enum": tries every choice of which rows are at a bound and which have w = 0 (S-7). For tiny
// problems, and as the oracle of the other solvers' tests: it shares no code with them.
//
//   for (const abut::VectorX& z : abut::enumerate_solutions(problem).solutions) ..
//
// A choice turns each row into an equation (z_i = lo, z_i = hi, z_i = +/- mu z_j or w_i = 0) and
// leaves inequalities to check. If the equations have one solution, it is checked. If they are
// singular but consistent, their solutions are an affine set, and the dual simplex method with
// Bland's rule searches a point of it that satisfies the inequalities: it terminates, and finds one
// if there is one. So, up to rounding, a problem has a solution if and only if one is found.
//
// What may be missed: of a continuum of solutions only one point for each choice is returned. What
// may be wrong: ranks are decided at kEquationRank of the equilibrated equations; a problem that is
// singular within that may lose a solution.
//
// LCP rows have 2 choices, rows with two bounds 3, free rows and rows with lo = hi 1. LCPs of 16
// rows take up to about 0.2 s; more than kMostChoices choices are refused.
#pragma once

#include <memory>
#include <vector>

#include "abut/solve/solver.h"
#include "abut/solve/tolerances.h"

namespace abut {

inline constexpr long kMostChoices = 5'000'000;

struct Enumeration {
  std::vector<VectorX> solutions;  // no two closer than 1e-8 (1 + max|z|)
  long choices = 0;                // number of choices tried
  bool complete = false;           // all choices were tried; false: too many, or a cone
};

// All solutions, or the first `most`; `tolerance` is relative as in Residuals::relative.
Enumeration enumerate_solutions(const Problem& problem, double tolerance = kSolveTolerance,
                                int most = 1 << 20);

// Iterates over the choices, and reuses its memory.
class Enumerator {
 public:
  // Returns false for more than kMostChoices choices, or a cone. `problem` must stay valid until
  // the last `next`.
  bool start(const Problem& problem, double tolerance);
  // Advances to the next choice that has a solution, which is then z(). Returns false if there is
  // none.
  bool next();

  const VectorX& z() const { return z_; }
  long choices() const { return looked_at_; }

 private:
  enum class At : unsigned char { low, high, between };

  bool advance();
  bool solve_choice();
  void write_equations();
  void factor();
  void solve_factored(const VectorX& rhs, VectorX& u);
  bool find_point_of_affine_set();
  void spread(const VectorX& u, bool homogeneous, VectorX& z) const;
  double natural_residual();
  At first_of(int row) const;
  bool next_of(int row, At& at) const;

  const Problem* problem_ = nullptr;
  double allowed_ = 0;  // largest natural residual of a solution
  DenseRows A_;
  std::vector<At> at_;
  bool fresh_ = true;
  long looked_at_ = 0;

  // the equations R u = r of one choice: u = z of the rows with w = 0
  std::vector<int> between_;     // those rows
  std::vector<int> unknown_of_;  // row -> unknown, -1
  DenseRows R_;                  // becomes its factors
  VectorX r_, row_scale_, column_scale_;
  std::vector<int> row_order_, column_order_;
  int rank_ = 0;

  VectorX z_, w_, u_, correction_, solved_, direction_, scratch_;
  // null space of R and its effect on z and w; then the inequalities of find_point_of_affine_set as
  // a dictionary
  DenseRows null_, dz_, dw_;
  DenseRows dictionary_;
  std::vector<int> basic_, nonbasic_;
};

const SolverInfo& enum_info();
std::unique_ptr<Solver> make_enum();

}  // namespace abut
