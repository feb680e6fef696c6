// The bases of Lemke's method: w - M z - e z0 = q with n basic variables out of w, z and z0.
//
// Almost all of a basis is trivial: a basic w_i is a unit column. The rest is the core K, m x m:
// the columns of the basic z (and z0) in the rows whose w is not basic. m - 1 is the number of
// closed contacts; n may be much larger. The core's inverse is stored and updated at each pivot by
// a rank-one matrix. That takes m^2 operations, and n m for a column of the whole, compared with
// n^2 writes for a tableau.
//
// Variables are numbered w_i = i, z_i = n + i, z0 = 2 n.
#pragma once

#include <vector>

#include "abut/solve/matrix.h"

namespace abut {

class LemkeBasis {
 public:
  // Starts with all w basic, x = q. `rows` (M, row major) must stay valid; its transpose is copied.
  void start(const DenseRows& rows, const VectorX& q);

  int size() const { return n_; }
  int artificial() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  bool w_is_basic(int i) const { return row_place_[i] < 0; }
  bool artificial_is_basic() const { return column_place_[n_] >= 0; }

  // The core: its column p is z_core(p), p < core_size().
  int core_size() const { return m_; }
  int core(int p) const { return columns_[p] + n_; }
  int place(int z) const { return column_place_[z - n_]; }  // the p of a basic z

  // B^-1 times the column of `entering`: for the core, and for the rows whose w is basic (entries
  // of other rows are undefined). `drift` is the error of the core's inverse in this column,
  // relative to the largest entry.
  void column(int entering);
  const VectorX& of_core() const { return t_core_; }
  const VectorX& of_rows() const { return t_rows_; }
  double largest() const { return largest_; }
  double drift() const { return drift_; }

  // Values of the basic variables.
  VectorX& core_values() { return x_core_; }
  VectorX& row_values() { return x_rows_; }

  // `entering`, whose column was just computed, replaces `leaving`; its value is `step`, and the
  // other values have been updated.
  void pivot(int entering, int leaving, double step);

  // Column c of B^-1 (of the slack w_c, not basic): its largest entry in the core's rows, then its
  // entries in the rows of basic variables.
  double fetch_inverse_column(int c);
  double inverse_entry(int basic) const;

  // Recomputes the inverse of the core and the values. Returns false if the core is singular.
  bool refactor();
  // z of the basis, and e z0.
  void read(VectorX& z, VectorX& artificial) const;
  // Adds to the core's values K^-1 times `residual`, which is w = M z + e z0 + q of its rows.
  void correct(const VectorX& residual);

 private:
  void recompute_values();
  const double* column_of(int z) const { return columns_of_M_.data() + std::size_t(z) * n_; }
  double* inverse(int p) { return inverse_.data() + std::size_t(p) * stride_; }
  void core_row_times_inverse(int row);
  void add_core_columns(double* y, const VectorX& factors);
  double core_entry(int row, int z) const { return z == n_ ? -1 : -(*rows_)(row, z); }
  void grow(int z, int row);
  void replace_column(int p, int z);
  void replace_row(int r, int row);
  void shrink(int p, int r);

  const DenseRows* rows_ = nullptr;
  const VectorX* q_ = nullptr;
  DenseRows columns_of_M_;
  int n_ = 0, m_ = 0;
  std::vector<int> columns_, core_rows_;  // of the core: which z (n: z0), which row
  std::vector<int> column_place_, row_place_;
  std::vector<double> inverse_;  // row p: column p of the core; m x m in rows of stride_
  int stride_ = 0;

  VectorX t_core_, t_rows_, x_core_, x_rows_;
  double largest_ = 0, drift_ = 0;
  VectorX part_, row_, fetched_;
  std::vector<const double*> pointers_;
  std::vector<double> factors_;
  std::vector<int> exchanged_;
};

}  // namespace abut
