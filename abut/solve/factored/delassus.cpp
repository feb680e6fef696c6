#include "abut/solve/factored/delassus.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

namespace {

// block += J_i M^-1 J_j', of the trees that both see.
void add_products(const FactoredMatrix& m, const RowGroup& gi, const RowGroup& gj, double* block) {
  for (int a = 0; a < gi.trees; ++a)
    for (int b = 0; b < gj.trees; ++b) {
      if (gi.tree[a] != gj.tree[b]) continue;
      const int n = m.trees[at(gi.tree[a])].size;
      for (int r = 0; r < gi.size; ++r)
        for (int c = 0; c < gj.size; ++c)
          block[r * gj.size + c] +=
              row_dot(gi, &m.J[at(gi.begin[a] + r * n)], &m.MinvJT[at(gj.begin[b] + c * n)], n);
    }
}

void add_softness(const FactoredMatrix& m, const RowGroup& g, double* block) {
  if (m.softness.empty()) return;
  for (int k = 0; k < g.size; ++k)
    if (m.softness[at(g.row + k)] > 0) block[k * g.size + k] += m.softness[at(g.row + k)];
}

}  // namespace

void Delassus::form(const FactoredMatrix& m, BlockRows& A) {
  A.clear();
  find_groups_of_trees(m);
  const int n = static_cast<int>(m.groups.size());
  mirrored_.resize(m.groups.size());
  for (int i = 0; i < n; ++i) {
    const RowGroup& gi = m.groups[at(i)];
    find_columns(gi, i);
    A.add_row(gi.size);
    for (const int j : columns_) {
      const RowGroup& gj = m.groups[at(j)];
      const int added = A.add_block(j, gj.size);
      double* block = A.block(added);
      if (j < i) {
        // symmetric to the last bit: rows before this one have come to this column
        const double* mirrored = A.block(mirrored_[at(j)]++);
        for (int r = 0; r < gi.size; ++r)
          for (int c = 0; c < gj.size; ++c) block[r * gj.size + c] = mirrored[c * gi.size + r];
        continue;
      }
      add_products(m, gi, gj, block);
      if (j > i) continue;
      mirrored_[at(i)] = added + 1;
      add_softness(m, gi, block);
    }
  }
}

void Delassus::find_groups_of_trees(const FactoredMatrix& m) {
  begin_.assign(m.trees.size() + 1, 0);
  const auto for_each_side = [&](auto&& f) {
    for (int i = 0; i < static_cast<int>(m.groups.size()); ++i) {
      const RowGroup& g = m.groups[at(i)];
      for (int side = 0; side < g.trees; ++side) f(i, g.tree[side]);
    }
  };
  // counted, then filled; begin_ is shifted by one tree until all are filled
  for_each_side([&](int, int tree) { ++begin_[at(tree)]; });
  int sum = 0;
  for (int& b : begin_) {
    const int count = b;
    b = sum;
    sum += count;
  }
  of_tree_.resize(at(sum));
  for_each_side([&](int i, int tree) { of_tree_[at(begin_[at(tree)]++)] = i; });
  std::copy_backward(begin_.begin(), begin_.end() - 1, begin_.end());
  begin_.front() = 0;
}

void Delassus::find_columns(const RowGroup& g, int i) {
  columns_.assign(1, i);
  for (int side = 0; side < g.trees; ++side) {
    const auto first = of_tree_.begin() + begin_[at(g.tree[side])];
    columns_.insert(columns_.end(), first, of_tree_.begin() + begin_[at(g.tree[side]) + 1]);
  }
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

}  // namespace abut
