#include "abut/solve/pivoting/row_scan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "abut/solve/linear/kernels.h"

namespace abut {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kLanes = 4;
typedef double Four __attribute__((vector_size(32)));
typedef long long FourBits __attribute__((vector_size(32)));
constexpr long long kNoSign = 0x7fffffffffffffff;

#define ABUT_LOAD(four, from) std::memcpy(&(four), (from), sizeof(Four))
#define ABUT_STORE(to, four) std::memcpy((to), &(four), sizeof(Four))

}  // namespace

ABUT_WIDEST WrongRows score_wrong(const double* __restrict sign, const double* __restrict w,
                                  const double* __restrict noise, const double* __restrict weight,
                                  int n, double* __restrict score) {
  constexpr FourBits kAllButSign = {kNoSign, kNoSign, kNoSign, kNoSign};
  FourBits count{};
  Four most{};
  int j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    Four s, v, least, much;
    ABUT_LOAD(s, sign + j);
    ABUT_LOAD(v, w + j);
    ABUT_LOAD(least, noise + j);
    ABUT_LOAD(much, weight + j);
    const FourBits wrong = s * v < -least;
    much *= (Four)((FourBits)v & kAllButSign);
    const Four scored = (Four)((FourBits)much & wrong);
    ABUT_STORE(score + j, scored);
    most = scored > most ? scored : most;
    count -= wrong;
  }
  WrongRows rows;
  rows.count = static_cast<int>(count[0] + count[1] + count[2] + count[3]);
  for (int l = 0; l < kLanes; ++l) rows.most = std::max(rows.most, most[l]);
  for (; j < n; ++j) {
    const bool wrong = sign[j] * w[j] < -noise[j];
    score[j] = wrong ? std::abs(w[j]) * weight[j] : 0;
    rows.most = std::max(rows.most, score[j]);
    rows.count += wrong;
  }
  return rows;
}

ABUT_WIDEST double find_reaches(const double* __restrict sign, const double* __restrict w,
                                const double* __restrict rate, const double* __restrict noise,
                                const double* __restrict root, double still, int n,
                                double* __restrict reach) {
  const Four never = {kNever, kNever, kNever, kNever};
  const Four stills = {still, still, still, still};
  Four nearest = never;
  int j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    Four s, v, r, least, roots;
    ABUT_LOAD(s, sign + j);
    ABUT_LOAD(v, w + j);
    ABUT_LOAD(r, rate + j);
    ABUT_LOAD(least, noise + j);
    ABUT_LOAD(roots, root + j);
    const Four speed = -s * r, room = s * v;
    const FourBits stops = (speed > stills * roots) & (room >= -least);
    const Four at = stops ? (room > 0 ? room : Four{}) / speed : never;
    ABUT_STORE(reach + j, at);
    nearest = at < nearest ? at : nearest;
  }
  double least_reach = kNever;
  for (int l = 0; l < kLanes; ++l) least_reach = std::min(least_reach, nearest[l]);
  for (; j < n; ++j) {
    const double speed = -sign[j] * rate[j], room = sign[j] * w[j];
    const bool stops = speed > still * root[j] && room >= -noise[j];
    reach[j] = stops ? std::max(room, 0.0) / speed : kNever;
    least_reach = std::min(least_reach, reach[j]);
  }
  return least_reach;
}

}  // namespace abut
