#include "abut/solve/linear/kernels.h"

#include <cmath>

namespace abut {

namespace {

constexpr int kLanes = 8;

// Written out, because the compiler does not see that an array of sums fits into registers.
typedef double Four __attribute__((vector_size(32)));
typedef long long FourBits __attribute__((vector_size(32)));
constexpr long long kNoSign = 0x7fffffffffffffff;
constexpr FourBits kAllButSign = {kNoSign, kNoSign, kNoSign, kNoSign};

#define ABUT_LOAD_FOUR(four, from) std::memcpy(&(four), (from), sizeof(Four))

}  // namespace

ABUT_WIDEST double dot_long(const double* a, const double* b, int n) {
  Four first{}, second{};
  int k = 0;
  for (; k + 8 <= n; k += 8) {
    Four x, y;
    ABUT_LOAD_FOUR(x, a + k);
    ABUT_LOAD_FOUR(y, b + k);
    first += x * y;
    ABUT_LOAD_FOUR(x, a + k + 4);
    ABUT_LOAD_FOUR(y, b + k + 4);
    second += x * y;
  }
  first += second;
  double sum = (first[0] + first[2]) + (first[1] + first[3]);
  for (; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

ABUT_WIDEST double dot_of_sizes_long(const double* a, const double* b, int n) {
  Four first{}, second{};
  int k = 0;
  for (; k + 8 <= n; k += 8) {
    Four x, y;
    ABUT_LOAD_FOUR(x, a + k);
    ABUT_LOAD_FOUR(y, b + k);
    x *= y;
    first += (Four)((FourBits)x & kAllButSign);
    ABUT_LOAD_FOUR(x, a + k + 4);
    ABUT_LOAD_FOUR(y, b + k + 4);
    x *= y;
    second += (Four)((FourBits)x & kAllButSign);
  }
  first += second;
  double sum = (first[0] + first[2]) + (first[1] + first[3]);
  for (; k < n; ++k) sum += std::abs(a[k] * b[k]);
  return sum;
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

namespace {

// For few rows, where loop overhead would exceed the work.
void magnitudes_short(const double* matrix, int n, double* __restrict of_rows,
                      double* __restrict of_columns) {
  for (int k = 0; k < n; ++k) of_columns[k] = 0;
  for (int i = 0; i < n; ++i, matrix += n) {
    Pair most{};
    int k = 0;
    for (; k + 2 <= n; k += 2) {
      const Pair size = absolute(load_pair(matrix + k)), column = load_pair(of_columns + k);
      store_pair(of_columns + k, size > column ? size : column);
      most = size > most ? size : most;
    }
    double row = most[1] > most[0] ? most[1] : most[0];
    if (k < n) {
      const double size = std::abs(matrix[k]);
      of_columns[k] = size > of_columns[k] ? size : of_columns[k];
      row = size > row ? size : row;
    }
    of_rows[i] = row;
  }
}

}  // namespace

ABUT_WIDEST void magnitudes_long(const double* matrix, int n, double* __restrict of_rows,
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

void magnitudes(const double* matrix, int n, double* of_rows, double* of_columns) {
  if (n <= kShort) return magnitudes_short(matrix, n, of_rows, of_columns);
  magnitudes_long(matrix, n, of_rows, of_columns);
}

}  // namespace abut
