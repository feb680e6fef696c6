// Converts any plain, mixed or boxed problem to an LCP, and back: for methods that solve only 0 <=
// x perp M x + q >= 0.
//
//   abut::LcpForm form;
//   if (!form.build(problem)) ..   // free rows that contradict each other: no solution
//   .. solve form.M(), form.q() for x ..
//   form.restore(x, z);
//
//   row                        unknowns of the LCP
//   0 <= z                     x = z; an LCP is its own form, and nothing is copied
//   lo <= z                    x = z - lo
//   z <= hi                    x = hi - z, w mirrored
//   lo <= z <= hi              x = z - lo and a slack s: x perp w + s, s perp hi - lo - x
//   |z_i| <= mu z_j            x+, x-, s with z_i = x+ - x-: x+ perp w + s, x- perp -w + s,
//                              s perp mu z_j - x+ - x-. Stewart and Trinkle's friction (1996,
//                              eq. 10) for one direction and its opposite: if A is positive
//                              semidefinite, M is copositive plus for physical problems
//   lo = hi, or mu = 0         none: z is known
//   free, w = 0                none: eliminated by Gauss with complete pivoting
//
// Free rows that depend on others and are consistent with them (redundant joints) are left out,
// with z = 0. Free rows that restrict the other unknowns but not their own (a zero block on the
// diagonal) stay, split into x+ and x-.
//
// The same sizes again allocate nothing.
#pragma once

#include <vector>

#include "abut/solve/problem.h"

namespace abut {

class LcpForm {
 public:
  // Returns false if the free rows contradict each other. `problem`, without cones, must stay
  // unchanged while the form is used.
  bool build(const Problem& problem);

  int size() const { return static_cast<int>(q().size()); }
  const DenseRows& M() const { return same_ ? problem_->A.rows() : M_; }
  const VectorX& q() const { return same_ ? problem_->b : q_; }
  bool is_the_problem() const { return same_; }

  // z of the problem from x of the LCP.
  void restore(const VectorX& x, VectorX& z);
  // x of the LCP from a solution z, w of the problem.
  void lift(const VectorX& z, const VectorX& w, VectorX& x) const;

 private:
  // An unknown of the LCP: a part of z, or a slack.
  struct Unknown {
    int row = 0;        // of the problem
    double sign = 1;    // z_row = constant + sum of sign x; 0: a slack
    int first = -1;     // of a slack: the unknowns that it bounds,
    int second = -1;    // -1: there is one
    int bound_of = -1;  // of a slack: mu x[bound_of] is in the bound
    double bound = 0;   // of a slack: the constant in the bound
  };

  void sort_rows();
  bool eliminate_free_rows();
  void name_unknowns();
  void write();
  void solve_free(VectorX& rhs, VectorX& u) const;
  bool is_known(int i) const;

  const Problem* problem_ = nullptr;
  bool same_ = false;
  DenseRows A_;  // for a problem whose A is not dense
  DenseRows M_;
  VectorX q_;
  std::vector<Unknown> unknowns_;
  std::vector<int> first_unknown_;  // of each row, -1: none

  VectorX constant_;        // z = constant + ..
  std::vector<int> order_;  // free rows first, then the others that stay
  int free_ = 0;            // number of free rows
  int eliminated_ = 0;      // number of eliminated ones
  int kept_free_ = 0;       // the others, or 0 if they restrict nothing
  // A with rows and columns in `order_`, eliminated in place, and b + A constant beside it
  DenseRows W_;
  VectorX g_;
  std::vector<int> row_order_, column_order_;  // of the free block: place -> place before
  VectorX row_scale_, column_most_;
  VectorX z_, w_, rhs_, u_;
};

}  // namespace abut
