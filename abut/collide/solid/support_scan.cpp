#include "abut/collide/solid/support_scan.h"

#include <immintrin.h>

#include <limits>

namespace abut {
namespace {

using Scan = int (*)(const double*, const double*, const double*, std::size_t, double, double,
                     double);

// The best of the even and of the odd entries of a list, in the two halves of the vector registers.
// The loop has no other branch.
struct Best {
  __m128d top = _mm_set1_pd(-std::numeric_limits<double>::infinity());
  __m128i who = _mm_setzero_si128();

  void meet(__m128d height, __m128i id) {
    const __m128i more = _mm_castpd_si128(_mm_cmpgt_pd(height, top));
    top = _mm_max_pd(height, top);
    who = _mm_or_si128(_mm_and_si128(more, id), _mm_andnot_si128(more, who));
  }
  // Among equal heights, the lower index, as in a plain loop.
  int winner() const {
    const __m128d odd_top = _mm_unpackhi_pd(top, top);
    const __m128i odd = _mm_unpackhi_epi64(who, who);
    const __m128i tie =
        _mm_and_si128(_mm_castpd_si128(_mm_cmpeq_sd(odd_top, top)), _mm_cmpgt_epi32(who, odd));
    const __m128i more = _mm_or_si128(_mm_castpd_si128(_mm_cmpgt_sd(odd_top, top)), tie);
    return _mm_cvtsi128_si32(_mm_or_si128(_mm_and_si128(more, odd), _mm_andnot_si128(more, who)));
  }
};

int scan_sse2(const double* x, const double* y, const double* z, std::size_t count, double dx,
              double dy, double dz) {
  const __m128d vx = _mm_set1_pd(dx), vy = _mm_set1_pd(dy), vz = _mm_set1_pd(dz);
  const __m128i two = _mm_set1_epi64x(2);
  __m128i id = _mm_set_epi64x(1, 0);
  Best best;
  for (std::size_t k = 0; k < count; k += 2) {
    const __m128d h = _mm_add_pd(
        _mm_add_pd(_mm_mul_pd(_mm_loadu_pd(x + k), vx), _mm_mul_pd(_mm_loadu_pd(y + k), vy)),
        _mm_mul_pd(_mm_loadu_pd(z + k), vz));
    best.meet(h, id);
    id = _mm_add_epi64(id, two);
  }
  return best.winner();
}

// Four points at a time. Products and sums are separate instructions, so that every bit equals that
// of the narrower unit.
[[gnu::target("avx2")]] int scan_avx2(const double* x, const double* y, const double* z,
                                      std::size_t count, double dx, double dy, double dz) {
  const __m256d vx = _mm256_set1_pd(dx), vy = _mm256_set1_pd(dy), vz = _mm256_set1_pd(dz);
  const __m256i four = _mm256_set1_epi64x(4);
  __m256i id = _mm256_set_epi64x(3, 2, 1, 0), who = id;
  __m256d top = _mm256_set1_pd(-std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < count; k += 4) {
    const __m256d h = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(_mm256_loadu_pd(x + k), vx),
                                                  _mm256_mul_pd(_mm256_loadu_pd(y + k), vy)),
                                    _mm256_mul_pd(_mm256_loadu_pd(z + k), vz));
    const __m256d more = _mm256_cmp_pd(h, top, _CMP_GT_OQ);
    top = _mm256_max_pd(h, top);
    who = _mm256_blendv_epi8(who, id, _mm256_castpd_si256(more));
    id = _mm256_add_epi64(id, four);
  }
  // compare the upper half with the lower; ties go to the lower index
  const __m128d low = _mm256_castpd256_pd128(top), high = _mm256_extractf128_pd(top, 1);
  const __m128i low_id = _mm256_castsi256_si128(who), high_id = _mm256_extracti128_si256(who, 1);
  const __m128i tie =
      _mm_and_si128(_mm_castpd_si128(_mm_cmpeq_pd(high, low)), _mm_cmpgt_epi64(low_id, high_id));
  const __m128i more = _mm_or_si128(_mm_castpd_si128(_mm_cmpgt_pd(high, low)), tie);
  Best best;
  best.top = _mm_max_pd(high, low);
  best.who = _mm_blendv_epi8(low_id, high_id, more);
  return best.winner();
}

Scan best_scan() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? scan_avx2 : scan_sse2;
}

const Scan scan = best_scan();

}  // namespace

int scan_farthest(const double* x, const double* y, const double* z, std::size_t count, double dx,
                  double dy, double dz) {
  // (a call by pointer costs more than it saves for very few points)
  return count <= 8 ? scan_sse2(x, y, z, count, dx, dy, dz) : scan(x, y, z, count, dx, dy, dz);
}

int gather_farthest(const double* points, const int* ids, int count, double dx, double dy,
                    double dz) {
  const __m128d vx = _mm_set1_pd(dx), vy = _mm_set1_pd(dy), vz = _mm_set1_pd(dz);
  Best best;
  for (int k = 0; k < count; k += 2) {
    const double* p = points + 3 * static_cast<std::ptrdiff_t>(ids[k]);
    const double* q = points + 3 * static_cast<std::ptrdiff_t>(ids[k + 1]);
    const __m128d h = _mm_add_pd(
        _mm_add_pd(_mm_mul_pd(_mm_set_pd(q[0], p[0]), vx), _mm_mul_pd(_mm_set_pd(q[1], p[1]), vy)),
        _mm_mul_pd(_mm_set_pd(q[2], p[2]), vz));
    best.meet(h, _mm_set_epi64x(ids[k + 1], ids[k]));
  }
  return best.winner();
}

}  // namespace abut
