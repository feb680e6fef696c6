// The joints that close loops, MJCF's <equality>, as constraint rows: functions g(q) that are 0
// where the joint is whole, and their rates.
//
//   connect  two points meet: 3 rows, world axes
//   weld     two frames meet: 3 rows for the points, 3 for the rotation
//   joint    q1 = polynomial(q2): 1 row
//
// Rotation errors are the rotation vector from one frame to the other, in world axes: their
// rate is the relative angular velocity, to first order in the error (spec C-N3).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/dynamics/constraint_rows.h"
#include "abut/model/input.h"
#include "abut/model/state.h"

namespace abut {

class EqualityRows {
 public:
  explicit EqualityRows(const Model& model);

  // Adds the rows of every active one. error() and driven() then have an entry a row added, in
  // order; driven() is the part of the rate that driven bodies make.
  void add(const State& state, const Input& input, const Derived& d, ConstraintRows& rows);

  int groups() const { return groups_; }
  std::span<const double> error() const { return error_; }    // m, rad
  std::span<const double> driven() const { return driven_; }  // m/s, rad/s

  // The largest |g|; positions (m) alone, and angles (rad).
  struct Worst {
    double length = 0, angle = 0;
  };
  Worst worst() const { return worst_; }

 private:
  void add_frames(const Equality& e, const Input& input, const Derived& d, ConstraintRows& rows);
  void add_joints(const Equality& e, const State& state, ConstraintRows& rows);

  const Model& model_;
  int groups_ = 0;
  std::vector<double> error_, driven_;
  Worst worst_;
};

// Why an equality is not simulated; empty if it is.
std::string why_not_simulated(const Model& model, const Equality& e);

}  // namespace abut
