// The innermost loops of pivoting: sums over contiguous arrays, with the widest vectors of the
// machine. Each entry is computed by the same operations in the same order, whatever the width and
// the alignment, so that the bits do not depend on the machine. (Eigen's sums do not guarantee
// this: they begin at the first aligned address.)
#pragma once

#include <cmath>
#include <cstring>

// One function for each vector width, chosen when the program starts. None uses fused multiply-add
// (-ffp-contract=off), so that they agree bit by bit. Not with sanitizers, which run before the
// choice is made.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ABUT_WIDEST __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define ABUT_WIDEST
#endif

namespace abut {

// Arrays up to this length are not worth a call.
inline constexpr int kShort = 12;

// The vector type of every machine, for short arrays.
typedef double Pair __attribute__((vector_size(16)));
inline Pair load_pair(const double* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}
inline Pair absolute(const Pair& pair) {
  typedef long long Bits __attribute__((vector_size(16)));
  constexpr long long kAllButSign = 0x7fffffffffffffff;
  return (Pair)((Bits)pair & Bits{kAllButSign, kAllButSign});
}
inline void store_pair(double* to, const Pair& pair) { std::memcpy(to, &pair, sizeof pair); }

double dot_of_sizes_long(const double* a, const double* b, int n);
double dot_long(const double* a, const double* b, int n);
void add_scaled_long(double* y, double f, const double* x, int n);
void add_rows_long(double* y, const double* const* rows, const double* factors, int count, int n);

inline double dot(const double* a, const double* b, int n) {
  if (n > kShort) return dot_long(a, b, n);
  Pair sums{};
  int k = 0;
  for (; k + 2 <= n; k += 2) sums += load_pair(a + k) * load_pair(b + k);
  const double sum = sums[0] + sums[1];
  return k < n ? sum + a[k] * b[k] : sum;
}

// The sum of |a[k] b[k]|, a measure of the rounding of a dot product.
inline double dot_of_sizes(const double* a, const double* b, int n) {
  if (n > kShort) return dot_of_sizes_long(a, b, n);
  Pair sizes{};
  int k = 0;
  for (; k + 2 <= n; k += 2) sizes += absolute(load_pair(a + k) * load_pair(b + k));
  const double size = sizes[0] + sizes[1];
  return k < n ? size + std::abs(a[k] * b[k]) : size;
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
  // a few entries of y, for all rows
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    Pair first = load_pair(y + k), second = load_pair(y + k + 2);
    for (int r = 0; r < count; ++r) {
      const Pair f = {factors[r], factors[r]};
      first += f * load_pair(rows[r] + k);
      second += f * load_pair(rows[r] + k + 2);
    }
    store_pair(y + k, first);
    store_pair(y + k + 2, second);
  }
  for (; k + 2 <= n; k += 2) {
    Pair sum = load_pair(y + k);
    for (int r = 0; r < count; ++r) sum += Pair{factors[r], factors[r]} * load_pair(rows[r] + k);
    store_pair(y + k, sum);
  }
  if (k < n) {
    double sum = y[k];
    for (int r = 0; r < count; ++r) sum += factors[r] * rows[r][k];
    y[k] = sum;
  }
}

// The largest |entry| of each row and column of an n x n matrix, row major.
void magnitudes(const double* matrix, int n, double* of_rows, double* of_columns);

}  // namespace abut
