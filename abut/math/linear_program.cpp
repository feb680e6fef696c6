#include "abut/math/linear_program.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "abut/math/tolerances.h"

namespace abut {
namespace {

// Attempts at one program, each with another order of its rows.
constexpr std::uint64_t kAttempts = 6;

// The order decides the bits of the result, so std::shuffle, which differs between libraries, is
// not used.
class Shuffle {
 public:
  explicit Shuffle(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) {
    state_ += 0x9e3779b97f4a7c15u;  // splitmix64
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % n;
  }

 private:
  std::uint64_t state_;
};

// a . x - b, and the size of its terms.
template <int D, class Row, class Vector>
std::pair<double, double> excess(const Row& row, const Vector& x) {
  double sum = -row.b, size = std::abs(row.b);
  for (int j = 0; j < D; ++j) {
    const double term = row.a[j] * x[j];
    sum += term;
    size = std::max(size, std::abs(term));
  }
  return {sum, size};
}

}  // namespace

LinearProgram::LinearProgram(int unknowns, double bound) : unknowns_(unknowns), bound_(bound) {
  assert(unknowns >= 1 && unknowns <= kMost && bound > 0);
}

void LinearProgram::add(const Vector& a, double b) { rows_.push_back({a, b}); }

// Eliminates unknown k by `tight` from the rows before it. The bounds of x_k become rows. Returns
// false if one of the rows cannot hold any more.
template <int D>
bool LinearProgram::reduce(std::span<const Row> before, const Row& tight, int k, const Vector& low,
                           const Vector& high, Level& out) const {
  out.rows.clear();
  const auto add = [&](const Row& row) {
    Row r{};
    const double factor = row.a[k] / tight.a[k];
    double length = 0, size = std::abs(row.b);
    for (int j = 0, i = 0; j < D; ++j) {
      if (j == k) continue;
      r.a[i] = row.a[j] - factor * tight.a[j];
      length = std::max(length, std::abs(r.a[i++]));
    }
    r.b = row.b - factor * tight.b;
    size = std::max(size, std::abs(factor * tight.b));
    if (length <= kParallelRows) return r.b >= -kBlurredTie * size;
    for (int i = 0; i < D - 1; ++i) r.a[i] /= length;
    r.b /= length;
    out.rows.push_back(r);
    return true;
  };
  Row bound{};
  bound.a[k] = 1;
  bound.b = high[k];
  bool possible = add(bound);
  bound.a[k] = -1;
  bound.b = -low[k];
  possible = add(bound) && possible;
  for (const Row& row : before) possible = add(row) && possible;
  for (int j = 0, i = 0; j < D; ++j) {
    if (j == k) continue;
    out.low[i] = low[j];
    out.high[i++] = high[j];
  }
  return possible;
}

template <int D>
bool LinearProgram::solve(std::span<const Row> rows, const Vector& c, const Vector& low,
                          const Vector& high, Vector& x) {
  if constexpr (D == 1) {
    double from = low[0], to = high[0];
    for (const Row& row : rows) {
      if (row.a[0] > 0) to = std::min(to, row.b / row.a[0]);
      if (row.a[0] < 0) from = std::max(from, row.b / row.a[0]);
    }
    if (from - to > kBlurredTie * std::max(std::abs(from), std::abs(to))) return false;
    if (from > to) from = to = 0.5 * (from + to);
    x[0] = c[0] > 0 ? to : c[0] < 0 ? from : std::clamp(0.0, from, to);
    return true;
  } else {
    for (int j = 0; j < D; ++j) x[j] = c[j] > 0 ? high[j] : c[j] < 0 ? low[j] : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& tight = rows[i];
      const auto [above, size] = excess<D>(tight, x);
      if (above <= kSumRounding * size) continue;
      int k = 0;
      for (int j = 1; j < D; ++j)
        if (std::abs(tight.a[j]) > std::abs(tight.a[k])) k = j;
      Level& level = levels_[D - 2];
      Vector less{}, c_less{};
      for (int j = 0, m = 0; j < D; ++j)
        if (j != k) c_less[m++] = c[j] - c[k] / tight.a[k] * tight.a[j];
      if (tight.a[k] == 0 || !reduce<D>(rows.first(i), tight, k, low, high, level) ||
          !solve<D - 1>(level.rows, c_less, level.low, level.high, less)) {
        if (above <= kBlurredTie * size) continue;
        return false;
      }
      x[k] = tight.b / tight.a[k];
      for (int j = 0, m = 0; j < D; ++j) {
        if (j == k) continue;
        x[j] = less[m++];
        x[k] -= tight.a[j] / tight.a[k] * x[j];
      }
    }
    return true;
  }
}

LinearProgram::Answer LinearProgram::in_order(const Vector& c) {
  Vector low, high;
  low.fill(-bound_);
  high.fill(bound_);
  Answer answer;
  switch (unknowns_) {
    case 1:
      answer.feasible = solve<1>(shuffled_, c, low, high, answer.x);
      break;
    case 2:
      answer.feasible = solve<2>(shuffled_, c, low, high, answer.x);
      break;
    case 3:
      answer.feasible = solve<3>(shuffled_, c, low, high, answer.x);
      break;
    default:
      answer.feasible = solve<4>(shuffled_, c, low, high, answer.x);
  }
  for (int j = 0; j < unknowns_; ++j) answer.value += c[j] * answer.x[j];
  return answer;
}

LinearProgram::Answer LinearProgram::maximise(const Vector& c) {
  Answer best;
  shuffled_ = rows_;
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    Shuffle shuffle(attempt);
    for (std::size_t i = shuffled_.size(); i > 1; --i)
      std::swap(shuffled_[i - 1], shuffled_[shuffle.below(i)]);
    Answer answer = in_order(c);
    double largest = 0;
    for (const Row& row : rows_) {
      const auto [above, size] = excess<kMost>(row, answer.x);
      answer.violation = std::max(answer.violation, above);
      largest = std::max(largest, size);
    }
    const bool better = answer.feasible != best.feasible
                            ? answer.feasible
                            : answer.violation < best.violation || attempt == 0;
    if (better) best = answer;
    if (best.feasible && best.violation <= kGoodOptimum * largest) break;
  }
  return best;
}

}  // namespace abut
