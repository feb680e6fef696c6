#include "abut/solve/linear/dense_lu.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/linear/kernels.h"
#include "abut/solve/tolerances.h"

namespace abut {

void DenseLu::resize(int n) {
  const auto size = static_cast<std::size_t>(n);
  a_.resize(size * size);
  row_scale_.resize(size);
  column_scale_.resize(size);
  swapped_.resize(size);
  order_.resize(size);
}

DenseLu::Map DenseLu::start(int k) {
  size_ = k;
  return Map(a_.data(), k, k);
}

bool DenseLu::factor() {
  const int n = size_;
  for (int i = 0; i < n; ++i) order_[i] = i;
  std::fill(column_scale_.begin(), column_scale_.begin() + n, 0.0);
  for (int i = 0; i < n; ++i) {
    const double* a = row(i);
    double most = 0;
    for (int j = 0; j < n; ++j) most = std::max(most, std::abs(a[j]));
    if (!(most > 0) || !std::isfinite(most)) return false;
    row_scale_[i] = 1 / most;
    for (int j = 0; j < n; ++j)
      column_scale_[j] = std::max(column_scale_[j], std::abs(a[j]) / most);
  }

  // Four columns at a time: first the panel, then its effect on the columns to the right, so that
  // each row there is read and written once for four pivots.
  for (int first = 0; first < n; first += 4) {
    const int end = std::min(first + 4, n);
    for (int k = first; k < end; ++k) {
      int best = k;
      double most = -1;
      for (int i = k; i < n; ++i) {
        const double size = std::abs(row(i)[k]) * row_scale_[order_[i]];
        if (size > most) most = size, best = i;
      }
      if (!(most > kLuSingular * column_scale_[k])) return false;
      std::swap(order_[k], order_[best]);
      const double* pivot = row(k);
      const double inverse = 1 / pivot[k];
      for (int i = k + 1; i < n; ++i) {
        double* a = row(i);
        const double factor = a[k] *= inverse;
        for (int j = k + 1; j < end; ++j) a[j] -= factor * pivot[j];
      }
    }
    if (end == n) break;
    // the pivots' own rows
    for (int k = first; k < end; ++k)
      for (int i = k + 1; i < end; ++i) {
        double* a = row(i);
        add_scaled(a + end, -a[k], row(k) + end, n - end);
      }
    const double* pivots[4] = {row(first) + end, row(first + 1) + end, row(first + 2) + end,
                               row(first + 3) + end};
    for (int i = end; i < n; ++i) {
      double* a = row(i);
      const double factors[4] = {-a[first], -a[first + 1], -a[first + 2], -a[first + 3]};
      add_rows(a + end, pivots, factors, 4, n - end);
    }
  }
  return true;
}

void DenseLu::solve(double* x) {
  const int n = size_;
  double* y = swapped_.data();
  for (int i = 0; i < n; ++i) {
    const double* a = row(i);
    y[i] = x[order_[i]] - dot(a, y, i);
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* a = row(i);
    x[i] = (y[i] - dot(a + i + 1, x + i + 1, n - i - 1)) / a[i];
  }
}

}  // namespace abut
