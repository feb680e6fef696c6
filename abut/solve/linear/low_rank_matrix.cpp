#include "abut/solve/linear/low_rank_matrix.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

const double* LowRankMatrix::L(int group) const { return values_.data() + factors_[group].begin; }

double LowRankMatrix::entry(int i, int j) const {
  const double d = scale_[i] * scale_[j];
  if (dense_) return d * dense_[static_cast<std::size_t>(i) * size() + j];
  const int r = groups_.node_of(i), c = groups_.node_of(j);
  const int k = blocks_->find(r, c);
  if (k < 0) return 0;
  return d * blocks_->block(k)[(i - blocks_->first[r]) * blocks_->width(c) + j - blocks_->first[c]];
}

void LowRankMatrix::set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale) {
  dense_ = A.form() == Matrix::Form::dense ? A.rows().data() : nullptr;
  blocks_ = dense_ ? nullptr : &A.blocks();
  scale_ = scale;
  groups_.find(A, pieces);
  build(false);
  if (fits(A)) return;
  build(true);
  if (may_stay_sparse()) return;
  // one group: zeros on the diagonal (joints beside velocities) ask for pivots from anywhere
  groups_.join();
  build(true);
}

void LowRankMatrix::build(bool whole) {
  factors_.assign(groups_.count(), {});
  values_.clear();
  pivots_.clear();
  rank_ = 0;
  ranks_.clear();
  for (int g = 0; g < groups_.count(); ++g) {
    factor_group(g, whole);
    factors_[g].place = rank_;
    rank_ += factors_[g].rank;
    ranks_.push_back(factors_[g].rank);
  }
  groups_.find_neighbours();
  find_between();
  y_.resize(rank_);
  v_.resize(rank_);
}

// L of the group; `whole`: L = 1.
void LowRankMatrix::factor_group(int group, bool whole) {
  const std::span<const int> rows = groups_.rows(group);
  const int m = static_cast<int>(rows.size());
  Factor& f = factors_[group];
  f.begin = values_.size();
  f.pivot_begin = static_cast<int>(pivots_.size());
  if (whole) {
    f.rank = m;
    values_.resize(values_.size() + static_cast<std::size_t>(m) * m, 0.0);
    for (int i = 0; i < m; ++i) {
      values_[f.begin + static_cast<std::size_t>(i) * m + i] = 1;
      pivots_.push_back(i);
    }
    return;
  }
  // columns one after the other first: the rank is not known yet
  factor_by_pivots(rows, f);
  values_.resize(values_.size() + static_cast<std::size_t>(m) * f.rank);
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < f.rank; ++k)
      values_[f.begin + static_cast<std::size_t>(i) * f.rank + k] =
          columns_[static_cast<std::size_t>(k) * m + i];
}

void LowRankMatrix::factor_by_pivots(std::span<const int> rows, Factor& f) {
  const int m = static_cast<int>(rows.size());
  columns_.clear();
  diagonal_.resize(m);
  for (int i = 0; i < m; ++i) diagonal_[i] = entry(rows[i], rows[i]);
  const double most = *std::max_element(diagonal_.begin(), diagonal_.end());
  for (f.rank = 0; f.rank < m; ++f.rank) {
    const int pivot =
        static_cast<int>(std::max_element(diagonal_.begin(), diagonal_.end()) - diagonal_.begin());
    if (!(diagonal_[pivot] > kGroupRank * most)) break;
    const double root = std::sqrt(diagonal_[pivot]);
    columns_.resize(static_cast<std::size_t>(f.rank + 1) * m);
    double* column = columns_.data() + static_cast<std::size_t>(f.rank) * m;
    for (int i = 0; i < m; ++i) column[i] = entry(rows[i], rows[pivot]);
    for (int k = 0; k < f.rank; ++k) {
      const double* before = columns_.data() + static_cast<std::size_t>(k) * m;
      const double factor = before[pivot];
      for (int i = 0; i < m; ++i) column[i] -= factor * before[i];
    }
    for (int i = 0; i < m; ++i) {
      column[i] /= root;
      diagonal_[i] -= column[i] * column[i];
    }
    for (int k = 0; k < f.rank; ++k) column[pivots_[f.pivot_begin + k]] = 0;  // exactly
    diagonal_[pivot] = -1;                                                    // done
    pivots_.push_back(pivot);
  }
}

void LowRankMatrix::find_between() {
  between_at_.clear();
  std::size_t at = 0;
  for (int g = 0; g < groups_.count(); ++g)
    for (int k = groups_.begin()[g]; k < groups_.begin()[g + 1]; ++k) {
      between_at_.push_back(at);
      at += static_cast<std::size_t>(ranks_[g]) * ranks_[groups_.neighbours()[k]];
    }
  between_.resize(at);
  for (int g = 0; g < groups_.count(); ++g)
    for (int k = groups_.begin()[g]; k < groups_.begin()[g + 1]; ++k)
      find_between(g, groups_.neighbours()[k], between_.data() + between_at_[k]);
}

