// MoveLimit: shortens a change of positions where it would move or turn a tree too far: beyond, the
// constraints' linearisation means little (Cline and Pai, section VI-C).
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/islands.h"
#include "abut/model/model.h"

namespace abut {

class MoveLimit {
 public:
  // `sizes`: L of each geom (m); a tree without solids has the size `otherwise`.
  MoveLimit(const Model& model, std::span<const double> sizes, double otherwise);

  // `most`: part of a tree's size, and rad. The same part of dp for all trees of an island, so that
  // what is met stays met.
  void apply(double most, const Islands& islands, std::span<const RowGroup> groups,
             std::span<double> dp);

 private:
  double part_of(double most, int tree, std::span<const double> dp) const;

  const Model& model_;
  std::vector<double> size_of_tree_;  // m: of its largest solid
  std::vector<double> part_;          // of dp, one a tree
};

}  // namespace abut
