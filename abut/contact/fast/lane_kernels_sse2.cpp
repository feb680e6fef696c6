#include <emmintrin.h>

#include "abut/contact/fast/lane_kernels.h"

// every function with Lanes is inlined, so that no call depends on the ABI that this warns of
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut {

namespace lanes_sse2 {

namespace {

inline Lanes square_root(const Lanes& x) {
  const __m128d low = _mm_sqrt_pd(_mm_set_pd(x[1], x[0])),
                high = _mm_sqrt_pd(_mm_set_pd(x[3], x[2]));
  return Lanes{low[0], low[1], high[0], high[1]};
}

#include "abut/contact/fast/lane_kernels.inl"

}  // namespace

}  // namespace lanes_sse2

const LaneKernels& lane_kernels_sse2() { return lanes_sse2::kernels; }

const LaneKernels& best_lane_kernels() {
  return __builtin_cpu_supports("avx2") ? lane_kernels_avx2() : lane_kernels_sse2();
}

}  // namespace abut
