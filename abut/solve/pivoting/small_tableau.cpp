#include "abut/solve/pivoting/small_tableau.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "abut/solve/linear/kernels.h"
#include "abut/solve/pivoting/row_states.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr double kRough = 0.1;  // fraction of the noise, for w inside
constexpr int kMostRounds = 3;  // of correction of z

// Whole vectors, by the same operations on every machine.
typedef double Four __attribute__((vector_size(32), may_alias));
typedef long long FourBits __attribute__((vector_size(32)));
constexpr int kLanes = 4;
constexpr long long kNoSign = 0x7fffffffffffffff;

#define ABUT_INLINE inline __attribute__((always_inline))
#define ABUT_FOUR(array, at) (*reinterpret_cast<Four*>((array) + (at)))
#define ABUT_CONST_FOUR(array, at) (*reinterpret_cast<const Four*>((array) + (at)))
#define ABUT_ABS(four) ((Four)((FourBits)(four)&FourBits{kNoSign, kNoSign, kNoSign, kNoSign}))

}  // namespace

// Returns false if the problem does not suit this method.
template <int Width>
ABUT_INLINE bool SmallTableau::Work::load(const Problem& p) {
  n = p.size();
  pivots = 0;
  // copies A and checks its symmetry, two rows and columns at a time
  const double* from = p.A.rows().data();
  constexpr int kWhole = Width - kLanes;
  const int left = n - kWhole;
  for (int i = 0; i < n; ++i, from += n) {
    double *row = A + i * kMost, *copy = T + i * kMost;
    for (int c = 0; c < kWhole; c += kLanes) {
      Four four;
      std::memcpy(&four, from + c, sizeof four);
      ABUT_FOUR(row, c) = ABUT_FOUR(copy, c) = four;
    }
    const double* last = from + kWhole;
    ABUT_FOUR(row, kWhole) = ABUT_FOUR(copy, kWhole) =
        Four{last[0], left > 1 ? last[1] : 0, left > 2 ? last[2] : 0, left > 3 ? last[3] : 0};
  }
  if (n % 2 == 1)
    for (int c = 0; c < Width; c += kLanes) ABUT_FOUR(A, n * kMost + c) = Four{};
  typedef long long Both __attribute__((vector_size(16)));
  Both differs{};
  for (int i = 0; i < n; i += 2)
    for (int j = 0; j <= i; j += 2) {
      const Pair a = load_pair(A + i * kMost + j), b = load_pair(A + (i + 1) * kMost + j);
      const Pair c = load_pair(A + j * kMost + i), d = load_pair(A + (j + 1) * kMost + i);
      differs |= (a != Pair{c[0], d[0]}) | (b != Pair{c[1], d[1]});
    }
  if ((differs[0] | differs[1]) != 0 && !is_symmetric(p.A.rows())) return false;

  double most = 0;
  bool fits = true;
  for (int i = 0; i < n; ++i) {
    const double diagonal = A[i * kMost + i];
    b[i] = p.b[i], lo[i] = p.lo[i], hi[i] = p.hi[i];
    fits &= diagonal >= 0 && p.bound_by[i] < 0;
    root[i] = std::sqrt(diagonal);
    weight[i] = diagonal > 0 ? 1 / root[i] : 0;
    most = std::max(most, std::abs(b[i]) * weight[i]);
    value[i] = b[i];
    flip[i] = 1;
    bound[i] = 0;
    // at lo = 0; at hi = 0; free, to go inside
    low[i] = lo[i] == 0 && hi[i] > 0 ? 0 : -kInfinity;
    high[i] = hi[i] == 0 && lo[i] < 0 ? 0 : kInfinity;
    fits &= lo[i] == 0 || hi[i] == 0 || p.is_free(i);
  }
  for (int i = n; i < Width; ++i) {
    b[i] = value[i] = bound[i] = root[i] = weight[i] = 0;
    flip[i] = 1;
    low[i] = lo[i] = -kInfinity;
    high[i] = hi[i] = kInfinity;
  }
  // |A_ij| <= root_i root_j, and z_j root_j is about b_j / root_j: the size of the terms of w
  for (int i = 0; i < Width; ++i) noise[i] = kRowNoise * (std::abs(b[i]) + root[i] * most);
  return fits;
}

