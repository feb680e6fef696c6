#include "abut/constrain/rows/islands.h"

#include <numeric>

namespace abut {

int Islands::root(int tree) {
  auto t = static_cast<std::size_t>(tree);
  while (parent_[t] != static_cast<int>(t)) {
    parent_[t] = parent_[static_cast<std::size_t>(parent_[t])];
    t = static_cast<std::size_t>(parent_[t]);
  }
  return static_cast<int>(t);
}

void Islands::find(std::span<const RowGroup> groups, int trees) {
  parent_.resize(static_cast<std::size_t>(trees) + 1);  // the last: groups that see no tree
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const RowGroup& g : groups)
    for (int side = 1; side < g.trees; ++side) {
      const int a = root(g.tree[0]), b = root(g.tree[side]);
      if (a != b) parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }

  // number them by their first group, then put the groups in order by counting
  island_of_.assign(parent_.size(), -1);
  begin_.assign(1, 0);
  const auto island = [&](const RowGroup& g) -> int& {
    return island_of_[static_cast<std::size_t>(g.tree[0] < 0 ? trees : root(g.tree[0]))];
  };
  for (const RowGroup& g : groups) {
    int& i = island(g);
    if (i < 0) {
      i = static_cast<int>(begin_.size()) - 1;
      begin_.push_back(0);
    }
    ++begin_[static_cast<std::size_t>(i) + 1];
  }
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  groups_.resize(groups.size());
  for (std::size_t k = groups.size(); k-- > 0;) {
    // filled from the back, so that `begin` of the next ends where it belongs
    const auto i = static_cast<std::size_t>(island(groups[k]));
    groups_[static_cast<std::size_t>(--begin_[i + 1])] = static_cast<int>(k);
  }
  // the counts moved down by one place
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) begin_[i] = begin_[i + 1];
  begin_.back() = static_cast<int>(groups.size());
}

}  // namespace abut
