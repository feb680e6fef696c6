#include "abut/solve/row_kernels.h"

namespace abut {

ABUT_WIDE void add_four_rows(const double* r0, const double* r1, const double* r2, const double* r3,
                             const double x[4], int n, double* y) {
  const double x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
  for (int j = 0; j < n; ++j) y[j] += (r0[j] * x0 + r1[j] * x1) + (r2[j] * x2 + r3[j] * x3);
}

void add_rows(const DenseRows& A, std::span<const int> rows, const double* x, double* y) {
  const int n = static_cast<int>(A.cols()), count = static_cast<int>(rows.size());
  int k = 0;
  for (; k + 4 <= count; k += 4)
    add_four_rows(A.row(rows[k]).data(), A.row(rows[k + 1]).data(), A.row(rows[k + 2]).data(),
                  A.row(rows[k + 3]).data(), x + k, n, y);
  for (; k < count; ++k) {
    const double* a = A.row(rows[k]).data();
    for (int j = 0; j < n; ++j) y[j] += a[j] * x[k];
  }
}

}  // namespace abut
