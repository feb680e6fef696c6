// P A = L U of a dense matrix that need not be symmetric, in place, by partial pivoting. Rows and
// columns are measured by their own size, so that a problem scaled row by row (1e-8 to 1e8) takes
// the same pivots.
//
//   abut::DenseLu lu;
//   lu.resize(n);                       // memory for n, once
//   abut::DenseLu::Map m = lu.start(k); // k x k of it, to be filled
//   if (lu.factor()) lu.solve(x);       // x = A^-1 x
#pragma once

#include <vector>

#include "abut/solve/matrix.h"

namespace abut {

class DenseLu {
 public:
  using Map = Eigen::Map<DenseRows>;

  void resize(int n);
  Map start(int k);
  bool factor();  // false: singular to working precision
  void solve(double* x);

 private:
  double* row(int i) { return a_.data() + static_cast<std::size_t>(order_[i]) * size_; }

  int size_ = 0;
  std::vector<double> a_, row_scale_, column_scale_, swapped_;
  std::vector<int> order_;  // row i of P A is row order_[i] of A
};

}  // namespace abut
