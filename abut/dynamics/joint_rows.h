// Limits and dry friction of joints and tendons, as constraint rows.
//
//   limit      the gap g(q) >= 0 to an end of the range: q - lower, upper - q, and for a ball
//              joint range[1] less the angle of its rotation. One row that only pushes.
//   friction   frictionloss: one row a dof (or tendon), whose impulse stays within
//              +-h frictionloss and works against the motion.
//
//   JointRows joints(model);
//   joints.add_limits({.part = 1e-4, .h = h}, state, d, u_free, rows);   // joints.gap()
//   joints.add_friction(rows);                                           // joints.bound()
//
// A limit stands at its range; MJCF's margin and solver parameters describe soft limits and have
// no part in it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/dynamics/constraint_rows.h"
#include "abut/model/state.h"

namespace abut {

class JointRows {
 public:
  explicit JointRows(const Model& model);

  // Some limit or friction is in force: there is something to add in some state.
  bool any() const { return !limits_.empty() || !frictions_.empty(); }

  // Which limits take part. Those nearer than `part` of their size: 1 rad, or the length of the
  // link (and never more than the range is wide); and, with h > 0, those that the velocities
  // before the step and those that nothing constrains reach together in h (s). What impulses of
  // the same step drive through a limit further away is left to the stabiliser.
  struct Reach {
    double part = 0;
    double h = 0;
  };
  void add_limits(const Reach& reach, const State& state, const Derived& d,
                  std::span<const double> u_free, ConstraintRows& rows);
  // One entry a row added, in order: m, rad or the tendon's unit; < 0: passed.
  std::span<const double> gap() const { return gap_; }

  void add_friction(ConstraintRows& rows);
  // One entry a row: N, N m.
  std::span<const double> bound() const { return bound_; }

 private:
  struct Place {  // a joint or a tendon
    int joint = -1, tendon = -1;
    int body_a = 0, body_b = 0;  // of the two trees, at most, that it moves
    double size = 1;
  };
  Place of_joint(int joint) const;
  Place of_tendon(int tendon) const;
  const Range& range_of(const Place& place) const;
  double value_of(const Place& place, const State& state, const Derived& d);
  void add_limit(const Place& place, double gap, double sign, ConstraintRows& rows);

  struct Term {
    int dof = 0;
    double coefficient = 0;
  };
  const Model& model_;
  std::vector<Place> limits_, frictions_;
  std::vector<Term> terms_;  // d(value)/dt = sum of coefficient times v[dof]
  std::vector<double> gap_, bound_;
};

// Why the limit or the friction of some tendon is not simulated; empty if all are.
std::string why_joints_not_simulated(const Model& model);

}  // namespace abut
