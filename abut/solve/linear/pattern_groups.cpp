#include "abut/solve/linear/pattern_groups.h"

#include <algorithm>
#include <numeric>

namespace abut {

std::span<const int> PatternGroups::met_by(int node) const {
  return std::span(node_neighbours_)
      .subspan(node_begin_[node], node_begin_[node + 1] - node_begin_[node]);
}

void PatternGroups::find(const Matrix& A, std::span<const RowPiece> pieces) {
  const int n = A.size();
  node_of_row_.resize(n);
  node_begin_.assign(1, 0);
  node_neighbours_.clear();
  node_first_.clear();
  if (A.form() == Matrix::Form::dense)
    find_nodes(A.rows().data(), n, pieces);
  else
    find_nodes(A.blocks());
  number_patterns();
  collect(pieces);
}

void PatternGroups::find_nodes(const BlockRows& A) {
  for (int r = 0; r < A.size(); ++r) {
    node_first_.push_back(A.first[r]);
    for (int i = A.first[r]; i < A.first[r + 1]; ++i) node_of_row_[i] = r;
    for (int k = A.row_begin[r]; k < A.row_begin[r + 1]; ++k)
      node_neighbours_.push_back(A.column[k]);
    node_begin_.push_back(static_cast<int>(node_neighbours_.size()));
  }
}

void PatternGroups::find_nodes(const double* A, int n, std::span<const RowPiece> pieces) {
  const int count = static_cast<int>(pieces.size());
  for (int p = 0; p < count; ++p) {
    node_first_.push_back(pieces[p].first);
    for (int i = 0; i < pieces[p].size; ++i) node_of_row_[pieces[p].first + i] = p;
  }
  const auto is_zero = [&](int i, int j) { return A[static_cast<std::size_t>(i) * n + j] == 0; };
  for (int p = 0; p < count; ++p) {
    for (int q = 0; q < count; ++q) {
      bool meet = p == q;
      for (int i = 0; i < pieces[p].size && !meet; ++i)
        for (int j = 0; j < pieces[q].size && !meet; ++j) {
          const int row = pieces[p].first + i, column = pieces[q].first + j;
          meet = !is_zero(row, column) || !is_zero(column, row);
        }
      if (meet) node_neighbours_.push_back(q);
    }
    node_begin_.push_back(static_cast<int>(node_neighbours_.size()));
  }
}

// Nodes with the same neighbours have the same number.
void PatternGroups::number_patterns() {
  const int nodes = static_cast<int>(node_first_.size());
  node_order_.resize(nodes);
  std::iota(node_order_.begin(), node_order_.end(), 0);
  std::sort(node_order_.begin(), node_order_.end(), [&](int a, int b) {
    const auto x = met_by(a), y = met_by(b);
    const auto order =
        std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    return order != 0 ? order < 0 : a < b;
  });
  group_of_node_.assign(nodes, -1);
  int groups = 0;
  for (int k = 0; k < nodes; ++k) {
    const bool again =
        k > 0 && std::ranges::equal(met_by(node_order_[k]), met_by(node_order_[k - 1]));
    if (!again) ++groups;
    group_of_node_[node_order_[k]] = groups - 1;
  }
}

// Pieces by group; a cone that spans two block rows belongs to that of its normal.
void PatternGroups::collect(std::span<const RowPiece> pieces) {
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
      groups_.push_back({static_cast<int>(rows_.size()), 0, k, 0});
    }
    Group& g = groups_.back();
    ++g.pieces;
    g.rows += pieces[p].size;
    for (int i = 0; i < pieces[p].size; ++i) rows_.push_back(pieces[p].first + i);
  }
  // from here on, nodes' groups by index into groups_: rows tell
  for (int g = 0; g < count(); ++g)
    for (const int row : rows(g)) group_of_node_[node_of_row_[row]] = g;
}

void PatternGroups::join() {
  groups_.assign(1, {0, static_cast<int>(rows_.size()), 0, static_cast<int>(piece_order_.size())});
  std::fill(group_of_node_.begin(), group_of_node_.end(), 0);
}

void PatternGroups::find_neighbours() {
  begin_.assign(1, 0);
  neighbours_.clear();
  for (int g = 0; g < count(); ++g) {
    const auto begin = static_cast<std::ptrdiff_t>(neighbours_.size());
    int before = -1;
    for (const int row : rows(g)) {
      // nodes of one group have the same neighbours, unless a cone spans several
      const int node = node_of_row_[row];
      if (before >= 0 && (node == before || std::ranges::equal(met_by(node), met_by(before))))
        continue;
      before = node;
      for (const int other : met_by(node)) neighbours_.push_back(group_of_node_[other]);
    }
    std::sort(neighbours_.begin() + begin, neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin() + begin, neighbours_.end()),
                      neighbours_.end());
    begin_.push_back(static_cast<int>(neighbours_.size()));
  }
}

}  // namespace abut
