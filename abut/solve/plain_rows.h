// Residuals of the commonest problem by far, 0 <= z perp w >= 0 in every row (all_plain() of
// problem.h), in loops without branches; and the columns of A that meet z != 0, which are few where
// contacts are redundant.
#pragma once

#include "abut/solve/matrix.h"
#include "abut/solve/residuals.h"

namespace abut {

// Residuals of an LCP but for row_scaled. `w` comes as A z and leaves as A z + b.
Residuals plain_residuals(const VectorX& b, const VectorX& z, VectorX& w);

// y = A x and |A| |x| by the columns of A with x != 0. Of the others nothing is read, so that what
// is not a number there is not seen: Problem::what_is_wrong is for that.
class FewColumns {
 public:
  // False: they are not few, or A is so small that all of it is as quick.
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
