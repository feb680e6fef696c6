// The innermost loops of pivoting: sums over contiguous arrays, for the widest vectors that
// the machine has. Each entry is computed by the same operations in the same order whatever
// the width and wherever the arrays begin, so the bits do not depend on the machine (which
// Eigen's sums do not promise: they begin at the first aligned address).
#pragma once

// One function for each width of vector, chosen when the program starts. No fused
// multiply-add in any of them (-ffp-contract=off), so they agree bit by bit. Sanitizers run
// before what chooses is ready.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ABUT_WIDEST __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define ABUT_WIDEST
#endif

namespace abut {

// Short arrays are not worth a call.
inline constexpr int kShort = 12;

double dot_long(const double* a, const double* b, int n);
void add_scaled_long(double* y, double f, const double* x, int n);
void add_rows_long(double* y, const double* const* rows, const double* factors, int count, int n);

inline double dot(const double* a, const double* b, int n) {
  if (n > kShort) return dot_long(a, b, n);
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// y += f x
inline void add_scaled(double* __restrict y, double f, const double* __restrict x, int n) {
  if (n > kShort) return add_scaled_long(y, f, x, n);
  for (int k = 0; k < n; ++k) y[k] += f * x[k];
}

// y += the sum of factors[k] rows[k], k < count
inline void add_rows(double* __restrict y, const double* const* rows, const double* factors,
                     int count, int n) {
  if (n > kShort) return add_rows_long(y, rows, factors, count, n);
  for (int r = 0; r < count; ++r) add_scaled(y, factors[r], rows[r], n);
}

// The largest |entry| of each row and column of an n x n matrix, row major.
void magnitudes(const double* matrix, int n, double* of_rows, double* of_columns);

}  // namespace abut
