// Random matrices in factors, beside the same product of dense matrices.
#pragma once

#include "abut/solve/matrix.h"
#include "tests/support/random.h"

namespace abut::test {

// Bodies of 6 velocities and trees of 1 to 9 under random groups of rows.
struct FactoredSample {
  FactoredMatrix A;
  Eigen::MatrixXd J, Minv;

  explicit FactoredSample(unsigned seed) {
    Random random(seed);
    const int trees = random.integer(1, 6);
    int first = 0;
    for (int t = 0; t < trees; ++t) {
      const int size = random.chance(2) ? 6 : random.integer(1, 9);
      A.trees.push_back({first, size, t});
      first += size;
    }
    Minv = Eigen::MatrixXd::Zero(first, first);
    for (const TreeBlock& tree : A.trees) {
      Eigen::MatrixXd root(tree.size, tree.size);
      for (double& x : root.reshaped()) x = random.uniform(-1, 1);
      Minv.block(tree.first, tree.first, tree.size, tree.size) =
          root * root.transpose() + Eigen::MatrixXd::Identity(tree.size, tree.size);
    }
    for (int count = random.integer(1, 12); count > 0; --count) add_group(random);
    write_dense();
  }

  void add_group(Random& random) {
    RowGroup g;
    g.row = A.rows();
    g.size = random.chance(3) ? 1 : 3;
    for (int t = 0; t < static_cast<int>(A.trees.size()) && g.trees < RowGroup::kMostTrees; ++t)
      if (random.chance(2)) g.tree[g.trees++] = t;
    for (int side = 0; side < g.trees; ++side) {
      const int n = A.trees[g.tree[side]].size;
      g.begin[side] = static_cast<int>(A.J.size());
      for (int i = 0; i < g.size * n; ++i) A.J.push_back(random.uniform(-1, 1));
    }
    for (int k = 0; k < g.size; ++k)
      A.softness.push_back(random.chance(3) ? random.uniform(0, 2) : 0);
    A.groups.push_back(g);
  }

  void write_dense() {
    J = Eigen::MatrixXd::Zero(A.rows(), Minv.rows());
    A.MinvJT = A.J;
    for (const RowGroup& g : A.groups)
      for (int side = 0; side < g.trees; ++side) {
        const TreeBlock& tree = A.trees[g.tree[side]];
        for (int k = 0; k < g.size; ++k) {
          const int begin = g.begin[side] + k * tree.size;
          const Eigen::Map<const VectorX> row(&A.J[begin], tree.size);
          J.row(g.row + k).segment(tree.first, tree.size) = row;
          Eigen::Map<VectorX>(&A.MinvJT[begin], tree.size) =
              Minv.block(tree.first, tree.first, tree.size, tree.size) * row;
        }
      }
  }

  // As solvers on bodies ask for.
  void write_inverse_masses() {
    A.inverse_mass.clear();
    for (const TreeBlock& tree : A.trees)
      for (int r = 0; r < tree.size; ++r)
        for (int c = 0; c < tree.size; ++c)
          A.inverse_mass.push_back(Minv(tree.first + r, tree.first + c));
  }

  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd product = J * Minv * J.transpose();
    for (int i = 0; i < A.rows(); ++i) product(i, i) += A.softness[i];
    return product;
  }
  Matrix matrix() const {
    Matrix m;
    m.set_factored();
    m.factored() = A;
    return m;
  }
};

}  // namespace abut::test
