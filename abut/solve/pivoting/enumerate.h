// "enum": every choice of which rows are at a bound and which have w = 0, one after the other
// (S-7). For tiny problems and as the oracle of the other solvers' tests: it shares no
// code with them.
//
//   for (const abut::VectorX& z : abut::enumerate_solutions(problem).solutions) ..
//
// A choice makes of each row an equation (z_i = lo, z_i = hi, z_i = +/- mu z_j or w_i = 0) and
// leaves inequalities to check. Where the equations have one solution, it is checked. Where
// they are singular but consistent, their solutions are an affine set, and a point of it that
// keeps the inequalities is looked for by the dual simplex method with Bland's rule: it ends,
// and finds one if there is one. So, up to rounding, a problem has a solution if and only if
// one is found.
//
// What may be missed: of a continuum of solutions only one point for each choice is given.
// What may be wrong: ranks are decided at 1e-12 of the equilibrated equations; a problem
// within that of singular may lose a solution.
//
// LCP rows have 2 choices, rows with two bounds 3, free rows and those with lo = hi 1; LCPs
// of 16 rows take up to about 0.2 s, and more than kMostChoices are refused.
#pragma once

#include <memory>
#include <vector>

#include "abut/solve/solver.h"

namespace abut {

inline constexpr long kMostChoices = 5'000'000;

struct Enumeration {
  std::vector<VectorX> solutions;  // no two closer than 1e-8 (1 + max|z|)
  long choices = 0;                // looked at
  bool complete = false;           // all of them were; false: too many, or a cone
};

// All solutions, or the first `most`; `tolerance` is that of Residuals::relative.
Enumeration enumerate_solutions(const Problem& problem, double tolerance = 1e-10,
                                int most = 1 << 20);

// One choice after the other, with memory that is used again.
class Enumerator {
 public:
  // False: more than kMostChoices, or a cone. `problem` must stay until the last `next`.
  bool start(const Problem& problem, double tolerance);
  // Goes on to the next choice that has a solution, which is then z(). False: there is none.
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
  double allowed_ = 0;  // of the natural residual
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
  // null space of R and what it does to z and w; then the inequalities of
  // find_point_of_affine_set as a dictionary
  DenseRows null_, dz_, dw_;
  DenseRows dictionary_;
  std::vector<int> basic_, nonbasic_;
};

const SolverInfo& enum_info();
std::unique_ptr<Solver> make_enum();

}  // namespace abut
