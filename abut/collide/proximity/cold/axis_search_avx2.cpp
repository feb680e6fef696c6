// Eight lanes in two registers (axis_search_kernel.inl).
#include <immintrin.h>

#include "abut/collide/proximity/cold/axis_search_units.h"

#define ABUT_UNIT __attribute__((target("avx2,bmi,popcnt")))

namespace abut::axis_avx2 {
namespace {

struct Eight {
  __m256d low, high;

  ABUT_UNIT static Eight load(const double* p) {
    return {_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
  }
  ABUT_UNIT static Eight all(double x) { return {_mm256_set1_pd(x), _mm256_set1_pd(x)}; }
  ABUT_UNIT void store(double* p) const {
    _mm256_storeu_pd(p, low);
    _mm256_storeu_pd(p + 4, high);
  }
  ABUT_UNIT double least_lane() const {
    const __m256d four = _mm256_min_pd(low, high);
    const __m128d two = _mm_min_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
  }
};
ABUT_UNIT inline Eight operator+(const Eight& a, const Eight& b) {
  return {_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
}
ABUT_UNIT inline Eight operator-(const Eight& a, const Eight& b) {
  return {_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
}
ABUT_UNIT inline Eight operator*(const Eight& a, const Eight& b) {
  return {_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
}
ABUT_UNIT inline Eight least(const Eight& a, const Eight& b) {
  return {_mm256_min_pd(a.low, b.low), _mm256_min_pd(a.high, b.high)};
}
ABUT_UNIT inline unsigned below(const Eight& a, const Eight& b) {
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.low, b.low, _CMP_LT_OQ)) |
                               _mm256_movemask_pd(_mm256_cmp_pd(a.high, b.high, _CMP_LT_OQ)) << 4);
}

ABUT_UNIT inline int crossing(__m256d b1, __m256d b2, __m256d a1, __m256d a2) {
  const __m256d differ = _mm256_and_pd(_mm256_xor_pd(b1, b2), _mm256_xor_pd(a1, a2));
  return _mm256_movemask_pd(_mm256_andnot_pd(_mm256_xor_pd(a1, b1), differ));
}
ABUT_UNIT inline unsigned crossing(const Eight& b1, const Eight& b2, const Eight& a1,
                                   const Eight& a2) {
  return static_cast<unsigned>(crossing(b1.low, b2.low, a1.low, a2.low) |
                               crossing(b1.high, b2.high, a1.high, a2.high) << 4);
}

}  // namespace

#include "abut/collide/proximity/cold/axis_search_kernel.inl"

ABUT_UNIT AxisFound search_axes(const AxisProblem& problem) { return search(problem); }

}  // namespace abut::axis_avx2
