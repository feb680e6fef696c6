#include "abut/solve/linear/active_factor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "abut/solve/linear/kernels.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kPanel = 8;

typedef double Lanes __attribute__((vector_size(32)));

#define ABUT_LOAD(lanes, from) std::memcpy(&(lanes), (from), sizeof(Lanes))

// X := L^-1 X for `count` right sides, each a row of X. Four rows of L at a time: first the dot
// products with the part that is solved already, then the triangle on the diagonal.
ABUT_WIDEST void solve_forward(const double* L, std::ptrdiff_t stride, const double* inverse, int k,
                               double* X, std::ptrdiff_t x_stride, int count) {
  for (int t = 0; t < k; t += 4) {
    const double* l0 = L + t * stride;
    // past the end: the last row again, and its result is discarded
    const double* l1 = t + 1 < k ? l0 + stride : l0;
    const double* l2 = t + 2 < k ? l0 + 2 * stride : l0;
    const double* l3 = t + 3 < k ? l0 + 3 * stride : l0;
    for (int p = 0; p < count; p += 2) {
      double* x = X + p * x_stride;
      double* y = p + 1 < count ? x + x_stride : x;
      Lanes a0{}, a1{}, a2{}, a3{}, b0{}, b1{}, b2{}, b3{};
      if (x != y) {
        for (int c = 0; c < t; c += 4) {
          Lanes u, v, l;
          ABUT_LOAD(u, x + c);
          ABUT_LOAD(v, y + c);
          ABUT_LOAD(l, l0 + c);
          a0 += l * u, b0 += l * v;
          ABUT_LOAD(l, l1 + c);
          a1 += l * u, b1 += l * v;
          ABUT_LOAD(l, l2 + c);
          a2 += l * u, b2 += l * v;
          ABUT_LOAD(l, l3 + c);
          a3 += l * u, b3 += l * v;
        }
      } else {
        for (int c = 0; c < t; c += 4) {
          Lanes u, l;
          ABUT_LOAD(u, x + c);
          ABUT_LOAD(l, l0 + c);
          a0 += l * u;
          ABUT_LOAD(l, l1 + c);
          a1 += l * u;
          ABUT_LOAD(l, l2 + c);
          a2 += l * u;
          ABUT_LOAD(l, l3 + c);
          a3 += l * u;
        }
      }
      const int left = std::min(4, k - t);
      for (int side = 0; side < (x != y ? 2 : 1); ++side) {
        const Lanes &s0 = side ? b0 : a0, &s1 = side ? b1 : a1, &s2 = side ? b2 : a2,
                    &s3 = side ? b3 : a3;
        double* z = (side ? y : x) + t;
        const double dots[4] = {
            (s0[0] + s0[1]) + (s0[2] + s0[3]), (s1[0] + s1[1]) + (s1[2] + s1[3]),
            (s2[0] + s2[1]) + (s2[2] + s2[3]), (s3[0] + s3[1]) + (s3[2] + s3[3])};
        const double* inv = inverse + t;
        z[0] = (z[0] - dots[0]) * inv[0];
        if (left > 1) z[1] = (z[1] - dots[1] - l1[t] * z[0]) * inv[1];
        if (left > 2) z[2] = (z[2] - dots[2] - (l2[t] * z[0] + l2[t + 1] * z[1])) * inv[2];
        if (left > 3)
          z[3] = (z[3] - dots[3] - (l3[t] * z[0] + l3[t + 1] * z[1]) - l3[t + 2] * z[2]) * inv[3];
      }
    }
  }
}

// x := L'^-1 x, four rows of L at a time, from the last.
ABUT_WIDEST void solve_backward(const double* L, std::ptrdiff_t stride, const double* inverse,
                                int k, double* x) {
  int t = k;
  // down to a multiple of four
  while (t > 0 && t % 4 != 0) {
    --t;
    const double* l = L + t * stride;
    const double value = x[t] *= inverse[t];
    for (int c = 0; c < t; ++c) x[c] -= l[c] * value;
  }
  for (t -= 4; t >= 0; t -= 4) {
    const double *l0 = L + t * stride, *l1 = l0 + stride, *l2 = l1 + stride, *l3 = l2 + stride;
    const double x3 = x[t + 3] *= inverse[t + 3];
    const double x2 = x[t + 2] = (x[t + 2] - l3[t + 2] * x3) * inverse[t + 2];
    const double x1 = x[t + 1] = (x[t + 1] - l3[t + 1] * x3 - l2[t + 1] * x2) * inverse[t + 1];
    const double x0 = x[t] = (x[t] - l3[t] * x3 - l2[t] * x2 - l1[t] * x1) * inverse[t];
    for (int c = 0; c < t; ++c) x[c] -= (l0[c] * x0 + l1[c] * x1) + (l2[c] * x2 + l3[c] * x3);
  }
}

