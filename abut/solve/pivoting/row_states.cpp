#include "abut/solve/pivoting/row_states.h"

#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

bool nearly_equal(const DenseRows& A, int i, int j) {
  const double off = std::abs(A(i, j) - A(j, i));
  return off <= kSymmetricEntries * (std::abs(A(i, j)) + std::abs(A(j, i))) ||
         off <= kSymmetricDiagonal * std::sqrt(std::abs(A(i, i) * A(j, j)));
}

}  // namespace

bool is_symmetric(const DenseRows& A) {
  const int n = static_cast<int>(A.rows());
  // in tiles: a column of a large matrix touches a cache line for each entry
  constexpr int kTile = 32;
  for (int r = 0; r < n; r += kTile)
    for (int c = 0; c <= r; c += kTile)
      for (int i = r; i < std::min(r + kTile, n); ++i) {
        const double* row = A.data() + static_cast<std::ptrdiff_t>(i) * n + c;
        const double* column = A.data() + static_cast<std::ptrdiff_t>(c) * n + i;
        for (int j = c; j < std::min(c + kTile, i); ++j, ++row, column += n)
          if (*row != *column && !nearly_equal(A, i, j)) return false;
      }
  return true;
}

bool row_is_column(const DenseRows& A, int i) {
  const int n = static_cast<int>(A.rows());
  const double* row = A.data() + static_cast<std::ptrdiff_t>(i) * n;
  const double* column = A.data() + i;
  for (int j = 0; j < n; ++j, column += n)
    if (row[j] != *column && !nearly_equal(A, i, j)) return false;
  return true;
}

void CoupledSystem::resize(int n) {
  lu_.resize(n);
  inside_.reserve(n);
  place_.resize(n);
  fixed_.resize(n);
  right_.resize(n);
}

bool CoupledSystem::solve(const Problem& p, const DenseRows& A, const VectorX& b,
                          std::span<const RowState> states, VectorX& z) {
  const int n = p.size();
  inside_.clear();
  for (int i = 0; i < n; ++i) {
    place_[i] = -1;
    if (states[i] == RowState::inside) {
      place_[i] = static_cast<int>(inside_.size());
      inside_.push_back(i);
      fixed_[i] = 0;
    } else if (p.bound_by[i] < 0) {
      fixed_[i] = states[i] == RowState::at_lo ? p.lo[i] : p.hi[i];
    }
  }
  const auto slope = [&](int i) { return static_cast<int>(states[i]) * p.mu[i]; };
  const auto follows = [&](int i) { return place_[i] < 0 && p.bound_by[i] >= 0; };
  for (int i = 0; i < n; ++i)
    if (follows(i)) {
      const int j = p.bound_by[i];
      fixed_[i] = place_[j] < 0 ? slope(i) * fixed_[j] : 0;
    }

  const int k = static_cast<int>(inside_.size());
  DenseLu::Map m = lu_.start(k);
  for (int r = 0; r < k; ++r) {
    const double* a = A.row(inside_[r]).data();
    for (int c = 0; c < k; ++c) m(r, c) = a[inside_[c]];
    double right = -b[inside_[r]];
    for (int i = 0; i < n; ++i) {
      if (place_[i] >= 0) continue;
      if (fixed_[i] != 0)
        right -= a[i] * fixed_[i];
      else if (follows(i) && place_[p.bound_by[i]] >= 0)
        m(r, place_[p.bound_by[i]]) += slope(i) * a[i];
    }
    right_[r] = right;
  }
  if (!lu_.factor()) return false;
  lu_.solve(right_.data());
  for (int r = 0; r < k; ++r) fixed_[inside_[r]] = right_[r];
  for (int i = 0; i < n; ++i)
    if (follows(i) && place_[p.bound_by[i]] >= 0) fixed_[i] = slope(i) * fixed_[p.bound_by[i]];
  z = fixed_;
  return true;
}

}  // namespace abut