// Exchanges z_k and w_k.
template <int Width>
ABUT_INLINE void SmallTableau::Work::pivot(int k) {
  ++pivots;
  double* own = T + k * kMost;
  const double inverse = 1 / own[k];
  // with T_kk = -1 and the others of column k = 0 the rule for the rest also holds for column k;
  // storing a single number into a vector would stall the next load of that vector
  constexpr int kVectors = Width / kLanes;
  Four row_k[kVectors];
  FourBits rest[kVectors];
  const Four ks = {1.0 * k, 1.0 * k, 1.0 * k, 1.0 * k}, minus = {-1, -1, -1, -1};
  for (int v = 0; v < kVectors; ++v) {
    const Four at = Four{0, 1, 2, 3} + (4.0 * v);
    rest[v] = at != ks;
    row_k[v] = rest[v] ? ABUT_FOUR(own, v * kLanes) : minus;
  }
  for (int i = 0; i < n; ++i) {
    if (i == k) continue;
    double* row = T + i * kMost;
    const double factor = row[k] * inverse;
    const Four f = {factor, factor, factor, factor};
    for (int v = 0; v < kVectors; ++v) {
      Four& some = ABUT_FOUR(row, v * kLanes);
      some = (Four)((FourBits)some & rest[v]) - f * row_k[v];
    }
  }
  const Four f = {-inverse, -inverse, -inverse, -inverse};
  for (int v = 0; v < kVectors; ++v) ABUT_FOUR(own, v * kLanes) = f * row_k[v];
}

ABUT_INLINE void SmallTableau::Work::put_inside(int i, double at) {
  value[i] = at;
  low[i] = lo[i];
  high[i] = hi[i];
  flip[i] = -1;
  weight[i] = 0;
}

ABUT_INLINE void SmallTableau::Work::put_at_bound(int i, bool at_lo) {
  bound[i] = at_lo ? lo[i] : hi[i];
  low[i] = at_lo ? 0 : -kInfinity;
  high[i] = at_lo ? kInfinity : 0;
  flip[i] = 1;
  weight[i] = 1 / root[i];
}

// The row with the largest |w| / root among those with the wrong sign; -1: all are valid.
template <int Width>
ABUT_INLINE int SmallTableau::Work::worst_row() const {
  alignas(32) double score[kMost];
  for (int c = 0; c < Width; c += kLanes) {
    const Four v = ABUT_CONST_FOUR(value, c);
    const Four below = ABUT_CONST_FOUR(low, c) - v, above = v - ABUT_CONST_FOUR(high, c);
    const Four off = below > above ? below : above;
    ABUT_FOUR(score, c) =
        off > ABUT_CONST_FOUR(noise, c) ? off * ABUT_CONST_FOUR(weight, c) : Four{};
  }
  int worst = -1;
  double much = 0;
  for (int i = 0; i < Width; ++i)
    if (score[i] > much) much = score[i], worst = i;
  return worst;
}

// Takes free rows inside; they never leave. Returns false if one depends on others.
template <int Width>
ABUT_INLINE bool SmallTableau::Work::free_rows_inside() {
  for (int i = 0; i < n; ++i) {
    if (lo[i] != -kInfinity || hi[i] != kInfinity) continue;
    const double* row = T + i * kMost;
    if (!(row[i] > kDoubtfulPivot * A[i * kMost + i])) return false;
    const double step = -value[i] / row[i];
    for (int j = 0; j < n; ++j) value[j] += step * flip[j] * row[j];
    pivot<Width>(i);
    put_inside(i, step);
  }
  return true;
}

