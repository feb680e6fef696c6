// Constraint errors that experiments with joints and contacts measure. They are computed from the poses
// only, so that all methods are measured alike.
//
//   abut::reproduce::Watch watch(model);
//   simulator.step(state, input);
//   double gap = watch.joint_error(state, input);   // m
#pragma once

#include "abut/collide/collide.h"
#include "abut/constrain/rows/constraint_rows.h"
#include "abut/constrain/rows/equality.h"
#include "abut/model/state.h"

namespace abut::reproduce {

class Watch {
 public:
  // The model must outlive it.
  explicit Watch(const Model& model);

  // Largest |g| of the joints that close loops (m): Cline and Pai's measure of the chain.
  double joint_error(const State& state, const Input& input);
  // Depth of the deepest pair (m); 0 if nothing overlaps.
  double overlap(const State& state, const Input& input);

  // Poses of the state last measured.
  const Derived& derived() const { return derived_; }
  // Contacts of the state last measured by overlap().
  const ContactData& contacts() const { return data_; }

 private:
  const Model& model_;
  Derived derived_;
  EqualityRows equalities_;
  ConstraintRows rows_;
  Collider collider_;
  ContactMemory none_;
  ContactData data_;
  std::vector<PairQuery> queries_;
};

}  // namespace abut::reproduce
