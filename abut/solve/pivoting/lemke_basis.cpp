#include "abut/solve/pivoting/lemke_basis.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/linear/kernels.h"
#include "abut/solve/tolerances.h"

namespace abut {

void LemkeBasis::start(const DenseRows& rows, const VectorX& q) {
  rows_ = &rows;
  q_ = &q;
  n_ = static_cast<int>(q.size());
  m_ = 0;
  columns_of_M_.resize(n_, n_);
  // in tiles: either order alone would miss the cache at each entry
  constexpr int kTile = 16;
  for (int i = 0; i < n_; i += kTile)
    for (int j = 0; j < n_; j += kTile)
      for (int k = i; k < std::min(i + kTile, n_); ++k)
        for (int l = j; l < std::min(j + kTile, n_); ++l) columns_of_M_(l, k) = rows(k, l);
  stride_ = (n_ + 1 + 7) / 8 * 8;
  inverse_.resize(std::size_t(stride_) * (n_ + 1));
  columns_.resize(n_ + 1);
  core_rows_.resize(n_ + 1);
  column_place_.assign(n_ + 1, -1);
  row_place_.assign(n_, -1);
  pointers_.resize(n_ + 2);
  factors_.resize(n_ + 2);
  exchanged_.resize(n_ + 1);
  for (VectorX* v : {&t_core_, &x_core_, &part_, &row_, &fetched_}) v->resize(n_ + 1);
  t_rows_.resize(n_);
  x_rows_ = q;
}

// y -= K factors, over all rows: the columns of the core are -M and -1
void LemkeBasis::add_core_columns(double* y, const VectorX& factors) {
  int count = 0;
  double artificial = 0;
  for (int p = 0; p < m_; ++p) {
    if (factors[p] == 0) continue;
    if (columns_[p] == n_) {
      artificial = factors[p];
    } else {
      pointers_[count] = column_of(columns_[p]);
      factors_[count++] = factors[p];
    }
  }
  add_rows(y, pointers_.data(), factors_.data(), count, n_);
  if (artificial != 0)
    for (int i = 0; i < n_; ++i) y[i] += artificial;
}

void LemkeBasis::column(int entering) {
  double* t = t_rows_.data();
  if (entering < n_) {
    const int r = row_place_[entering];
    for (int p = 0; p < m_; ++p) t_core_[p] = inverse(p)[r];
    t_rows_.setZero();
    t[entering] = 1;
  } else if (entering < 2 * n_) {
    const double* a = column_of(entering - n_);
    for (int r = 0; r < m_; ++r) part_[r] = -a[core_rows_[r]];
    for (int p = 0; p < m_; ++p) t_core_[p] = dot(inverse(p), part_.data(), m_);
    for (int i = 0; i < n_; ++i) t[i] = -a[i];
  } else {
    for (int r = 0; r < m_; ++r) part_[r] = -1;
    for (int p = 0; p < m_; ++p) t_core_[p] = dot(inverse(p), part_.data(), m_);
    t_rows_.setConstant(-1);
  }
  add_core_columns(t, t_core_);

  // the core's own rows must be 0: their values are the error of the inverse
  largest_ = 0;
  for (int p = 0; p < m_; ++p) largest_ = std::max(largest_, std::abs(t_core_[p]));
  double off = 0;
  for (int r = 0; r < m_; ++r) {
    off = std::max(off, std::abs(t[core_rows_[r]]));
    t[core_rows_[r]] = 0;
  }
  for (int i = 0; i < n_; ++i) largest_ = std::max(largest_, std::abs(t[i]));
  drift_ = off / std::max(1.0, largest_);

  // the rest of a cancellation is set to 0: otherwise variables that are 0 become almost 0, and the
  // lexicographic rule misses ties
  const double noise = kLemkeColumnNoise * largest_;
  const auto clear = [noise](double* x, int count) {
    for (int k = 0; k < count; ++k) x[k] = std::abs(x[k]) > noise ? x[k] : 0.0;
  };
  clear(t_core_.data(), m_);
  clear(t, n_);
}

// row_ = (row of the core's columns) K^-1
void LemkeBasis::core_row_times_inverse(int row) {
  int count = 0;
  for (int p = 0; p < m_; ++p) {
    const double entry = core_entry(row, columns_[p]);
    if (entry == 0) continue;
    pointers_[count] = inverse(p);
    factors_[count++] = entry;
  }
  std::fill_n(row_.data(), m_, 0.0);
  add_rows(row_.data(), pointers_.data(), factors_.data(), count, m_);
}

void LemkeBasis::pivot(int entering, int leaving, double step) {
  const bool w_enters = entering < n_, w_leaves = leaving < n_;
  const int z_in = entering - n_, p = w_leaves ? -1 : column_place_[leaving - n_];
  if (w_enters) {
    const int r = row_place_[entering];
    if (w_leaves)
      replace_row(r, leaving);
    else
      shrink(p, r);
    x_rows_[entering] = step;
  } else if (w_leaves) {
    grow(z_in, leaving);
    x_core_[m_ - 1] = step;
  } else {
    replace_column(p, z_in);
    x_core_[p] = step;
  }
}

// z enters and w of `row` leaves: one more row and column
void LemkeBasis::grow(int z, int row) {
  core_row_times_inverse(row);
  const double by = 1 / t_rows_[row];
  for (int p = 0; p < m_; ++p) {
    double* const k = inverse(p);
    const double f = t_core_[p] * by;
    if (f != 0) add_scaled(k, f, row_.data(), m_);
    k[m_] = -f;
  }
  double* const last = inverse(m_);
  for (int r = 0; r < m_; ++r) last[r] = -row_[r] * by;
  last[m_] = by;
  columns_[m_] = z;
  core_rows_[m_] = row;
  column_place_[z] = row_place_[row] = m_;
  x_rows_[row] = 0;
  ++m_;
}

void LemkeBasis::replace_column(int p, int z) {
  double* const mine = inverse(p);
  const double by = 1 / t_core_[p];
  for (int r = 0; r < m_; ++r) mine[r] *= by;
  for (int k = 0; k < m_; ++k)
    if (k != p && t_core_[k] != 0) add_scaled(inverse(k), -t_core_[k], mine, m_);
  column_place_[columns_[p]] = -1;
  columns_[p] = z;
  column_place_[z] = p;
}

// w of the core's row r enters and w of `row` leaves
void LemkeBasis::replace_row(int r, int row) {
  core_row_times_inverse(row);
  const double by = 1 / row_[r];
  for (int p = 0; p < m_; ++p) {
    double* const k = inverse(p);
    const double f = k[r] * by;
    if (f == 0) continue;
    add_scaled(k, -f, row_.data(), m_);
    k[r] = f;
  }
  row_place_[core_rows_[r]] = -1;
  core_rows_[r] = row;
  row_place_[row] = r;
  x_rows_[row] = 0;
}

// w of the core's row r enters and z of its column p leaves
void LemkeBasis::shrink(int p, int r) {
  const int last = m_ - 1;
  double* const mine = inverse(p);
  const double by = 1 / mine[r];
  for (int k = 0; k < m_; ++k) {
    if (k == p) continue;
    double* const other = inverse(k);
    if (other[r] != 0) add_scaled(other, -other[r] * by, mine, m_);
    other[r] = other[last];
  }
  if (p != last) {
    std::copy_n(inverse(last), last, mine);
    x_core_[p] = x_core_[last];
  }
  column_place_[columns_[p]] = -1;
  row_place_[core_rows_[r]] = -1;
  if (p != last) column_place_[columns_[p] = columns_[last]] = p;
  if (r != last) row_place_[core_rows_[r] = core_rows_[last]] = r;
  m_ = last;
}

double LemkeBasis::fetch_inverse_column(int c) {
  const int r = row_place_[c];
  double largest = 0;
  for (int p = 0; p < m_; ++p) {
    fetched_[p] = inverse(p)[r];
    largest = std::max(largest, std::abs(fetched_[p]));
  }
  return largest;
}

double LemkeBasis::inverse_entry(int basic) const {
  if (basic >= n_) return fetched_[column_place_[basic - n_]];
  double sum = 0;
  for (int p = 0; p < m_; ++p)
    if (fetched_[p] != 0) sum -= core_entry(basic, columns_[p]) * fetched_[p];
  return sum;
}

// Gauss-Jordan in place with row pivoting: exchanging rows of K exchanges columns of K^-1.
bool LemkeBasis::refactor() {
  // here inverse(k) is row k of K: its entry p belongs to column p
  for (int r = 0; r < m_; ++r)
    for (int p = 0; p < m_; ++p) inverse(r)[p] = core_entry(core_rows_[r], columns_[p]);
  for (int s = 0; s < m_; ++s) {
    int best = s;
    for (int r = s + 1; r < m_; ++r)
      if (std::abs(inverse(r)[s]) > std::abs(inverse(best)[s])) best = r;
    const double pivot = inverse(best)[s];
    if (!(std::abs(pivot) > kNoPivot)) return false;
    exchanged_[s] = best;
    if (best != s) std::swap_ranges(inverse(s), inverse(s) + m_, inverse(best));
    double* const mine = inverse(s);
    mine[s] = 1;
    for (int p = 0; p < m_; ++p) mine[p] /= pivot;
    for (int r = 0; r < m_; ++r) {
      if (r == s) continue;
      double* const other = inverse(r);
      const double f = other[s];
      if (f == 0) continue;
      other[s] = 0;
      add_scaled(other, -f, mine, m_);
    }
  }
  for (int s = m_ - 1; s >= 0; --s)
    if (exchanged_[s] != s)
      for (int p = 0; p < m_; ++p) std::swap(inverse(p)[s], inverse(p)[exchanged_[s]]);
  recompute_values();
  return true;
}

// twice: the second pass removes the rounding of the first
void LemkeBasis::recompute_values() {
  x_core_.head(m_).setZero();
  for (int step = 0; step <= 2; ++step) {
    x_rows_ = *q_;
    add_core_columns(x_rows_.data(), x_core_);
    if (step < 2) correct(x_rows_);
  }
  for (int r = 0; r < m_; ++r) x_rows_[core_rows_[r]] = 0;
  x_core_.head(m_) = x_core_.head(m_).cwiseMax(0.0);
  x_rows_ = x_rows_.cwiseMax(0.0);
}

void LemkeBasis::correct(const VectorX& residual) {
  for (int r = 0; r < m_; ++r) part_[r] = residual[core_rows_[r]];
  for (int p = 0; p < m_; ++p) x_core_[p] += dot(inverse(p), part_.data(), m_);
}

void LemkeBasis::read(VectorX& z, VectorX& artificial) const {
  z.setZero(n_);
  artificial.setZero(n_);
  for (int p = 0; p < m_; ++p) {
    if (columns_[p] < n_)
      z[columns_[p]] = x_core_[p];
    else
      artificial.setConstant(x_core_[p]);
  }
}

}  // namespace abut
