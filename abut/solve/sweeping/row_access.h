// Rows of A one at a time: what Gauss-Seidel sweeps are made of. A is never made dense. In the
// factored form the velocities u = M^-1 J' z follow z, so that a row costs as much as the bodies
// that it sees, whatever else touches these: follow() once, change() whenever z changes.
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

  // Before multiply(): the whole z, and what is added to some rows of it.
  void follow(const double* z);
  void change(int first, int size, const double* dz);

  // out = rows first .. first + size of A, times z.
  void multiply(int first, int size, const double* z, double* out) const;
  // out (row major, size x size) = the diagonal square of A that begins at `first`.
  void diagonal(int first, int size, double* out) const;

 private:
  double entry(int i, int j) const;  // of the factored form

  const double* dense_ = nullptr;  // row major
  const BlockRows* blocks_ = nullptr;
  const FactoredMatrix* factored_ = nullptr;
  int n_ = 0;
  std::vector<int> row_of_;  // block row, or group, of each row
  std::vector<double> u_;    // of the factored form
};

}  // namespace abut
