// Limits and dry friction of joints and tendons, as constraint rows.
//
//   limit      the gap g(q) >= 0 to an end of the range: q - lower, upper - q, and for a ball
//              joint range[1] minus the angle of its rotation. One row that only pushes.
//   friction   frictionloss: one row for each dof (or tendon), whose impulse stays within
//              +-h frictionloss and opposes the motion.
//   inertia    of tendons that represent joints (maximal coordinates), d.tendon_inertia:
//              armature, and the implicit part of damping. A row w' + p / inertia = w resists
//              every change of the rate w, as the diagonal of M does for a joint; w' includes
//              J u' and the change of J in the step, h dJ/dt u.
//
//   JointRows joints(model);
//   joints.add_limits({.part = 1e-4, .h = h}, state, d, u_free, rows);   // joints.gap()
//   joints.add_friction(d, rows);                                         // joints.bound()
//   joints.add_inertia(h, d, rows);                                         // joints.softness()
//
// A limit is at its range; MJCF's margin and solver parameters describe soft limits and are not
// used.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/model/state.h"

namespace abut {

class JointRows {
 public:
  explicit JointRows(const Model& model);

  // Whether any state has rows to add.
  bool any() const { return !limits_.empty() || !frictions_.empty() || !inertias_.empty(); }

  // Which limits are included: limits nearer than `part` of their size, which is 1 rad or the
  // length of the link (and never more than the range); and, with h > 0, limits that the velocities
  // before the step and the unconstrained velocities together reach in h (s). If impulses of the
  // same step drive a joint through a limit that is farther away, the stabiliser corrects it.
  struct Reach {
    double part = 0;
    double h = 0;
  };
  void add_limits(const Reach& reach, const State& state, const Derived& d,
                  std::span<const double> u_free, ConstraintRows& rows);
  // One entry for each row added, in order: m, rad or the tendon's unit; < 0: passed.
  std::span<const double> gap() const { return gap_; }

  void add_friction(const Derived& d, ConstraintRows& rows);
  // One entry for each row: N, N m.
  std::span<const double> bound() const { return bound_; }

  // One entry for each group of all three kinds, in order of addition: its identity, the same in
  // every step. Ascending.
  std::span<const int> ids() const { return ids_; }

  void add_inertia(double h, const Derived& d, ConstraintRows& rows);
  // One entry for each row: 1 / inertia, 1/kg or 1/(kg m^2); and w - h dJ/dt u.
  std::span<const double> softness() const { return softness_; }
  std::span<const double> rate_kept() const { return rate_kept_; }

 private:
  struct Place {  // a joint or a tendon
    int joint = -1, tendon = -1;
    std::vector<int> bodies;  // one for each tree that it moves
    double size = 1;
  };
  Place of_joint(int joint) const;
  Place of_tendon(int tendon) const;
  const Range& range_of(const Place& place) const;
  double value_of(const Place& place, const State& state, const Derived& d);
  void add_limit(const Place& place, double gap, double sign, const Derived& d,
                 ConstraintRows& rows);

  struct Term {
    int dof = 0;
    double coefficient = 0;
    int measure = -1;  // >= 0: this measure instead of the dof
  };
  double rate_of(const Term& term, const Derived& d, std::span<const double> u) const;
  void add_terms(int group, int k, double sign, const Derived& d, ConstraintRows& rows) const;
  void set_terms(const Tendon& tendon);
  const Model& model_;
  std::vector<Place> limits_, frictions_, inertias_;
  std::vector<Term> terms_;  // d(value)/dt = sum of coefficient times v[dof]
  std::vector<double> gap_, bound_, softness_, rate_kept_;
  std::vector<int> ids_;
};

// Why the limit or the friction of a tendon is not simulated; empty if all are.
std::string why_joints_not_simulated(const Model& model);

}  // namespace abut