// Drives row i until it is valid. Returns false if a number is doubtful or nothing blocks the row.
template <int Width>
ABUT_INLINE bool SmallTableau::Work::drive(int i) {
  const double move = value[i] < low[i] ? 1 : -1;
  const Four moves = {move, move, move, move};
  double own_z = bound[i];
  alignas(32) double rate[kMost], reaches[kMost];
  while (pivots < most_pivots) {
    const double* row = T + i * kMost;
    const double diagonal = A[i * kMost + i];
    double schur = row[i];
    if (std::abs(schur) <= kDependentRow * diagonal)
      schur = 0;
    else if (!(schur > kDoubtfulPivot * diagonal))
      return false;
    // along A d = 0 no w moves, and a row that only rounding moves does not block
    double much = root[i];
    if (schur == 0)
      for (int j = 0; j < n; ++j)
        if (flip[j] < 0) much = std::max(much, root[j] * std::abs(row[j]));
    const double inside_least = kDriveStill * much, bound_least = kRowNoise * root[i];
    const double moves_w = schur > 0 ? 1 : 0;
    const Four inside_still = {inside_least, inside_least, inside_least, inside_least};
    const Four bound_still = {bound_least, bound_least, bound_least, bound_least};
    const Four w_moves = {moves_w, moves_w, moves_w, moves_w};
    const Four never = {kInfinity, kInfinity, kInfinity, kInfinity};
    for (int c = 0; c < Width; c += kLanes) {
      const Four f = ABUT_FOUR(flip, c), v = ABUT_FOUR(value, c), roots = ABUT_FOUR(root, c);
      const Four r = moves * f * ABUT_CONST_FOUR(row, c) * (f < 0 ? -f : w_moves);
      const Four down = v - ABUT_FOUR(low, c), up = ABUT_FOUR(high, c) - v;
      const Four room = r < 0 ? down : up, speed = ABUT_ABS(r);
      // a row that is wrong itself, or that moves no faster than rounding, does not block
      const FourBits stops = f < 0 ? speed * roots > inside_still
                                   : (speed > bound_still * roots) & (room >= -ABUT_FOUR(noise, c));
      ABUT_FOUR(rate, c) = r;
      ABUT_FOUR(reaches, c) = stops ? (room > 0 ? room / speed : Four{}) : never;
    }
    // how far: to w_i = 0, to its other bound, or to where another row would become wrong
    double reach = schur > 0 ? std::abs(value[i]) / schur : kInfinity;
    const double across = move > 0 ? hi[i] - own_z : own_z - lo[i];
    const bool crosses = across < reach;
    if (crosses) reach = across;
    const double tie = reach * (1 - kDriveTie);  // the driven row has precedence if it is as near
    int blocking = i;
    double least = tie;
    for (int j = 0; j < Width; ++j)
      if (reaches[j] < least ||
          (blocking != i && reaches[j] == least && std::abs(rate[j]) > std::abs(rate[blocking])))
        least = reaches[j], blocking = j;
    if (blocking != i) reach = least;
    if (!(reach < kInfinity)) return false;

    const Four t = {reach, reach, reach, reach};
    for (int c = 0; c < Width; c += kLanes) ABUT_FOUR(value, c) += t * ABUT_FOUR(rate, c);
    own_z += reach * move;
    if (blocking == i) {
      if (crosses) {
        put_at_bound(i, move < 0);
      } else {
        pivot<Width>(i);
        put_inside(i, own_z);
      }
      return true;
    }
    const double* other = T + blocking * kMost;
    if (flip[blocking] < 0) {
      pivot<Width>(blocking);
      put_at_bound(blocking, rate[blocking] < 0);
      value[blocking] = 0;
    } else {
      if (!(other[blocking] > kDoubtfulPivot * A[blocking * kMost + blocking])) return false;
      pivot<Width>(blocking);
      put_inside(blocking, bound[blocking]);
    }
  }
  return false;
}

