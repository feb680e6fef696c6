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

#include "abut/dynamics/mass_inverse.h"
#include "abut/model/derived.h"
#include "abut/solve/factored/delassus.h"

namespace abut {

class ConstraintRows {
 public:
  explicit ConstraintRows(const Model& model);
  // How finish() finds M^-1 J' of trees with joints, from its next call on (D-15).
  void invert_by(InverseBy by) { by_ = by; }

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

  int rows() const { return matrix_.rows(); }
  std::span<const RowGroup> groups() const { return matrix_.groups; }

  // out = J u. One entry a row.
  void velocities(std::span<const double> u, std::span<double> out) const {
    matrix_.velocities(u, out);
  }
  // u += M^-1 J' p.
  void add_impulses(std::span<const double> p, std::span<double> u) const {
    matrix_.add_impulses(p, u);
  }
  // f += J' p, as generalized forces of u.
  void add_forces(std::span<const double> p, std::span<double> f) const {
    matrix_.add_forces(p, f);
  }

  // J M^-1 J' of row k of a group.
  double diagonal(int group, int k) const { return matrix_.diagonal(group, k); }

  // J and M^-1 J' of some groups, given by ascending index, for a problem of their own; M^-1 of
  // its trees for solvers that ask for it (SolverInfo::inverse_masses).
  void take(std::span<const int> groups, FactoredMatrix& out) { take(groups, place_, out); }
  // For several threads: `place` is scratch, each caller's own.
  void take(std::span<const int> groups, std::vector<int>& place, FactoredMatrix& out) const {
    take_groups(matrix_, groups, place, out);
  }
  void add_inverse_masses(FactoredMatrix& taken) const;
  // J M^-1 J' of some groups, given by ascending index: one block a group.
  void delassus(std::span<const int> of, BlockRows& A);
  void delassus(BlockRows& A);

 private:
  // Rows of M^-1 J' that are J' yet, of a tree with joints.
  struct Waiting {
    double* row[4];
    int count = 0;
  };

  void over_mass(const Tree& tree, double* x) const;
  void divide_by_factors();
  void divide_one_by_one();
  void wait_for_four(int tree, double* row);
  void clear_blind_rows(int group);
  int tree_of(int body) const;
  double* row_of(int group, int k, int body);

  const Model& model_;
  const Derived* d_ = nullptr;
  FactoredMatrix matrix_;  // of all trees
  Delassus delassus_;
  FactoredMatrix taken_;          // scratch of delassus()
  std::vector<int> place_, all_;  // scratch
  std::vector<Waiting> waiting_;  // one a tree
  std::vector<double> four_;
  InverseBy by_ = InverseBy::factors;
  std::vector<MassInverse> inverses_;  // one a tree, unless by factors
  std::vector<char> inverted_;         // one a tree: its inverse is that of this moment
};

}  // namespace abut
