// The Cholesky factor L L' of A's rows and columns in an active set C, updated while rows enter and
// leave: pivoting methods spend most of their time here.
//
//   append many    k^3 / 3, in panels that use each loaded row of L eight times
//   append one     k^2 / 2 (forward), remove one (k - position)^2, solve k^2
//
// A is symmetric and positive semidefinite; only its rows are read. A row that depends on those in
// C is not added, so that C stays independent (redundant contacts: the Schur complement A_ii - A_iC
// A_CC^-1 A_Ci is rounding noise beside A_ii).
//
//   abut::ActiveFactor factor;
//   factor.reset(n);
//   factor.append(A, rows, &dependent);
//   factor.solve(x);  // x = A_CC^-1 x, in the order of factor.rows()
#pragma once

#include <span>
#include <vector>

#include "abut/solve/matrix.h"

namespace abut {

class ActiveFactor {
 public:
  // Empties the set and reserves n rows; the same n again allocates nothing.
  void reset(int n);

  int size() const { return static_cast<int>(rows_.size()); }
  std::span<const int> rows() const { return rows_; }
  int position(int row) const { return position_[row]; }  // -1: not in C

  // Adds the candidates (not in C), in order; those that depend on C are appended to `dependent`.
  void append(const DenseRows& A, std::span<const int> candidates, std::vector<int>& dependent);

  // q = L^-1 A_C,row, kept for `push` and `direction`. Returns the Schur complement, 0 if the row
  // depends on C; a negative value means that A is not semidefinite.
  double forward(const DenseRows& A, int row);
  // Adds the row of the last `forward`; its Schur complement must be positive.
  void push(int row, double schur);
  // x = A_CC^-1 A_C,row of the last `forward`.
  void direction(double* x) const;

  void remove(int position);

  void solve(double* x) const;

 private:
  double* row_of(int k) { return L_.data() + static_cast<std::size_t>(k) * stride_; }
  void forward(double* x) const;   // L^-1 x
  void backward(double* x) const;  // L'^-1 x
  void take(int row, double schur);
  bool append_one(const DenseRows& A, int row);
  double least_schur(double diagonal) const { return dependent_below_ * diagonal; }

  int stride_ = 0;
  double dependent_below_ = 0;
  std::vector<double> L_;        // row major, stride_ apart; row size() belongs to `forward`
  std::vector<double> inverse_;  // 1 / L_kk
  std::vector<double> panel_;    // right sides of a panel
  std::vector<double> cosine_, sine_;
  std::vector<int> rows_, position_;
};

// y += sum over k of x[k] times row rows[k] of A: A_:C x for symmetric A, read by rows.
void add_rows_of(const DenseRows& A, std::span<const int> rows, const double* x, double* y);

}  // namespace abut
