#include "abut/solve/linear/reduced_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kMostRounds = 5;  // of refinement
constexpr double kNever = 1e300;

void multiply_block(const double* M, int size, const double* x, double* out) {
  for (int i = 0; i < size; ++i) {
    double sum = 0;
    for (int j = 0; j < size; ++j) sum += M[i * size + j] * x[j];
    out[i] = sum;
  }
}

}  // namespace

double ReducedMatrix::entry(int i, int j) const {
  const double d = scale_[i] * scale_[j];
  if (dense_) return d * dense_[static_cast<std::size_t>(i) * size() + j];
  const int r = node_of_row_[i], c = node_of_row_[j];
  const int k = blocks_->find(r, c);
  if (k < 0) return 0;
  return d * blocks_->block(k)[(i - blocks_->first[r]) * blocks_->width(c) + j - blocks_->first[c]];
}

std::span<const int> ReducedMatrix::neighbours(int node) const {
  return std::span(node_neighbours_)
      .subspan(node_begin_[node], node_begin_[node + 1] - node_begin_[node]);
}

// Nodes are the units whose patterns are compared: block rows, or the pieces of a dense matrix.
void ReducedMatrix::find_pattern(const Matrix& A, std::span<const RowPiece> pieces) {
  const int n = A.size();
  node_of_row_.resize(n);
  node_begin_.assign(1, 0);
  node_neighbours_.clear();
  node_first_.clear();
  if (blocks_) {
    for (int r = 0; r < blocks_->size(); ++r) {
      node_first_.push_back(blocks_->first[r]);
      for (int i = blocks_->first[r]; i < blocks_->first[r + 1]; ++i) node_of_row_[i] = r;
      for (int k = blocks_->row_begin[r]; k < blocks_->row_begin[r + 1]; ++k)
        node_neighbours_.push_back(blocks_->column[k]);
      node_begin_.push_back(static_cast<int>(node_neighbours_.size()));
    }
    return;
  }
  const int count = static_cast<int>(pieces.size());
  for (int p = 0; p < count; ++p) {
    node_first_.push_back(pieces[p].first);
    for (int i = 0; i < pieces[p].size; ++i) node_of_row_[pieces[p].first + i] = p;
  }
  for (int p = 0; p < count; ++p) {
    for (int q = 0; q < count; ++q) {
      bool meet = p == q;
      for (int i = 0; i < pieces[p].size && !meet; ++i)
        for (int j = 0; j < pieces[q].size && !meet; ++j)
          meet =
              dense_[static_cast<std::size_t>(pieces[p].first + i) * n + pieces[q].first + j] !=
                  0 ||
              dense_[static_cast<std::size_t>(pieces[q].first + j) * n + pieces[p].first + i] != 0;
      if (meet) node_neighbours_.push_back(q);
    }
    node_begin_.push_back(static_cast<int>(node_neighbours_.size()));
  }
}

// Nodes with the same neighbours form a group; groups are in the order of their first rows.
void ReducedMatrix::find_groups(std::span<const RowPiece> pieces, const Matrix& A) {
  find_pattern(A, pieces);
  const int nodes = static_cast<int>(node_first_.size());
  node_order_.resize(nodes);
  std::iota(node_order_.begin(), node_order_.end(), 0);
  std::sort(node_order_.begin(), node_order_.end(), [&](int a, int b) {
    const auto x = neighbours(a), y = neighbours(b);
    const auto order =
        std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    return order != 0 ? order < 0 : a < b;
  });
  group_of_node_.assign(nodes, -1);
  int groups = 0;
  for (int k = 0; k < nodes; ++k) {
    const auto own = neighbours(node_order_[k]);
    const bool again = k > 0 && std::ranges::equal(own, neighbours(node_order_[k - 1]));
    if (!again) ++groups;
    group_of_node_[node_order_[k]] = groups - 1;
  }
  // pieces by group; a cone that spans two block rows belongs to the group of its normal
  const auto group_of = [&](int piece) {
    return group_of_node_[node_of_row_[pieces[piece].first]];
  };
  piece_order_.resize(pieces.size());
  std::iota(piece_order_.begin(), piece_order_.end(), 0);
  std::sort(piece_order_.begin(), piece_order_.end(), [&](int a, int b) {
    const int x = group_of(a), y = group_of(b);
    return x != y ? x < y : a < b;
  });
  groups_.clear();
  rows_.clear();
  int last = -1;
  for (int k = 0; k < static_cast<int>(piece_order_.size()); ++k) {
    const int p = piece_order_[k];
    if (group_of(p) != last) {
      last = group_of(p);
      groups_.push_back({static_cast<int>(rows_.size()), 0, k, 0, 0, 0, 0, 0});
    }
    Group& g = groups_.back();
    ++g.pieces;
    g.rows += pieces[p].size;
    for (int i = 0; i < pieces[p].size; ++i) rows_.push_back(pieces[p].first + i);
  }
  // from here on, group_of_node_ is an index into groups_
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g)
    for (int i = 0; i < groups_[g].rows; ++i)
      group_of_node_[node_of_row_[rows_[groups_[g].row_begin + i]]] = g;
}

