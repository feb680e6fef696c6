#include <immintrin.h>

#include "abut/solve/sparse/tile_product.h"

namespace abut {

__attribute__((target("avx2"))) void tile_product_avx2(const double* a_low, const double* a_high,
                                                       const double* b, int depth, double* out) {
  __m256d sum[4][2];
  for (auto& column : sum) column[0] = column[1] = _mm256_setzero_pd();
  for (int q = 0; q < depth; ++q) {
    const __m256d low = _mm256_loadu_pd(a_low + 4 * q), high = _mm256_loadu_pd(a_high + 4 * q);
    for (int c = 0; c < 4; ++c) {
      const __m256d x = _mm256_broadcast_sd(b + 4 * q + c);
      sum[c][0] = _mm256_add_pd(sum[c][0], _mm256_mul_pd(low, x));
      sum[c][1] = _mm256_add_pd(sum[c][1], _mm256_mul_pd(high, x));
    }
  }
  for (int c = 0; c < 4; ++c) {
    _mm256_storeu_pd(out + 8 * c, sum[c][0]);
    _mm256_storeu_pd(out + 8 * c + 4, sum[c][1]);
  }
}

}  // namespace abut
