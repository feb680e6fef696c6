// Islands: sets of row groups that are connected through shared trees. Fixed bodies do not connect
// groups. Each island is a separate problem.
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"

namespace abut {

class Islands {
 public:
  // Islands are in the order of their first group; the groups of each are ascending.
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
