// search_axes for SSE2, the vector unit of every machine (axis_search_kernel.inl), and the choice
// between the units.
#include "abut/collide/proximity/cold/axis_search.h"

#include <emmintrin.h>

#include "abut/collide/proximity/cold/axis_search_units.h"

#define ABUT_UNIT

namespace abut::axis_sse2 {
namespace {

struct Eight {
  __m128d v[4];

  static Eight load(const double* p) {
    return {{_mm_loadu_pd(p), _mm_loadu_pd(p + 2), _mm_loadu_pd(p + 4), _mm_loadu_pd(p + 6)}};
  }
  static Eight all(double x) {
    const __m128d two = _mm_set1_pd(x);
    return {{two, two, two, two}};
  }
  void store(double* p) const {
    for (int i = 0; i < 4; ++i) _mm_storeu_pd(p + 2 * i, v[i]);
  }
  double least_lane() const {
    const __m128d two = _mm_min_pd(_mm_min_pd(v[0], v[2]), _mm_min_pd(v[1], v[3]));
    return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
  }
};

template <typename Do>
inline Eight by_lanes(const Eight& a, const Eight& b, Do two) {
  return {{two(a.v[0], b.v[0]), two(a.v[1], b.v[1]), two(a.v[2], b.v[2]), two(a.v[3], b.v[3])}};
}
inline Eight operator+(const Eight& a, const Eight& b) {
  return by_lanes(a, b, [](__m128d x, __m128d y) { return _mm_add_pd(x, y); });
}
inline Eight operator-(const Eight& a, const Eight& b) {
  return by_lanes(a, b, [](__m128d x, __m128d y) { return _mm_sub_pd(x, y); });
}
inline Eight operator*(const Eight& a, const Eight& b) {
  return by_lanes(a, b, [](__m128d x, __m128d y) { return _mm_mul_pd(x, y); });
}
inline Eight least(const Eight& a, const Eight& b) {
  return by_lanes(a, b, [](__m128d x, __m128d y) { return _mm_min_pd(x, y); });
}
inline unsigned below(const Eight& a, const Eight& b) {
  int bits = 0;
  for (int i = 0; i < 4; ++i) bits |= _mm_movemask_pd(_mm_cmplt_pd(a.v[i], b.v[i])) << 2 * i;
  return static_cast<unsigned>(bits);
}

inline unsigned crossing(const Eight& b1, const Eight& b2, const Eight& a1, const Eight& a2) {
  int bits = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128d differ = _mm_and_pd(_mm_xor_pd(b1.v[i], b2.v[i]), _mm_xor_pd(a1.v[i], a2.v[i]));
    bits |= _mm_movemask_pd(_mm_andnot_pd(_mm_xor_pd(a1.v[i], b1.v[i]), differ)) << 2 * i;
  }
  return static_cast<unsigned>(bits);
}

}  // namespace

#include "abut/collide/proximity/cold/axis_search_kernel.inl"

AxisFound search_axes(const AxisProblem& problem) { return search(problem); }

}  // namespace abut::axis_sse2

namespace abut {
namespace {

constexpr AxisUnit kUnits[] = {{"sse2", axis_sse2::search_axes},
                               {"avx2", axis_avx2::search_axes},
                               {"avx512", axis_avx512::search_axes}};

std::size_t count_units() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi")) return 1;
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  return wide ? 3 : 2;
}

const AxisUnit unit = axis_units().back();

}  // namespace

std::span<const AxisUnit> axis_units() {
  static const std::size_t count = count_units();
  return {kUnits, count};
}

AxisFound search_axes(const AxisProblem& problem) { return unit.search(problem); }

}  // namespace abut
