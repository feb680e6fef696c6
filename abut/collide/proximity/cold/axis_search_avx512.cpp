// Eight lanes in one register (axis_search_kernel.inl).
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 reports the undefined lanes inside its own intrinsics as an error (its bug 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "abut/collide/proximity/cold/axis_search_units.h"

#define ABUT_UNIT __attribute__((target("avx512f,avx512dq,avx512vl,bmi,popcnt")))

namespace abut::axis_avx512 {
namespace {

struct Eight {
  __m512d v;

  ABUT_UNIT static Eight load(const double* p) { return {_mm512_loadu_pd(p)}; }
  ABUT_UNIT static Eight all(double x) { return {_mm512_set1_pd(x)}; }
  ABUT_UNIT void store(double* p) const { _mm512_storeu_pd(p, v); }
  ABUT_UNIT double least_lane() const {
    const __m256d four = _mm256_min_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd(v, 1));
    const __m128d two = _mm_min_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
  }
};
ABUT_UNIT inline Eight operator+(const Eight& a, const Eight& b) {
  return {_mm512_add_pd(a.v, b.v)};
}
ABUT_UNIT inline Eight operator-(const Eight& a, const Eight& b) {
  return {_mm512_sub_pd(a.v, b.v)};
}
ABUT_UNIT inline Eight operator*(const Eight& a, const Eight& b) {
  return {_mm512_mul_pd(a.v, b.v)};
}
ABUT_UNIT inline Eight least(const Eight& a, const Eight& b) { return {_mm512_min_pd(a.v, b.v)}; }
ABUT_UNIT inline unsigned below(const Eight& a, const Eight& b) {
  return _mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ);
}

ABUT_UNIT inline unsigned crossing(const Eight& b1, const Eight& b2, const Eight& a1,
                                   const Eight& a2) {
  const __m512d differ = _mm512_and_pd(_mm512_xor_pd(b1.v, b2.v), _mm512_xor_pd(a1.v, a2.v));
  return _mm512_movepi64_mask(
      _mm512_castpd_si512(_mm512_andnot_pd(_mm512_xor_pd(a1.v, b1.v), differ)));
}

}  // namespace

#include "abut/collide/proximity/cold/axis_search_kernel.inl"

ABUT_UNIT AxisFound search_axes(const AxisProblem& problem) { return search(problem); }

}  // namespace abut::axis_avx512
