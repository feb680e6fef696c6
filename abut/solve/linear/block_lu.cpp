#include "abut/solve/linear/block_lu.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace abut {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Six = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

// c -= a b; 6 x 6 is the size for a pair of rigid bodies
void subtract_product(double* c, const double* a, const double* b, int rows, int inner,
                      int columns) {
  if (rows == 6 && inner == 6 && columns == 6) {
    Eigen::Map<Six>(c).noalias() -= Eigen::Map<const Six>(a).lazyProduct(Eigen::Map<const Six>(b));
    return;
  }
  if (rows + inner + columns > 100) {
    Eigen::Map<Rows>(c, rows, columns).noalias() -=
        Eigen::Map<const Rows>(a, rows, inner) * Eigen::Map<const Rows>(b, inner, columns);
    return;
  }
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k) {
      const double factor = a[i * inner + k];
      for (int j = 0; j < columns; ++j) c[i * columns + j] -= factor * b[k * columns + j];
    }
}

// In place, with row pivoting; panels of 32, so that large blocks use matrix products.
bool lu_in_place(double* a, int n, int* pivot) {
  constexpr int kPanel = 32;
  bool regular = true;
  for (int from = 0; from < n; from += kPanel) {
    const int to = std::min(n, from + kPanel);
    for (int k = from; k < to; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
      pivot[k] = best;
      if (best != k) std::swap_ranges(a + k * n, a + (k + 1) * n, a + best * n);
      const double diagonal = a[k * n + k];
      if (!(std::abs(diagonal) > 0)) {
        regular = false;
        continue;
      }
      for (int i = k + 1; i < n; ++i) {
        const double factor = a[i * n + k] /= diagonal;
        if (factor == 0) continue;
        for (int j = k + 1; j < to; ++j) a[i * n + j] -= factor * a[k * n + j];
      }
    }
    if (to == n) break;
    // the rows of the panel to its right, then all rows below by one product
    for (int k = from; k < to; ++k)
      for (int i = k + 1; i < to; ++i) {
        const double factor = a[i * n + k];
        for (int j = to; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      }
    Eigen::Map<Rows> whole(a, n, n);
    whole.bottomRightCorner(n - to, n - to).noalias() -=
        whole.block(to, from, n - to, to - from) * whole.block(from, to, to - from, n - to);
  }
  return regular;
}

// x (n x columns, row major) becomes a^-1 x
void lu_solve(const double* a, int n, const int* pivot, double* x, int columns) {
  for (int k = 0; k < n; ++k)
    if (pivot[k] != k)
      std::swap_ranges(x + k * columns, x + (k + 1) * columns, x + pivot[k] * columns);
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k) {
      const double factor = a[i * n + k];
      for (int j = 0; j < columns; ++j) x[i * columns + j] -= factor * x[k * columns + j];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) {
      const double factor = a[i * n + k];
      for (int j = 0; j < columns; ++j) x[i * columns + j] -= factor * x[k * columns + j];
    }
    const double inverse = 1 / a[i * n + i];
    for (int j = 0; j < columns; ++j) x[i * columns + j] *= inverse;
  }
}

