// ConstraintRows: what constraints see of the motion. A row is a linear function of the solvers'
// velocities u (solver_velocity.h); rows come in groups (the three of a contact, those of a
// joint), and a group sees four trees at most: two bodies, or what couples two joints.
//
//   rows.begin(d);
//   int g = rows.add(1, body_a, body_b);
//   rows.add_point(g, 0, body_b, p, n, 1);    // velocity of B's point along n ..
//   rows.add_point(g, 0, body_a, p, n, -1);   // .. less that of A's: the gap's rate
//   rows.finish();                            // M^-1 J'
//   rows.delassus(A);                         // A = J M^-1 J', one block a group
#pragma once

#include <span>
#include <vector>

#include "abut/math/block_rows.h"
#include "abut/model/derived.h"

namespace abut {

struct RowGroup {
  static constexpr int kMostTrees = 4;
  int row = 0, size = 0;
  int trees = 0;                            // how many it sees; what is fixed or driven is none
  int tree[kMostTrees] = {-1, -1, -1, -1};  // no two the same; -1 behind the last
  int begin[kMostTrees] = {0, 0, 0, 0};     // of its block of J: size x dofs of the tree, row major
};

class ConstraintRows {
 public:
  explicit ConstraintRows(const Model& model);

  // Forgets all rows. d must outlive what follows.
  void begin(const Derived& d);
  // A group of `size` rows, all zero, that may see these bodies. Returns its index.
  int add(int size, int body_a, int body_b);
  int add(int size, std::span<const int> bodies);
  // Row k of the group sees sign times the velocity of the body's point now at p along a
  // direction. A body that nothing can move adds nothing.
  void add_point(int group, int k, int body, const Vec3& p, const Vec3& direction, double sign);
  // The same for a direction of its twist, named at p: w.lin . velocity + w.ang . omega.
  void add_twist(int group, int k, int body, const Vec3& p, const Spatial& w);
  // Sees a dof of a tree that is no free body.
  void add_dof(int group, int k, int dof, double coefficient);

  // M^-1 J' of all rows; rows that see nothing but rounding are cleared. Wants factor(model, d,
  // extra), if there are trees that are no free bodies.
  void finish();

  int rows() const { return rows_; }
  std::span<const RowGroup> groups() const { return groups_; }

  // out = J u. One entry a row.
  void velocities(std::span<const double> u, std::span<double> out) const;
  // u += M^-1 J' p.
  void add_impulses(std::span<const double> p, std::span<double> u) const;
  // f += J' p, as generalized forces of u.
  void add_forces(std::span<const double> p, std::span<double> f) const;

  // J M^-1 J' of some groups, given by ascending index: one block a group.
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