// The same for few rows, inlined because a call would cost more.
inline void solve_forward_short(const double* L, std::ptrdiff_t stride, const double* inverse,
                                int k, double* x) {
  for (int r = 0; r < k; ++r) {
    x[r] = (x[r] - dot(L + r * stride, x, r)) * inverse[r];
  }
}

inline void solve_backward_short(const double* L, std::ptrdiff_t stride, const double* inverse,
                                 int k, double* x) {
  for (int r = k - 1; r >= 0; --r) {
    const double* l = L + r * stride;
    const double value = x[r] *= inverse[r];
    const Pair f = {value, value};
    int c = 0;
    for (; c + 2 <= r; c += 2) store_pair(x + c, load_pair(x + c) - f * load_pair(l + c));
    if (c < r) x[c] -= l[c] * value;
  }
}

// Rotates row r of L (its entries from `first` on) against the column v, whose entry in this row is
// v. Rows are independent, so that several run in parallel in the pipeline.
template <int Rows>
void rotate_rows(double* const* rows, double* v, const double* cosine, const double* sine,
                 int count) {
  for (int c = 0; c < count; ++c)
    for (int r = 0; r < Rows; ++r) {
      const double l = rows[r][c];
      rows[r][c] = cosine[c] * l + sine[c] * v[r];
      v[r] = cosine[c] * v[r] - sine[c] * l;
    }
}

}  // namespace

void ActiveFactor::reset(int n) {
  const auto size = static_cast<std::size_t>(n);
  if (position_.size() == size) {
    for (const int row : rows_) position_[row] = -1;
    rows_.clear();
    return;
  }
  stride_ = (n + 7) / 4 * 4;
  // the noise of a Schur complement grows with the number of its terms
  dependent_below_ = std::max(kDependentRow, 4 * n * std::numeric_limits<double>::epsilon());
  L_.resize(size * stride_);
  inverse_.resize(size);
  panel_.resize(static_cast<std::size_t>(kPanel) * stride_);
  cosine_.resize(size);
  sine_.resize(size);
  rows_.reserve(size);
  rows_.clear();
  position_.assign(size, -1);
}

// The new row of L is in place already, except the diagonal.
void ActiveFactor::take(int row, double schur) {
  const int k = size();
  const double pivot = std::sqrt(schur);
  row_of(k)[k] = pivot;
  inverse_[k] = pivot * (1 / schur);  // available earlier than 1 / pivot, which waits for the root
  position_[row] = k;
  rows_.push_back(row);
}

bool ActiveFactor::append_one(const DenseRows& A, int row) {
  const double schur = forward(A, row);
  if (!(schur > 0)) return false;
  take(row, schur);
  return true;
}

void ActiveFactor::append(const DenseRows& A, std::span<const int> candidates,
                          std::vector<int>& dependent) {
  std::size_t at = 0;
  // few rows: one by one
  for (; at < candidates.size() && size() < kShort; ++at)
    if (!append_one(A, candidates[at])) dependent.push_back(candidates[at]);
  for (; at < candidates.size(); at += kPanel) {
    const int count = static_cast<int>(std::min<std::size_t>(kPanel, candidates.size() - at));
    const int before = size();
    for (int p = 0; p < count; ++p) {
      const double* a = A.row(candidates[at + p]).data();
      double* q = panel_.data() + p * stride_;
      for (int k = 0; k < before; ++k) q[k] = a[rows_[k]];
    }
    solve_forward(L_.data(), stride_, inverse_.data(), before, panel_.data(), stride_, count);
    // inside the panel, one by one
    for (int p = 0; p < count; ++p) {
      const int row = candidates[at + p];
      double* q = panel_.data() + p * stride_;
      for (int k = before; k < size(); ++k) {
        const double* l = row_of(k);
        q[k] = (A(row, rows_[k]) - dot(l, q, k)) * inverse_[k];
      }
      const double schur = A(row, row) - dot(q, q, size());
      if (schur > least_schur(A(row, row))) {
        std::copy(q, q + size(), row_of(size()));
        take(row, schur);
      } else {
        dependent.push_back(row);
      }
    }
  }
}

