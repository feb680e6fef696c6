// Delassus: A = J M^-1 J' + diag(softness) of a FactoredMatrix in blocks, one block row a group of
// rows; blocks between groups are symmetric to the last bit. (The matrix is named after Etienne
// Delassus.)
//
//   abut::Delassus delassus;
//   delassus.form(factored, A);
#pragma once

#include <vector>

#include "abut/math/block_rows.h"
#include "abut/solve/factored/factored_matrix.h"

namespace abut {

class Delassus {
 public:
  void form(const FactoredMatrix& m, BlockRows& A);

 private:
  void find_groups_of_trees(const FactoredMatrix& m);
  void find_columns(const RowGroup& g, int i);

  // The groups that see tree t: of_tree_[begin_[t]] to of_tree_[begin_[t + 1] - 1].
  std::vector<int> begin_, of_tree_;
  std::vector<int> columns_;   // block columns of the row at hand
  std::vector<int> mirrored_;  // one a block row: its next block right of the diagonal
};

}  // namespace abut
