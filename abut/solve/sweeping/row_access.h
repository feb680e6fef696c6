// Rows of A one at a time, in the dense and the block-sparse form, for Gauss-Seidel sweeps. A is
// never made dense.
//
//   abut::RowAccess rows;
//   rows.set(problem.A);
//   rows.multiply(i, 3, z, w);   // w[0..2] = (A z) of rows i, i + 1, i + 2
#pragma once

#include <vector>

#include "abut/solve/matrix.h"

namespace abut {

class RowAccess {
 public:
  // Keeps a reference to A, which must stay alive and keep its shape.
  void set(const Matrix& A);

  // out = rows first .. first + size of A, times z.
  void multiply(int first, int size, const double* z, double* out) const;
  // out (row major, size x size) = the diagonal square of A that begins at `first`.
  void diagonal(int first, int size, double* out) const;

 private:
  const double* dense_ = nullptr;  // row major
  const BlockRows* blocks_ = nullptr;
  int n_ = 0;
  std::vector<int> row_of_;  // block row of each row
};

}  // namespace abut
