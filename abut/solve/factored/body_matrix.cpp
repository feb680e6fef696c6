#include "abut/solve/factored/body_matrix.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "abut/math/index.h"

namespace abut {

namespace {

using Block = Eigen::Map<DenseRows>;
using ConstBlock = Eigen::Map<const DenseRows>;

// out += a' b of blocks with `rows` rows, a with m and b with n columns, row major.
void add_product(const double* a, const double* b, int rows, int m, int n, double* out) {
  for (int k = 0; k < rows; ++k)
    for (int i = 0; i < m; ++i) {
      const double factor = a[k * m + i];
      if (factor == 0) continue;
      for (int j = 0; j < n; ++j) out[i * n + j] += factor * b[k * n + j];
    }
}

// The inverse of a symmetric positive definite matrix, row major, by its Cholesky factor L, which is
// scratch. (Eigen's factorisations of matrices of any size allocate.)
void invert(const double* A, int n, std::vector<double>& L, double* out) {
  L.assign(at(n) * at(n), 0.0);
  const auto l = [&](int i, int j) -> double& { return L[at(i) * at(n) + at(j)]; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
    }
  for (int c = 0; c < n; ++c) {
    const auto x = [&](int i) -> double& { return out[i * n + c]; };
    for (int i = 0; i < n; ++i) {
      double sum = i == c ? 1 : 0;
      for (int k = 0; k < i; ++k) sum -= l(i, k) * x(k);
      x(i) = sum / l(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
      double sum = x(i);
      for (int k = i + 1; k < n; ++k) sum -= l(k, i) * x(k);
      x(i) = sum / l(i, i);
    }
  }
}

}  // namespace

void BodyMatrix::set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale) {
  assert(A.form() == Matrix::Form::factored);
  A_ = &A.factored();
  scale_ = &scale;
  pieces_.assign(pieces.begin(), pieces.end());
  u_.resize(at(A_->velocities_size()));
  find_masses();
  scale_rows(scale);
  find_groups();
  find_edges();
  lu_.set(K_);
}

// M of each tree from its inverse.
void BodyMatrix::find_masses() {
  mass_.resize(A_->inverse_mass.size());
  std::size_t begin = 0;
  for (const TreeBlock& tree : A_->trees) {
    invert(&A_->inverse_mass[begin], tree.size, cholesky_, &mass_[begin]);
    begin += at(tree.size) * at(tree.size);
  }
}

void BodyMatrix::scale_rows(const VectorX& scale) {
  J_.resize(A_->J.size());
  for (const RowGroup& g : A_->groups)
    for (int side = 0; side < g.trees; ++side) {
      const int n = A_->trees[at(g.tree[side])].size;
      for (int k = 0; k < g.size; ++k)
        for (int i = 0; i < n; ++i) {
          const std::size_t index = at(g.begin[side] + k * n + i);
          J_[index] = scale[g.row + k] * A_->J[index];
        }
    }
}

void BodyMatrix::find_groups() {
  group_of_piece_.resize(pieces_.size());
  int group = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    while (A_->groups[at(group)].row + A_->groups[at(group)].size <= pieces_[p].first) ++group;
    assert(pieces_[p].first + pieces_[p].size <=
           A_->groups[at(group)].row + A_->groups[at(group)].size);
    group_of_piece_[p] = group;
  }
}

// The pattern of M + J' Q J: trees that a group sees are joined.
void BodyMatrix::find_edges() {
  const auto for_each_pair = [&](const RowGroup& g, auto&& f) {
    for (int a = 0; a < g.trees; ++a)
      for (int b = a + 1; b < g.trees; ++b) f(std::minmax(g.tree[a], g.tree[b]));
  };
  pairs_.clear();
  for (const RowGroup& g : A_->groups)
    for_each_pair(g, [&](const std::pair<int, int>& pair) { pairs_.push_back(pair); });
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  edge_begin_.clear();
  edge_of_.clear();
  for (const RowGroup& g : A_->groups) {
    edge_begin_.push_back(static_cast<int>(edge_of_.size()));
    for_each_pair(g, [&](const std::pair<int, int>& pair) {
      edge_of_.push_back(
          static_cast<int>(std::lower_bound(pairs_.begin(), pairs_.end(), pair) - pairs_.begin()));
    });
  }

  const std::size_t n = A_->trees.size();
  K_.graph.size.resize(n);
  K_.first.resize(n);
  K_.diagonal.resize(n);
  std::size_t values = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const int size = A_->trees[i].size;
    K_.graph.size[i] = size;
    K_.first[i] = A_->trees[i].first;
    K_.diagonal[i] = values;
    values += at(size) * at(size);
  }
  K_.edges.clear();
  K_.graph.begin.assign(n + 1, 0);
  for (const auto& [i, j] : pairs_) {
    const std::size_t entries = at(A_->trees[at(i)].size) * at(A_->trees[at(j)].size);
    K_.edges.push_back({i, j, values, values + entries});
    values += 2 * entries;
    ++K_.graph.begin[at(i) + 1];
    ++K_.graph.begin[at(j) + 1];
  }
  K_.values.resize(values);
  for (std::size_t i = 0; i < n; ++i) K_.graph.begin[i + 1] += K_.graph.begin[i];
  K_.graph.neighbour.resize(2 * pairs_.size());
  next_.assign(K_.graph.begin.begin(), K_.graph.begin.end());
  for (const auto& [i, j] : pairs_) {
    K_.graph.neighbour[at(next_[at(i)]++)] = j;
    K_.graph.neighbour[at(next_[at(j)]++)] = i;
  }
}

