// LowRankMatrix: A = L B L' with L of few columns, for contacts: those of one pair of bodies move
// by 6 numbers, be they 4 or 400. Rows with the same pattern are a group; of each group's square of
// A, the Cholesky factor with pivoting, stopped at the rank, is the group's L, and B is what is
// left between the groups. Exact, to rounding, for every symmetric positive semidefinite A (the
// columns of A_gh are in the range of A_gg). Where that does not hold, L = 1 and B = A: by groups
// if the diagonal is positive, else dense.
#pragma once

#include <span>
#include <vector>

#include "abut/solve/linear/pattern_groups.h"

namespace abut {

class LowRankMatrix {
 public:
  // Of D A D, D = diag(scale). The pieces cover all rows, in order.
  void set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale);

  int size() const { return static_cast<int>(scale_.size()); }
  int rank() const { return rank_; }
  const PatternGroups& groups() const { return groups_; }
  const std::vector<int>& ranks() const { return ranks_; }      // one a group
  int place(int group) const { return factors_[group].place; }  // of its part of y
  const double* L(int group) const;                             // rows x rank, row major
  const double* B(int k) const { return between_.data() + between_at_[k]; }  // of neighbours()[k]

  void multiply(const VectorX& x, VectorX& y) const;
  void reduce(const double* x, double* y) const;   // y = L' x
  void between(const double* y, double* v) const;  // v = B y

 private:
  struct Factor {
    int place = 0, rank = 0;
    std::size_t begin = 0;  // L, into values_
    int pivot_begin = 0;    // the rows of the group that it was made of, into pivots_
  };

  void build(bool whole);
  void factor_group(int group, bool whole);
  void factor_by_pivots(std::span<const int> rows, Factor& f);
  void find_between();
  void find_between(int a, int b, double* B) const;
  double entry(int i, int j) const;
  bool fits(const Matrix& A);
  bool may_stay_sparse() const;

  const double* dense_ = nullptr;
  const BlockRows* blocks_ = nullptr;
  VectorX scale_;
  PatternGroups groups_;
  std::vector<Factor> factors_;  // one a group
  std::vector<double> values_;
  std::vector<int> pivots_, ranks_;
  int rank_ = 0;
  std::vector<std::size_t> between_at_;  // one a neighbour
  std::vector<double> between_;
  std::vector<double> columns_, diagonal_;  // scratch of factor_by_pivots()
  mutable std::vector<double> y_, v_;
  VectorX probe_, expected_, found_;
};

}  // namespace abut
