#include <immintrin.h>

#include "abut/contact/fast/lane_kernels.h"

// every function with Lanes is inlined, so that no call depends on the ABI that this warns of
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC push_options
#pragma GCC target("avx2")

namespace abut {

namespace lanes_avx2 {

namespace {

inline Lanes square_root(const Lanes& x) { return _mm256_sqrt_pd(x); }

#include "abut/contact/fast/lane_kernels.inl"

}  // namespace

}  // namespace lanes_avx2

}  // namespace abut

#pragma GCC pop_options

namespace abut {

const LaneKernels& lane_kernels_avx2() { return lanes_avx2::kernels; }

}  // namespace abut
