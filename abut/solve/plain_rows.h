// Residuals of the most common problem, 0 <= z perp w >= 0 in every row (all_plain() of problem.h),
// in loops without branches. Also the product of A with the few columns where z != 0, which are few
// if contacts are redundant.
#pragma once

#include "abut/solve/matrix.h"
#include "abut/solve/residuals.h"

namespace abut {

// Residuals of an LCP, except row_scaled. `w` is A z on entry and A z + b on return.
Residuals plain_residuals(const VectorX& b, const VectorX& z, VectorX& w);

// y = A x and |A| |x| by the columns of A with x != 0. The other columns are not read, so that a
// NaN there is not seen: Problem::what_is_wrong checks that.
class FewColumns {
 public:
  // Returns false if they are not few, or A is so small that all of it is as fast.
  bool find(const VectorX& x);
  void multiply(const DenseRows& A, VectorX& y) const;
  double size_of_row(const DenseRows& A, int i) const;  // (|A| |x|)_i

 private:
  static constexpr int kMost = 64;
  int count_ = 0;
  int column_[kMost];
  double x_[kMost];
};

}  // namespace abut