template <class A, class B>
bool same(const A& a, const B& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

void BlockLu::set_pattern(std::span<const int> sizes, std::span<const int> begin,
                          std::span<const int> neighbours) {
  if (same(sizes, sizes_) && same(begin, pattern_begin_) && same(neighbours, pattern_)) return;
  sizes_.assign(sizes.begin(), sizes.end());
  pattern_begin_.assign(begin.begin(), begin.end());
  pattern_.assign(neighbours.begin(), neighbours.end());
  begin_.assign(1, 0);
  for (const int s : sizes_) begin_.push_back(begin_.back() + s);
  order();
  lay_out();
}

// Minimum degree, counted in unknowns; of equals the first. Leaves positions in later_.
void BlockLu::order() {
  const int n = size();
  // never shrinks, so that alternating patterns allocate nothing
  if (std::ssize(meets_) < n) meets_.resize(n);
  for (int i = 0; i < n; ++i) {
    meets_[i].clear();
    for (int k = pattern_begin_[i]; k < pattern_begin_[i + 1]; ++k)
      if (pattern_[k] != i) meets_[i].push_back(pattern_[k]);
    std::sort(meets_[i].begin(), meets_[i].end());
  }
  order_.clear();
  position_.assign(n, -1);
  later_begin_.assign(1, 0);
  later_.clear();
  const auto degree = [&](int i) {
    int sum = 0;
    for (const int j : meets_[i]) sum += sizes_[j];
    return sum;
  };
  degrees_.resize(n);
  for (int i = 0; i < n; ++i) degrees_[i] = degree(i);
  for (int step = 0; step < n; ++step) {
    int best = -1;
    for (int i = 0; i < n; ++i)
      if (position_[i] < 0 && (best < 0 || degrees_[i] < degrees_[best])) best = i;
    position_[best] = step;
    order_.push_back(best);
    const std::vector<int>& ring = meets_[best];
    later_.insert(later_.end(), ring.begin(), ring.end());
    later_begin_.push_back(static_cast<int>(later_.size()));
    // its neighbours now meet each other
    for (const int i : ring) {
      joined_.clear();
      std::set_union(meets_[i].begin(), meets_[i].end(), ring.begin(), ring.end(),
                     std::back_inserter(joined_));
      std::erase(joined_, i);
      std::erase(joined_, best);
      meets_[i].assign(joined_.begin(), joined_.end());
      degrees_[i] = degree(i);
    }
  }
  for (int& j : later_) j = position_[j];
  for (int k = 0; k < n; ++k)
    std::sort(later_.begin() + later_begin_[k], later_.begin() + later_begin_[k + 1]);
}

int BlockLu::find(int pivot, int later) const {
  const auto begin = later_.begin() + later_begin_[pivot],
             end = later_.begin() + later_begin_[pivot + 1];
  return static_cast<int>(std::lower_bound(begin, end, later) - later_.begin());
}

void BlockLu::lay_out() {
  const int n = size();
  std::size_t at = 0;
  diagonal_at_.resize(n);
  upper_at_.resize(later_.size());
  lower_at_.resize(later_.size());
  for (int k = 0; k < n; ++k) {
    const std::size_t rows = sizes_[order_[k]];
    diagonal_at_[k] = at;
    at += rows * rows;
    for (int e = later_begin_[k]; e < later_begin_[k + 1]; ++e) {
      const std::size_t columns = sizes_[order_[later_[e]]];
      upper_at_[e] = at;
      lower_at_[e] = at + rows * columns;
      at += 2 * rows * columns;
    }
  }
  values_.resize(at);
  pivots_.resize(unknowns());
  x_.resize(unknowns());
  targets_.clear();
  for (int k = 0; k < n; ++k)
    for (int e = later_begin_[k]; e < later_begin_[k + 1]; ++e)
      for (int f = later_begin_[k]; f < later_begin_[k + 1]; ++f) {
        const int i = later_[e], j = later_[f];
        targets_.push_back(i == j  ? diagonal_at_[i]
                           : i < j ? upper_at_[find(i, j)]
                                   : lower_at_[find(j, i)]);
      }
}

void BlockLu::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

double* BlockLu::block(int i, int j) {
  const int a = position_[i], b = position_[j];
  if (a == b) return values_.data() + diagonal_at_[a];
  return values_.data() + (a < b ? upper_at_[find(a, b)] : lower_at_[find(b, a)]);
}

bool BlockLu::factor() {
  bool regular = true;
  const std::size_t* target = targets_.data();
  for (int k = 0; k < size(); ++k) {
    const int n = sizes_[order_[k]];
    double* diagonal = values_.data() + diagonal_at_[k];
    int* pivot = pivots_.data() + begin_[order_[k]];
    regular &= lu_in_place(diagonal, n, pivot);
    const int begin = later_begin_[k], end = later_begin_[k + 1];
    for (int e = begin; e < end; ++e)
      lu_solve(diagonal, n, pivot, values_.data() + upper_at_[e], sizes_[order_[later_[e]]]);
    for (int e = begin; e < end; ++e)
      for (int f = begin; f < end; ++f)
        subtract_product(values_.data() + *target++, values_.data() + lower_at_[e],
                         values_.data() + upper_at_[f], sizes_[order_[later_[e]]], n,
                         sizes_[order_[later_[f]]]);
  }
  return regular;
}

void BlockLu::solve(double* x) const {
  for (int k = 0; k < size(); ++k) {
    const int n = sizes_[order_[k]];
    double* own = x + begin_[order_[k]];
    lu_solve(values_.data() + diagonal_at_[k], n, pivots_.data() + begin_[order_[k]], own, 1);
    for (int e = later_begin_[k]; e < later_begin_[k + 1]; ++e)
      subtract_product(x + begin_[order_[later_[e]]], values_.data() + lower_at_[e], own,
                       sizes_[order_[later_[e]]], n, 1);
  }
  for (int k = size() - 1; k >= 0; --k) {
    const int n = sizes_[order_[k]];
    for (int e = later_begin_[k]; e < later_begin_[k + 1]; ++e)
      subtract_product(x + begin_[order_[k]], values_.data() + upper_at_[e],
                       x + begin_[order_[later_[e]]], n, sizes_[order_[later_[e]]], 1);
  }
}

}  // namespace abut