void BodyMatrix::multiply(const VectorX& x, VectorX& y) {
  scaled_ = x.cwiseProduct(*scale_);
  y.resize(x.size());
  A_->multiply(scaled_.data(), y.data(), scratch_);
  y = y.cwiseProduct(*scale_);
}

bool BodyMatrix::factor(std::span<const DiagonalBlock> blocks) {
  diagonal_blocks_ = blocks = soften(blocks);
  find_Q();
  std::copy(mass_.begin(), mass_.end(), K_.values.begin());
  std::fill(K_.values.begin() + static_cast<std::ptrdiff_t>(mass_.size()), K_.values.end(), 0.0);
  for (std::size_t p = 0; p < pieces_.size(); ++p) add_piece(p, &Q_[9 * p]);
  return lu_.factor(K_);
}

// The blocks with (P + C diag(c))^-1 for P^-1 where rows are soft; P and C stay, as multiply() has
// the softness in A.
std::span<const DiagonalBlock> BodyMatrix::soften(std::span<const DiagonalBlock> blocks) {
  const auto is_soft = [](double c) { return c > 0; };
  if (std::none_of(A_->softness.begin(), A_->softness.end(), is_soft)) return blocks;
  softened_.assign(blocks.begin(), blocks.end());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const int first = pieces_[p].first, size = pieces_[p].size;
    const double* c = &A_->softness[at(first)];
    if (std::none_of(c, c + size, is_soft)) continue;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 3, 3> P =
        ConstBlock(blocks[p].P, size, size);
    const ConstBlock right(blocks[p].right, size, size);
    if (blocks[p].split) P = (P * right).eval();
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < size; ++k)
        P(i, k) += blocks[p].C[i * size + k] * c[k] * (*scale_)[first + k] * (*scale_)[first + k];
    const auto inverse = P.partialPivLu().inverse().eval();  // (full pivoting drops small pivots)
    Block out(softened_[p].inverse, size, size);
    // what right_inverse undoes comes first
    if (blocks[p].split)
      out = right * inverse;
    else
      out = inverse;
  }
  return softened_;
}

// K += J_p' Q J_p.
void BodyMatrix::add_piece(std::size_t piece, const double* Q) {
  const int size = pieces_[piece].size;
  if (std::all_of(Q, Q + size * size, [](double q) { return q == 0; })) return;
  const RowGroup& g = A_->groups[at(group_of_piece_[piece])];
  const int row = pieces_[piece].first - g.row;
  const auto rows_of = [&](int side) {
    const int n = A_->trees[at(g.tree[side])].size;
    return &J_[at(g.begin[side] + row * n)];
  };
  for (int b = 0; b < g.trees; ++b) {
    const int n = A_->trees[at(g.tree[b])].size;
    product_.assign(at(size * n), 0.0);  // Q J_b
    const double* J = rows_of(b);
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < size; ++k) {
        const double q = Q[i * size + k];
        if (q == 0) continue;
        for (int c = 0; c < n; ++c) product_[at(i * n + c)] += q * J[k * n + c];
      }
    const int pair = edge_begin_[at(group_of_piece_[piece])];
    for (int a = 0; a < g.trees; ++a) {
      const int m = A_->trees[at(g.tree[a])].size;
      std::size_t begin = K_.diagonal[at(g.tree[b])];
      if (a != b) {
        // pairs come in the order (0, 1), (0, 2), .. (1, 2), ..
        const int low = std::min(a, b), high = std::max(a, b);
        const int index = low * (2 * g.trees - low - 1) / 2 + high - low - 1;
        const SparseBlocks::Edge& e = K_.edges[at(edge_of_[at(pair + index)])];
        begin = e.i == g.tree[a] ? e.upper : e.lower;
      }
      add_product(rows_of(a), product_.data(), size, m, n, &K_.values[begin]);
    }
  }
}

void BodyMatrix::solve_once(const VectorX& t, VectorX& v) {
  // J' t, with the rows of J scaled
  scaled_ = t.cwiseProduct(*scale_);
  std::fill(u_.begin(), u_.end(), 0.0);
  A_->add_forces({scaled_.data(), static_cast<std::size_t>(scaled_.size())}, u_);
  lu_.solve(u_.data());
  v.resize(t.size());
  A_->velocities(u_, {v.data(), static_cast<std::size_t>(v.size())});
  v = v.cwiseProduct(*scale_);
}

}  // namespace abut
