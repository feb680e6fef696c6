// HeldRows: rows of one tree whose w is 0, eliminated: loops of a robot's joints, joints that stick.
// They see no other tree, so that what they leave is a FactoredMatrix of the same trees, one of which
// is harder to move:
//
//   E = J_E M^-1 J_E' + softness      z_E = -E^-1 (b_E + J_E u)
//   M_held^-1 = M^-1 - M^-1 J_E' E^-1 J_E M^-1
//
// Rows that depend on others (redundant loops) have no impulse: callers check their w.
//
//   HeldRows rows;
//   rows.begin(A, tree);
//   rows.add(group, k);                // candidates, ascending
//   rows.hold(held);                   // one flag a candidate
//   rows.solve(b, u, z);
//   rows.stiffen(MinvJT);              // of a row of another group: M^-1 J' becomes M_held^-1 J'
#pragma once

#include <span>
#include <vector>

#include "abut/solve/factored/factored_matrix.h"
#include "abut/solve/linear/active_factor.h"

namespace abut {

class HeldRows {
 public:
  // No candidates yet. `A` must live until the last use.
  void begin(const FactoredMatrix& A, int tree);
  void add(int group, int k);

  int tree() const { return tree_; }
  std::span<const int> candidates() const { return rows_; }  // rows of A

  double diagonal(int candidate) const;  // of A

  // `held` has one flag a row of A.
  void hold(std::span<const char> held);
  bool any() const { return factor_.size() > 0; }

  // z of the candidates that are held, from b of all rows and the velocities u of all trees without
  // them; 0 of those that depend on others.
  void solve(const VectorX& b, std::span<const double> u, VectorX& z);
  // One row of a block of M^-1 J' on this tree.
  void stiffen(double* MinvJT);

 private:
  void form();
  const double* J(int candidate) const {
    return &A_->J[static_cast<std::size_t>(at_[static_cast<std::size_t>(candidate)])];
  }
  const double* MinvJT(int candidate) const {
    return &A_->MinvJT[static_cast<std::size_t>(at_[static_cast<std::size_t>(candidate)])];
  }
  double dot(int candidate, const double* x) const;  // J x
  void find_impulses();

  const FactoredMatrix* A_ = nullptr;
  int tree_ = -1;
  // of each candidate: its row, where it begins in J, RowGroup::only
  std::vector<int> rows_, at_, only_;
  DenseRows E_;  // of all candidates
  bool formed_ = false;
  ActiveFactor factor_;
  std::vector<int> held_, dependent_;  // candidates
  std::vector<double> right_, x_, left_;
};

}  // namespace abut
