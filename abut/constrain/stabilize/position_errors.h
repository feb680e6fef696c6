// PositionErrors: how far a state is off its joints, limits and contacts, with the rows of each:
// what a post-step repairs.
//
//   g = 0   joints that close loops (m, rad)
//   g >= 0  limits and contacts: the gap
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/rows/constraint_rows.h"
#include "abut/constrain/rows/equality.h"
#include "abut/constrain/rows/joint_rows.h"
#include "abut/model/state.h"

namespace abut {

class PositionErrors {
 public:
  // `sizes`: L of each geom (m).
  PositionErrors(const Model& model, std::vector<double> sizes);

  // Pairs that are left as they are: those that bounce, and come apart by themselves. Is given
  // positions() and velocities(). Empty: none.
  using Leaves = std::function<bool(const Patch&, const ContactPoints&, const Derived&)>;
  struct Which {
    double tolerance;  // contacts and limits nearer than this part of their size
    bool contacts;     // or joints and limits alone
    int max_points;    // of a patch (CollideOptions)
    const Leaves& leaves;
  };
  // Poses, rows and errors of the state; returns the largest error.
  double find(const Which& which, const Input& input, Collider& collider, const State& state,
              Derived& d);

  // Nothing is to be repaired.
  bool clean() const { return clean_; }
  // One a row; those of joints come first, in groups, then limits and contacts, a row each.
  std::span<const double> g() const { return g_; }
  bool is_joint(int row) const { return row < joint_rows_; }
  // 1/kg, 1/(kg m^2); see loop_softness.h
  double softness(int row) const {
    return is_joint(row) ? softness_[static_cast<std::size_t>(row)] : 0;
  }
  ConstraintRows& rows() { return rows_; }
  const ConstraintRows& rows() const { return rows_; }
  double worst_joint() const { return worst_joint_; }  // m, rad; limits too
  double size() const { return size_; }                // m: of the largest solid

 private:
  double find_contacts(const Which& which, Collider& collider, const State& state, Derived& d);

  const Model& model_;
  std::vector<double> sizes_;
  double size_;
  EqualityRows equalities_;
  std::vector<double> softness_;  // of their rows
  JointRows limits_;
  ConstraintRows rows_;
  ContactData data_;
  std::vector<PairQuery> queries_;
  std::vector<double> reach_;  // m, one a geom
  std::vector<double> g_;
  int joint_rows_ = 0;
  double worst_joint_ = 0;
  bool clean_ = false;
};

}  // namespace abut
