#include "abut/solve/sparse/tile_product.h"

#include <emmintrin.h>

namespace abut {

namespace {

void four_rows(const double* a, const double* b, int depth, double* out) {
  __m128d sum[4][2];
  for (auto& column : sum) column[0] = column[1] = _mm_setzero_pd();
  for (int q = 0; q < depth; ++q) {
    const __m128d low = _mm_loadu_pd(a + 4 * q), high = _mm_loadu_pd(a + 4 * q + 2);
    for (int c = 0; c < 4; ++c) {
      const __m128d x = _mm_set1_pd(b[4 * q + c]);
      sum[c][0] = _mm_add_pd(sum[c][0], _mm_mul_pd(low, x));
      sum[c][1] = _mm_add_pd(sum[c][1], _mm_mul_pd(high, x));
    }
  }
  for (int c = 0; c < 4; ++c) {
    _mm_storeu_pd(out + 8 * c, sum[c][0]);
    _mm_storeu_pd(out + 8 * c + 2, sum[c][1]);
  }
}

}  // namespace

void tile_product_sse2(const double* a_low, const double* a_high, const double* b, int depth,
                       double* out) {
  four_rows(a_low, b, depth, out);
  four_rows(a_high, b, depth, out + 4);
}

TileProduct best_tile_product() {
  return __builtin_cpu_supports("avx2") ? tile_product_avx2 : tile_product_sse2;
}

}  // namespace abut
