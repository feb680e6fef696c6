#include "abut/solve/sweeping/row_access.h"

#include <cassert>

namespace abut {

void RowAccess::set(const Matrix& A) {
  assert(A.form() != Matrix::Form::matrix_free);
  n_ = A.size();
  dense_ = nullptr;
  blocks_ = nullptr;
  factored_ = nullptr;
  if (A.form() == Matrix::Form::dense) {
    dense_ = A.rows().data();
    return;
  }
  if (A.form() == Matrix::Form::factored) {
    factored_ = &A.factored();
    row_of_.resize(n_);
    for (int g = 0; g < static_cast<int>(factored_->groups.size()); ++g)
      for (int k = 0; k < factored_->groups[g].size; ++k) row_of_[factored_->groups[g].row + k] = g;
    return;
  }
  blocks_ = &A.blocks();
  row_of_.resize(n_);
  for (int r = 0; r < blocks_->size(); ++r)
    for (int i = blocks_->first[r]; i < blocks_->first[r + 1]; ++i) row_of_[i] = r;
}

void RowAccess::follow(const double* z) {
  if (factored_ == nullptr) return;
  u_.assign(static_cast<std::size_t>(factored_->velocities_size()), 0.0);
  factored_->add_impulses({z, static_cast<std::size_t>(n_)}, u_);
}

void RowAccess::change(int first, int size, const double* dz) {
  if (factored_ == nullptr) return;
  for (int i = 0; i < size; ++i) {
    if (dz[i] == 0) continue;
    const RowGroup& g = factored_->groups[row_of_[first + i]];
    for (int side = 0; side < g.trees; ++side) {
      const TreeBlock& tree = factored_->trees[g.tree[side]];
      const double* row = &factored_->MinvJT[g.begin[side] + (first + i - g.row) * tree.size];
      for (int k = 0; k < tree.size; ++k) u_[tree.first + k] += dz[i] * row[k];
    }
  }
}

double RowAccess::entry(int i, int j) const {
  const RowGroup& a = factored_->groups[row_of_[i]];
  const RowGroup& b = factored_->groups[row_of_[j]];
  double sum = i == j && !factored_->softness.empty() ? factored_->softness[i] : 0;
  for (int s = 0; s < a.trees; ++s)
    for (int t = 0; t < b.trees; ++t) {
      if (a.tree[s] != b.tree[t]) continue;
      const int n = factored_->trees[a.tree[s]].size;
      sum += tree_dot(&factored_->J[a.begin[s] + (i - a.row) * n],
                      &factored_->MinvJT[b.begin[t] + (j - b.row) * n], n);
    }
  return sum;
}

namespace {

// The common case of 3 x 3 blocks: no inner loops.
void multiply_threes(const BlockRows& m, int r, const double* z, double* out) {
  double s0 = 0, s1 = 0, s2 = 0;
  for (int k = m.row_begin[r]; k < m.row_begin[r + 1]; ++k) {
    const double* a = m.block(k);
    const double* x = z + m.first[m.column[k]];
    s0 += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    s1 += a[3] * x[0] + a[4] * x[1] + a[5] * x[2];
    s2 += a[6] * x[0] + a[7] * x[1] + a[8] * x[2];
  }
  out[0] = s0, out[1] = s1, out[2] = s2;
}

bool all_threes(const BlockRows& m, int r) {
  if (m.width(r) != 3) return false;
  const int begin = m.row_begin[r], end = m.row_begin[r + 1];
  // blocks are contiguous: nine values each exactly if every column has three
  return begin < end && m.value_begin[end - 1] - m.value_begin[begin] == 9 * (end - 1 - begin) &&
         m.width(m.column[end - 1]) == 3;
}

}  // namespace

void RowAccess::multiply(int first, int size, const double* z, double* out) const {
  if (dense_) {
    const Eigen::Map<const VectorX> x(z, n_);
    for (int i = 0; i < size; ++i)
      out[i] =
          Eigen::Map<const VectorX>(dense_ + static_cast<std::size_t>(first + i) * n_, n_).dot(x);
    return;
  }
  if (factored_) {
    for (int i = first; i < first + size; ++i) {
      const RowGroup& g = factored_->groups[row_of_[i]];
      double sum = factored_->softness.empty() ? 0 : factored_->softness[i] * z[i];
      for (int side = 0; side < g.trees; ++side) {
        const TreeBlock& tree = factored_->trees[g.tree[side]];
        sum += tree_dot(&factored_->J[g.begin[side] + (i - g.row) * tree.size], &u_[tree.first],
                        tree.size);
      }
      out[i - first] = sum;
    }
    return;
  }
  const BlockRows& m = *blocks_;
  if (size == 3 && m.first[row_of_[first]] == first && all_threes(m, row_of_[first])) {
    multiply_threes(m, row_of_[first], z, out);
    return;
  }
  for (int i = 0; i < size; ++i) {
    const int r = row_of_[first + i], inside = first + i - m.first[r];
    double sum = 0;
    for (int k = m.row_begin[r]; k < m.row_begin[r + 1]; ++k) {
      const int columns = m.width(m.column[k]);
      const double* a = m.block(k) + inside * columns;
      const double* x = z + m.first[m.column[k]];
      for (int j = 0; j < columns; ++j) sum += a[j] * x[j];
    }
    out[i] = sum;
  }
}

void RowAccess::diagonal(int first, int size, double* out) const {
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      double& to = out[i * size + j];
      if (dense_) {
        to = dense_[static_cast<std::size_t>(first + i) * n_ + first + j];
        continue;
      }
      if (factored_) {
        to = entry(first + i, first + j);
        continue;
      }
      const int r = row_of_[first + i], c = row_of_[first + j];
      const int k = blocks_->find(r, c);
      to = k < 0 ? 0
                 : blocks_->block(k)[(first + i - blocks_->first[r]) * blocks_->width(c) + first +
                                     j - blocks_->first[c]];
    }
}

}  // namespace abut
