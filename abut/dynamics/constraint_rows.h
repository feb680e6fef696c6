// ConstraintRows: the Jacobian of constraints. A row is a linear function of the solver velocities
// u (solver_velocity.h). Rows come in groups (the three rows of a contact, the rows of a joint). A
// group depends on at most four trees: two bodies, or a coupling of two joints.
//
//   rows.begin(d);
//   int g = rows.add(1, body_a, body_b);
//   rows.add_point(g, 0, body_b, p, n, 1);    // velocity of B's point along n ..
//   rows.add_point(g, 0, body_a, p, n, -1);   // .. minus that of A's: the rate of the gap
//   rows.finish();                            // M^-1 J'
//   rows.delassus(A);                         // A = J M^-1 J', one block for each group
#pragma once

#include <span>
#include <vector>

#include "abut/math/block_rows.h"
#include "abut/model/derived.h"

namespace abut {

struct RowGroup {
  static constexpr int kMostTrees = 4;
  int row = 0, size = 0;
  int trees = 0;                            // number of trees; fixed and driven bodies have none
  int tree[kMostTrees] = {-1, -1, -1, -1};  // distinct; -1 after the last
  int begin[kMostTrees] = {0, 0, 0, 0};     // of its block of J: size x dofs of the tree, row major
};

class ConstraintRows {
 public:
  explicit ConstraintRows(const Model& model);

  // Removes all rows. d must stay valid for the calls that follow.
  void begin(const Derived& d);
  // Adds a group of `size` rows, all zero, that may depend on these bodies. Returns its index.
  int add(int size, int body_a, int body_b);
  int add(int size, std::span<const int> bodies);
  // Adds to row k of the group: sign times the velocity, along a direction, of the body's point
  // that is now at p. A body that cannot move adds nothing.
  void add_point(int group, int k, int body, const Vec3& p, const Vec3& direction, double sign);
  // The same for a direction of the body's twist at p: w.lin . velocity + w.ang . omega.
  void add_twist(int group, int k, int body, const Vec3& p, const Spatial& w);
  // Adds a dof of a tree that is not a free body.
  void add_dof(int group, int k, int dof, double coefficient);

  // Computes M^-1 J' of all rows; rows that consist of rounding alone are cleared. Requires
  // factor(model, d, extra) if there are trees that are not free bodies.
  void finish();

  int rows() const { return rows_; }
  std::span<const RowGroup> groups() const { return groups_; }

  // out = J u. One entry for each row.
  void velocities(std::span<const double> u, std::span<double> out) const;
  // u += M^-1 J' p.
  void add_impulses(std::span<const double> p, std::span<double> u) const;
  // f += J' p, as generalized forces of u.
  void add_forces(std::span<const double> p, std::span<double> f) const;

  // The Delassus matrix J M^-1 J' of some groups, given in ascending order: one block for each
  // group.
  void delassus(std::span<const int> of, BlockRows& A);
  void delassus(BlockRows& A);

 private:
  double* jacobian(const RowGroup& g, int side, int k) {
    return &J_[static_cast<std::size_t>(g.begin[side] + k * dofs_of(g.tree[side]))];
  }
  int dofs_of(int tree) const {
    return tree < 0 ? 0 : model_.trees[static_cast<std::size_t>(tree)].dof_count;
  }
  void clear_blind_rows(const RowGroup& g);
  int tree_of(int body) const;
  double* row_of(int group, int k, int body);

  const Model& model_;
  const Derived* d_ = nullptr;
  std::vector<RowGroup> groups_;
  std::vector<double> J_, MinvJT_;
  int rows_ = 0;
  std::vector<int> all_;  // scratch of delassus
  std::vector<std::vector<int>> of_tree_;
  std::vector<int> columns_;
};

}  // namespace abut