// Computes L of the group, column by column; `whole`: L = 1.
void ReducedMatrix::factor_group(Group& g, bool whole) {
  const int m = g.rows;
  g.factor_begin = factors_.size();
  g.pivot_begin = static_cast<int>(pivots_.size());
  const int* rows = rows_.data() + g.row_begin;
  if (whole) {
    g.rank = m;
    factors_.resize(factors_.size() + static_cast<std::size_t>(m) * m, 0.0);
    for (int i = 0; i < m; ++i) {
      factors_[g.factor_begin + static_cast<std::size_t>(i) * m + i] = 1;
      pivots_.push_back(i);
    }
    return;
  }
  // columns are stored one after the other first: the rank is not known yet
  product_.clear();
  diagonal_.resize(m);
  for (int i = 0; i < m; ++i) diagonal_[i] = entry(rows[i], rows[i]);
  const double most = *std::max_element(diagonal_.begin(), diagonal_.end());
  g.rank = 0;
  for (; g.rank < m; ++g.rank) {
    const int pivot =
        static_cast<int>(std::max_element(diagonal_.begin(), diagonal_.end()) - diagonal_.begin());
    if (!(diagonal_[pivot] > kGroupRank * most)) break;
    const double root = std::sqrt(diagonal_[pivot]);
    product_.resize(static_cast<std::size_t>(g.rank + 1) * m);
    double* column = product_.data() + static_cast<std::size_t>(g.rank) * m;
    for (int i = 0; i < m; ++i) column[i] = entry(rows[i], rows[pivot]);
    for (int k = 0; k < g.rank; ++k) {
      const double* before = product_.data() + static_cast<std::size_t>(k) * m;
      const double factor = before[pivot];
      for (int i = 0; i < m; ++i) column[i] -= factor * before[i];
    }
    for (int i = 0; i < m; ++i) {
      column[i] /= root;
      diagonal_[i] -= column[i] * column[i];
    }
    for (int k = 0; k < g.rank; ++k) column[pivots_[g.pivot_begin + k]] = 0;  // exactly
    diagonal_[pivot] = -1;                                                    // done
    pivots_.push_back(pivot);
  }
  factors_.resize(factors_.size() + static_cast<std::size_t>(m) * g.rank);
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < g.rank; ++k)
      factors_[g.factor_begin + static_cast<std::size_t>(i) * g.rank + k] =
          product_[static_cast<std::size_t>(k) * m + i];
}

// Computes B_gh from the pivots' rows and columns of A, which are L_g B_gh L_h' with L triangular
// there.
void ReducedMatrix::find_between() {
  const int count = static_cast<int>(groups_.size());
  group_begin_.assign(1, 0);
  group_neighbours_.clear();
  between_at_.clear();
  std::size_t at = 0;
  for (int g = 0; g < count; ++g) {
    const std::size_t begin = group_neighbours_.size();
    int before = -1;
    for (int i = 0; i < groups_[g].rows; ++i) {
      // nodes of one group have the same neighbours, unless a cone spans several
      const int node = node_of_row_[rows_[groups_[g].row_begin + i]];
      if (before >= 0 &&
          (node == before || std::ranges::equal(neighbours(node), neighbours(before))))
        continue;
      before = node;
      for (int k = node_begin_[node]; k < node_begin_[node + 1]; ++k)
        group_neighbours_.push_back(group_of_node_[node_neighbours_[k]]);
    }
    const auto first = group_neighbours_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, group_neighbours_.end());
    group_neighbours_.erase(std::unique(first, group_neighbours_.end()), group_neighbours_.end());
    group_begin_.push_back(static_cast<int>(group_neighbours_.size()));
    for (std::size_t k = begin; k < group_neighbours_.size(); ++k) {
      between_at_.push_back(at);
      at += static_cast<std::size_t>(groups_[g].rank) * groups_[group_neighbours_[k]].rank;
    }
  }
  between_.resize(at);
  for (int g = 0; g < count; ++g) {
    const Group& a = groups_[g];
    const double* La = factors_.data() + a.factor_begin;
    for (int k = group_begin_[g]; k < group_begin_[g + 1]; ++k) {
      const Group& b = groups_[group_neighbours_[k]];
      const double* Lb = factors_.data() + b.factor_begin;
      double* B = between_.data() + between_at_[k];
      for (int i = 0; i < a.rank; ++i)
        for (int j = 0; j < b.rank; ++j)
          B[i * b.rank + j] = entry(rows_[a.row_begin + pivots_[a.pivot_begin + i]],
                                    rows_[b.row_begin + pivots_[b.pivot_begin + j]]);
      // L_g^-1 from the left, L_h^-T from the right
      for (int i = 0; i < a.rank; ++i) {
        const double* row = La + static_cast<std::size_t>(pivots_[a.pivot_begin + i]) * a.rank;
        for (int e = 0; e < i; ++e)
          for (int j = 0; j < b.rank; ++j) B[i * b.rank + j] -= row[e] * B[e * b.rank + j];
        for (int j = 0; j < b.rank; ++j) B[i * b.rank + j] /= row[i];
      }
      for (int j = 0; j < b.rank; ++j) {
        const double* row = Lb + static_cast<std::size_t>(pivots_[b.pivot_begin + j]) * b.rank;
        for (int i = 0; i < a.rank; ++i) {
          double sum = B[i * b.rank + j];
          for (int e = 0; e < j; ++e) sum -= row[e] * B[i * b.rank + e];
          B[i * b.rank + j] = sum / row[j];
        }
      }
    }
  }
}

