// Islands: groups of rows that share a tree, directly or through others, belong together; what
// fixed things touch does not join them. Each island is a problem of its own.
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"

namespace abut {

class Islands {
 public:
  // Ascending by their first group; the groups of each ascend.
  void find(std::span<const RowGroup> groups, int trees);

  int count() const { return static_cast<int>(begin_.size()) - 1; }
  std::span<const int> groups(int island) const {
    return {groups_.data() + begin_[static_cast<std::size_t>(island)],
            groups_.data() + begin_[static_cast<std::size_t>(island) + 1]};
  }

 private:
  int root(int tree);
  std::vector<int> parent_, island_of_, begin_, groups_;
};

}  // namespace abut