// B_gh from the pivots' rows and columns of A: they are L_g B_gh L_h' with L triangular there.
void LowRankMatrix::find_between(int g, int h, double* B) const {
  const Factor &a = factors_[g], &b = factors_[h];
  const std::span<const int> rows_a = groups_.rows(g), rows_b = groups_.rows(h);
  const int *pivots_a = pivots_.data() + a.pivot_begin, *pivots_b = pivots_.data() + b.pivot_begin;
  for (int i = 0; i < a.rank; ++i)
    for (int j = 0; j < b.rank; ++j)
      B[i * b.rank + j] = entry(rows_a[pivots_a[i]], rows_b[pivots_b[j]]);
  // L_g^-1 from the left, L_h^-T from the right
  for (int i = 0; i < a.rank; ++i) {
    const double* row = L(g) + static_cast<std::size_t>(pivots_a[i]) * a.rank;
    for (int e = 0; e < i; ++e)
      for (int j = 0; j < b.rank; ++j) B[i * b.rank + j] -= row[e] * B[e * b.rank + j];
    for (int j = 0; j < b.rank; ++j) B[i * b.rank + j] /= row[i];
  }
  for (int j = 0; j < b.rank; ++j) {
    const double* row = L(h) + static_cast<std::size_t>(pivots_b[j]) * b.rank;
    for (int i = 0; i < a.rank; ++i) {
      double sum = B[i * b.rank + j];
      for (int e = 0; e < j; ++e) sum -= row[e] * B[i * b.rank + e];
      B[i * b.rank + j] = sum / row[j];
    }
  }
}

bool LowRankMatrix::fits(const Matrix& A) {
  const int n = size();
  probe_.resize(n);
  for (int i = 0; i < n; ++i) probe_[i] = std::sin(1.0 + 3.7 * i);
  multiply(probe_, found_);
  probe_.array() *= scale_.array();
  A.multiply(probe_, expected_);
  found_.array() -= scale_.array() * expected_.array();
  A.multiply_abs(probe_, expected_);
  expected_.array() *= scale_.array();
  return found_.cwiseAbs().maxCoeff() <= kReductionFits * expected_.maxCoeff();
}

// Whether an A that is not symmetric, or not semidefinite, can be factored group by group: its
// pattern is symmetric, and its diagonal positive. So are contacts whose A was computed inexactly
// (FCLIB's collections have some that are symmetric to 3 digits).
bool LowRankMatrix::may_stay_sparse() const {
  for (int i = 0; i < size(); ++i)
    if (!(entry(i, i) > 0)) return false;
  const std::vector<int>&begin = groups_.begin(), &neighbours = groups_.neighbours();
  const auto meets = [&](int g, int h) {
    return std::binary_search(neighbours.begin() + begin[g], neighbours.begin() + begin[g + 1], h);
  };
  for (int g = 0; g < groups_.count(); ++g)
    for (int k = begin[g]; k < begin[g + 1]; ++k)
      if (!meets(neighbours[k], g)) return false;
  return true;
}

void LowRankMatrix::reduce(const double* x, double* y) const {
  for (int g = 0; g < groups_.count(); ++g) {
    const int rank = ranks_[g];
    const double* of_row = L(g);
    double* out = y + place(g);
    std::fill_n(out, rank, 0.0);
    for (const int row : groups_.rows(g)) {
      const double xi = x[row];
      for (int k = 0; k < rank; ++k) out[k] += of_row[k] * xi;
      of_row += rank;
    }
  }
}

void LowRankMatrix::between(const double* y, double* v) const {
  for (int g = 0; g < groups_.count(); ++g) {
    double* out = v + place(g);
    std::fill_n(out, ranks_[g], 0.0);
    for (int k = groups_.begin()[g]; k < groups_.begin()[g + 1]; ++k) {
      const int h = groups_.neighbours()[k], rank = ranks_[h];
      const double *row = B(k), *of = y + place(h);
      for (int i = 0; i < ranks_[g]; ++i, row += rank) {
        double sum = 0;
        for (int j = 0; j < rank; ++j) sum += row[j] * of[j];
        out[i] += sum;
      }
    }
  }
}

void LowRankMatrix::multiply(const VectorX& x, VectorX& out) const {
  reduce(x.data(), y_.data());
  between(y_.data(), v_.data());
  out.resize(size());
  for (int g = 0; g < groups_.count(); ++g) {
    const int rank = ranks_[g];
    const double *of_row = L(g), *v = v_.data() + place(g);
    for (const int row : groups_.rows(g)) {
      double sum = 0;
      for (int k = 0; k < rank; ++k) sum += of_row[k] * v[k];
      out[row] = sum;
      of_row += rank;
    }
  }
}

}  // namespace abut