void ReducedMatrix::build(bool whole) {
  factors_.clear();
  pivots_.clear();
  reduced_ = 0;
  ranks_.clear();
  for (Group& g : groups_) {
    factor_group(g, whole);
    g.reduced_begin = reduced_;
    reduced_ += g.rank;
    ranks_.push_back(g.rank);
  }
  find_between();
  y_.resize(reduced_);
  v_.resize(reduced_);
}

bool ReducedMatrix::fits(const Matrix& A) {
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

void ReducedMatrix::set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale) {
  dense_ = A.form() == Matrix::Form::dense ? A.rows().data() : nullptr;
  blocks_ = dense_ ? nullptr : &A.blocks();
  scale_ = scale;
  pieces_.assign(pieces.begin(), pieces.end());
  find_groups(pieces, A);
  build(false);
  if (fits(A)) {
    lu_.set_pattern(ranks_, group_begin_, group_neighbours_);
    return;
  }
  build(true);
  if (!may_stay_sparse()) {
    // one group: zeros on the diagonal (joints beside velocities) need unrestricted pivoting
    Group all = groups_.front();
    all.rows = size();
    all.pieces = static_cast<int>(pieces_.size());
    groups_.assign(1, all);
    std::fill(group_of_node_.begin(), group_of_node_.end(), 0);
    build(true);
  }
  lu_.set_pattern(ranks_, group_begin_, group_neighbours_);
}

// Whether an A that is not symmetric, or not semidefinite, can be factored group by group: its
// pattern is symmetric and its diagonal positive. This holds for contacts whose A was computed
// inexactly (FCLIB's collections have some that are symmetric to 3 digits).
bool ReducedMatrix::may_stay_sparse() const {
  for (int i = 0; i < size(); ++i)
    if (!(entry(i, i) > 0)) return false;
  const auto meets = [&](int g, int h) {
    return std::binary_search(group_neighbours_.begin() + group_begin_[g],
                              group_neighbours_.begin() + group_begin_[g + 1], h);
  };
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g)
    for (int k = group_begin_[g]; k < group_begin_[g + 1]; ++k)
      if (!meets(group_neighbours_[k], g)) return false;
  return true;
}

void ReducedMatrix::reduce(const double* x, double* y) const {
  for (const Group& g : groups_) {
    const double* L = factors_.data() + g.factor_begin;
    double* out = y + g.reduced_begin;
    std::fill_n(out, g.rank, 0.0);
    for (int i = 0; i < g.rows; ++i, L += g.rank) {
      const double xi = x[rows_[g.row_begin + i]];
      for (int k = 0; k < g.rank; ++k) out[k] += L[k] * xi;
    }
  }
}

void ReducedMatrix::between(const double* y, double* v) const {
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    double* out = v + groups_[g].reduced_begin;
    std::fill_n(out, groups_[g].rank, 0.0);
    for (int k = group_begin_[g]; k < group_begin_[g + 1]; ++k) {
      const Group& h = groups_[group_neighbours_[k]];
      const double* B = between_.data() + between_at_[k];
      for (int i = 0; i < groups_[g].rank; ++i, B += h.rank) {
        double sum = 0;
        for (int j = 0; j < h.rank; ++j) sum += B[j] * y[h.reduced_begin + j];
        out[i] += sum;
      }
    }
  }
}

void ReducedMatrix::multiply(const VectorX& x, VectorX& out) const {
  reduce(x.data(), y_.data());
  between(y_.data(), v_.data());
  out.resize(size());
  for (const Group& g : groups_) {
    const double* L = factors_.data() + g.factor_begin;
    for (int i = 0; i < g.rows; ++i, L += g.rank) {
      double sum = 0;
      for (int k = 0; k < g.rank; ++k) sum += L[k] * v_[g.reduced_begin + k];
      out[rows_[g.row_begin + i]] = sum;
    }
  }
}