double ActiveFactor::forward(const DenseRows& A, int row) {
  const double* a = A.data() + static_cast<std::ptrdiff_t>(row) * A.cols();
  const int k = size();
  double* q = row_of(k);
  double schur = a[row];
  if (k > kShort) {
    for (int t = 0; t < k; ++t) q[t] = a[rows_[t]];
    solve_forward(L_.data(), stride_, inverse_.data(), k, q, stride_, 1);
    schur -= dot(q, q, k);
  } else {
    const double *l = L_.data(), *inverse = inverse_.data();
    const int* rows = rows_.data();
    for (int t = 0; t < k; ++t, l += stride_) {
      q[t] = (a[rows[t]] - dot(l, q, t)) * inverse[t];
      schur -= q[t] * q[t];
    }
  }
  return std::abs(schur) > least_schur(std::abs(a[row])) ? schur : 0;
}

void ActiveFactor::push(int row, double schur) { take(row, schur); }

void ActiveFactor::direction(double* x) const {
  const double* q = L_.data() + static_cast<std::size_t>(size()) * stride_;
  std::copy(q, q + size(), x);
  backward(x);
}

// Without row and column j, the rows below lose v v', v = L_.j: the trailing triangle T becomes the
// factor of T T' + v v', by rotations of each column of T against v.
void ActiveFactor::remove(int j) {
  const int k = size();
  position_[rows_[j]] = -1;
  for (int r = j + 1; r < k; ++r) {
    rows_[r - 1] = rows_[r];
    position_[rows_[r - 1]] = r - 1;
  }
  rows_.pop_back();
  for (int r = j + 1; r < k; r += 4) {
    const int count = std::min(4, k - r);
    double* rows[4];
    double v[4];
    for (int i = 0; i < count; ++i) {
      const double* old = row_of(r + i);
      double* now = row_of(r + i - 1);
      v[i] = old[j];
      std::copy(old, old + j, now);
      std::copy(old + j + 1, old + r + i + 1, now + j);
      rows[i] = now + j;
    }
    const int done = r - j - 1;
    if (count == 4)
      rotate_rows<4>(rows, v, cosine_.data(), sine_.data(), done);
    else
      for (int i = 0; i < count; ++i)
        rotate_rows<1>(rows + i, v + i, cosine_.data(), sine_.data(), done);
    for (int i = 0; i < count; ++i) {
      // the columns of this group's own rows above
      double* corner = rows[i] + done;
      rotate_rows<1>(&corner, v + i, cosine_.data() + done, sine_.data() + done, i);
      const int c = done + i;
      const double pivot = std::sqrt(rows[i][c] * rows[i][c] + v[i] * v[i]);
      cosine_[c] = rows[i][c] / pivot;
      sine_[c] = v[i] / pivot;
      rows[i][c] = pivot;
      inverse_[j + c] = 1 / pivot;
    }
  }
}

void ActiveFactor::forward(double* x) const {
  if (size() > kShort)
    solve_forward(L_.data(), stride_, inverse_.data(), size(), x, stride_, 1);
  else
    solve_forward_short(L_.data(), stride_, inverse_.data(), size(), x);
}

void ActiveFactor::backward(double* x) const {
  if (size() > kShort)
    solve_backward(L_.data(), stride_, inverse_.data(), size(), x);
  else
    solve_backward_short(L_.data(), stride_, inverse_.data(), size(), x);
}

void ActiveFactor::solve(double* x) const {
  forward(x);
  backward(x);
}

void add_rows_of(const DenseRows& A, std::span<const int> rows, const double* x, double* y) {
  const int n = static_cast<int>(A.cols()), count = static_cast<int>(rows.size());
  if (count == 0) return;
  if (n <= kShort) {
    // a few entries of y, for all rows
    const double* a = A.data();
    int c = 0;
    for (; c + 4 <= n; c += 4) {
      Pair first = load_pair(y + c), second = load_pair(y + c + 2);
      for (int k = 0; k < count; ++k) {
        const Pair f = {x[k], x[k]};
        const double* from = a + static_cast<std::ptrdiff_t>(rows[k]) * n + c;
        first += f * load_pair(from);
        second += f * load_pair(from + 2);
      }
      store_pair(y + c, first);
      store_pair(y + c + 2, second);
    }
    for (; c < n; ++c) {
      double sum = y[c];
      for (int k = 0; k < count; ++k) sum += x[k] * a[static_cast<std::ptrdiff_t>(rows[k]) * n + c];
      y[c] = sum;
    }
    return;
  }
  constexpr int kTogether = 16;
  const double* pointers[kTogether];
  for (int k = 0; k < count; k += kTogether) {
    const int some = std::min(kTogether, count - k);
    for (int i = 0; i < some; ++i) pointers[i] = A.row(rows[k + i]).data();
    add_rows(y, pointers, x + k, some, n);
  }
}

}  // namespace abut
