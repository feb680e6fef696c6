#include "abut/solve/kernels.h"

#include <cmath>

namespace abut {

namespace {
constexpr int kLanes = 8;
}

ABUT_WIDEST double dot_long(const double* a, const double* b, int n) {
  double sum[kLanes] = {};
  int k = 0;
  for (; k + kLanes <= n; k += kLanes)
    for (int l = 0; l < kLanes; ++l) sum[l] += a[k + l] * b[k + l];
  for (int l = 0; k < n; ++k, ++l) sum[l] += a[k] * b[k];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

ABUT_WIDEST void add_scaled_long(double* __restrict y, double f, const double* __restrict x,
                                 int n) {
  for (int k = 0; k < n; ++k) y[k] += f * x[k];
}

ABUT_WIDEST void add_rows_long(double* __restrict y, const double* const* rows,
                               const double* factors, int count, int n) {
  int r = 0;
  // four rows at a time: y is read and written once for all of them
  for (; r + 4 <= count; r += 4) {
    const double* __restrict a = rows[r], * __restrict b = rows[r + 1], * __restrict c = rows[r + 2], * __restrict d = rows[r + 3];
    const double fa = factors[r], fb = factors[r + 1], fc = factors[r + 2], fd = factors[r + 3];
    for (int k = 0; k < n; ++k) y[k] += (fa * a[k] + fb * b[k]) + (fc * c[k] + fd * d[k]);
  }
  for (; r < count; ++r) {
    const double* __restrict a = rows[r];
    const double f = factors[r];
    for (int k = 0; k < n; ++k) y[k] += f * a[k];
  }
}

ABUT_WIDEST void magnitudes(const double* matrix, int n, double* __restrict of_rows,
                            double* __restrict of_columns) {
  for (int k = 0; k < n; ++k) of_columns[k] = 0;
  for (int i = 0; i < n; ++i) {
    const double* __restrict x = matrix + static_cast<long>(i) * n;
    double most[kLanes] = {};
    int k = 0;
    for (; k + kLanes <= n; k += kLanes)
      for (int l = 0; l < kLanes; ++l) {
        const double size = std::abs(x[k + l]);
        of_columns[k + l] = size > of_columns[k + l] ? size : of_columns[k + l];
        most[l] = size > most[l] ? size : most[l];
      }
    for (int l = 0; k < n; ++k, ++l) {
      const double size = std::abs(x[k]);
      of_columns[k] = size > of_columns[k] ? size : of_columns[k];
      most[l] = size > most[l] ? size : most[l];
    }
    for (int half = kLanes / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) most[l] = most[l + half] > most[l] ? most[l + half] : most[l];
    of_rows[i] = most[0];
  }
}

}  // namespace abut