bool ReducedMatrix::factor(std::span<const DiagonalBlock> blocks) {
  diagonal_blocks_ = blocks;
  Q_.resize(9 * pieces_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const int size = pieces_[p].size;
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        double sum = 0;
        for (int k = 0; k < size; ++k)
          sum += blocks[p].inverse[i * size + k] * blocks[p].C[k * size + j];
        Q_[9 * p + i * size + j] = sum;
      }
  }
  lu_.clear();
  for (int index = 0; index < static_cast<int>(groups_.size()); ++index) {
    const Group& g = groups_[index];
    const int r = g.rank;
    // G = sum of L_i' Q_i L_i over the group's pieces
    G_.assign(static_cast<std::size_t>(r) * r, 0.0);
    product_.resize(static_cast<std::size_t>(3) * r);
    const double* L = factors_.data() + g.factor_begin;
    for (int k = 0; k < g.pieces; ++k) {
      const int p = piece_order_[g.piece_begin + k], size = pieces_[p].size;
      const double* q = Q_.data() + 9 * static_cast<std::size_t>(p);
      for (int i = 0; i < size; ++i)
        for (int c = 0; c < r; ++c) {
          double sum = 0;
          for (int j = 0; j < size; ++j) sum += q[i * size + j] * L[j * r + c];
          product_[static_cast<std::size_t>(i) * r + c] = sum;
        }
      for (int i = 0; i < size; ++i)
        for (int a = 0; a < r; ++a) {
          const double factor = L[i * r + a];
          if (factor == 0) continue;
          for (int c = 0; c < r; ++c)
            G_[static_cast<std::size_t>(a) * r + c] +=
                factor * product_[static_cast<std::size_t>(i) * r + c];
        }
      L += size * r;
    }
    for (int k = group_begin_[index]; k < group_begin_[index + 1]; ++k) {
      const int h = group_neighbours_[k], c = groups_[h].rank;
      double* K = lu_.block(index, h);
      using Map = Eigen::Map<DenseRows>;
      using ConstMap = Eigen::Map<const DenseRows>;
      Map out(K, r, c);
      out.noalias() = ConstMap(G_.data(), r, r) * ConstMap(between_.data() + between_at_[k], r, c);
      if (h == index) out.diagonal().array() += 1;
    }
  }
  return lu_.factor();
}

void ReducedMatrix::solve(const VectorX& r, VectorX& x) {
  const int n = size();
  left_ = r;
  x.setZero(n);
  t_.resize(n);
  double before = kNever;
  for (int round = 0; round < kMostRounds; ++round) {
    for (std::size_t p = 0; p < pieces_.size(); ++p)
      multiply_block(diagonal_blocks_[p].inverse, pieces_[p].size, left_.data() + pieces_[p].first,
                     t_.data() + pieces_[p].first);
    solve_once(t_, correction_);
    x += correction_;
    // r - P x - C A x
    multiply(x, Ax_);
    double now = 0;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const int first = pieces_[p].first, size = pieces_[p].size;
      double Px[3], CAx[3];
      multiply_block(diagonal_blocks_[p].P, size, x.data() + first, Px);
      multiply_block(diagonal_blocks_[p].C, size, Ax_.data() + first, CAx);
      for (int i = 0; i < size; ++i) {
        left_[first + i] = r[first + i] - Px[i] - CAx[i];
        now = std::max(now, std::abs(left_[first + i]));
      }
    }
    if (round > 0 && !(now < 0.5 * before)) {
      if (!(now <= before)) x -= correction_;
      break;
    }
    before = now;
    if (now <= kRefined * r.cwiseAbs().maxCoeff()) break;
  }
}

void ReducedMatrix::solve_once(const VectorX& t, VectorX& x) const {
  reduce(t.data(), y_.data());
  lu_.solve(y_.data());
  between(y_.data(), v_.data());
  x.resize(size());
  for (const Group& g : groups_) {
    const double* L = factors_.data() + g.factor_begin;
    for (int k = 0; k < g.pieces; ++k) {
      const int p = piece_order_[g.piece_begin + k], size = pieces_[p].size,
                first = pieces_[p].first;
      const double* q = Q_.data() + 9 * static_cast<std::size_t>(p);
      double u[3] = {};
      for (int i = 0; i < size; ++i, L += g.rank)
        for (int c = 0; c < g.rank; ++c) u[i] += L[c] * v_[g.reduced_begin + c];
      for (int i = 0; i < size; ++i) {
        double sum = 0;
        for (int j = 0; j < size; ++j) sum += q[i * size + j] * u[j];
        x[first + i] = t[first + i] - sum;
      }
    }
  }
}

}  // namespace abut