// Computes w from z, and its noise.
template <int Width>
ABUT_INLINE void SmallTableau::Work::find_w() {
  for (int c = 0; c < Width; c += kLanes) ABUT_FOUR(w, c) = ABUT_FOUR(b, c);
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    if (z[j] == 0) continue;
    sum += root[j] * std::abs(z[j]);
    const Four f = {z[j], z[j], z[j], z[j]};
    for (int c = 0; c < Width; c += kLanes) ABUT_FOUR(w, c) += f * ABUT_FOUR(A, j * kMost + c);
  }
  const Four sums = {sum, sum, sum, sum}, part = {kRowNoise, kRowNoise, kRowNoise, kRowNoise};
  for (int c = 0; c < Width; c += kLanes)
    ABUT_FOUR(noise, c) = part * (ABUT_ABS(ABUT_FOUR(b, c)) + ABUT_FOUR(root, c) * sums);
}

// Reads z from the tableau and corrects it to rounding. Returns true if it is a solution.
template <int Width>
ABUT_INLINE bool SmallTableau::Work::finish() {
  for (int i = 0; i < n; ++i) z[i] = flip[i] < 0 ? value[i] : bound[i];
  find_w<Width>();
  for (int round = 0; round < kMostRounds; ++round) {
    bool rough = false;
    for (int i = 0; i < n; ++i) rough |= flip[i] < 0 && !(std::abs(w[i]) <= kRough * noise[i]);
    if (!rough) break;
    // a step of Newton's method: z_C -= T_CC w_C
    for (int i = 0; i < n; ++i) {
      if (!(flip[i] < 0)) continue;
      double step = 0;
      for (int j = 0; j < n; ++j)
        if (flip[j] < 0) step += T[i * kMost + j] * w[j];
      z[i] -= step;
    }
    find_w<Width>();
  }
  bool right = true;
  for (int i = 0; i < n; ++i) {
    const double least = noise[i];
    if (flip[i] < 0) {
      right &= std::abs(w[i]) <= least;
      const double beyond = std::max(lo[i] - z[i], z[i] - hi[i]);
      right &= beyond * A[i * kMost + i] <= least;
      z[i] = nearest_in(z[i], lo[i], hi[i]);
    } else {
      right &= std::max(low[i] - w[i], w[i] - high[i]) <= least;
    }
  }
  return right;
}

template <int Width>
ABUT_INLINE bool SmallTableau::Work::run(const Problem& problem) {
  if (!load<Width>(problem) || !free_rows_inside<Width>()) return false;
  for (int i = worst_row<Width>(); i >= 0; i = worst_row<Width>())
    if (!drive<Width>(i)) return false;
  return finish<Width>();
}

// One copy for each kind of machine, with all callees inlined.
ABUT_WIDEST bool SmallTableau::run_4(const Problem& p, Work& work) { return work.run<4>(p); }
ABUT_WIDEST bool SmallTableau::run_8(const Problem& p, Work& work) { return work.run<8>(p); }
ABUT_WIDEST bool SmallTableau::run_12(const Problem& p, Work& work) { return work.run<12>(p); }
ABUT_WIDEST bool SmallTableau::run_16(const Problem& p, Work& work) { return work.run<16>(p); }

bool SmallTableau::solve(const Problem& p, int most_pivots, VectorX& z, int& pivots) {
  const int n = p.size();
  if (n < 1 || n > kMost || p.A.form() != Matrix::Form::dense) return false;
  work_.most_pivots = std::min(most_pivots, 4 * n + 8);
  constexpr decltype(&run_4) kRuns[] = {run_4, run_8, run_12, run_16};
  if (!kRuns[(n - 1) / kLanes](p, work_)) return false;
  for (int i = 0; i < n; ++i) z[i] = work_.z[i];
  pivots = work_.pivots;
  return true;
}

}  // namespace abut
