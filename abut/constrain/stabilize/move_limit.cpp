#include "abut/constrain/stabilize/move_limit.h"

#include <algorithm>
#include <cmath>

#include "abut/math/index.h"

namespace abut {

MoveLimit::MoveLimit(const Model& model, std::span<const double> sizes, double otherwise)
    : model_(model), size_of_tree_(model.trees.size()) {
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    const int link = model.bodies[at(model.geoms[g].body)].link;
    if (link < 0 || !std::isfinite(sizes[g])) continue;
    double& size = size_of_tree_[at(model.links[at(link)].tree)];
    size = std::max(size, sizes[g]);
  }
  for (double& size : size_of_tree_)
    if (size == 0) size = otherwise;
}

// How much of dp the tree can take, 1 at most.
double MoveLimit::part_of(double most, int index, std::span<const double> dp) const {
  const Tree& tree = model_.trees[at(index)];
  const double* x = &dp[at(tree.dof_begin)];
  double move = 0, turn = 0;
  if (tree.free_body) {
    move = std::hypot(x[0], x[1], x[2]);
    turn = std::hypot(x[3], x[4], x[5]);
  } else {
    for (int i = 0; i < tree.dof_count; ++i) {
      const int dof = tree.dof_begin + i;
      const Joint& joint = model_.joints[at(model_.dofs[at(dof)].joint)];
      const bool linear =
          joint.type == JointType::slide || (joint.type == JointType::free && dof < joint.dof + 3);
      double& largest = linear ? move : turn;
      largest = std::max(largest, std::abs(x[i]));
    }
  }
  const double size = size_of_tree_[at(index)];
  double part = 1;
  if (move > most * size) part = std::min(part, most * size / move);
  if (turn > most) part = std::min(part, most / turn);
  return part;
}

void MoveLimit::apply(double most, const Islands& islands, std::span<const RowGroup> groups,
                      std::span<double> dp) {
  const auto for_each_tree = [&](int island, auto&& f) {
    for (const int index : islands.groups(island))
      for (const int tree : groups[at(index)].tree)
        if (tree >= 0) f(tree);
  };
  part_.assign(model_.trees.size(), 1.0);
  for (int k = 0; k < islands.count(); ++k) {
    double part = 1;
    for_each_tree(k, [&](int tree) { part = std::min(part, part_of(most, tree, dp)); });
    for_each_tree(k, [&](int tree) { part_[at(tree)] = part; });
  }
  for (std::size_t t = 0; t < part_.size(); ++t)
    for (int i = 0; i < model_.trees[t].dof_count; ++i)
      dp[at(model_.trees[t].dof_begin + i)] *= part_[t];
}

}  // namespace abut
