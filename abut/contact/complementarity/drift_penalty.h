// DriftPenalty: baraff's forces against drift. Its LCP holds accelerations at zero and does not see
// depth, so that a penalty at the deepest point (penalty/deepest.h) lifts pairs that overlap. Pairs
// that bounce are left out: they separate by themselves, and the penalty would add energy.
//
//   drift.begin(h, state, input, d, collider, data);       // once a step, before impacts
//   drift.add(input, d, collider, data, force);            // in each stage
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/contact/impact/bouncing_pairs.h"
#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/initial_overlap.h"

namespace abut {

class DriftPenalty {
 public:
  // Throws WorldError for settings of the penalty that there are not.
  DriftPenalty(const Model& model, const Collider& collider);

  void begin(double h, const State& state, const Input& input, const Derived& d,
             const Collider& collider, const ContactData& data);
  // force += the penalty's generalized forces for these contacts, in v's coordinates.
  void add(const Input& input, const Derived& d, const Collider& collider, const ContactData& data,
           std::span<double> force);
  // Of the last add(), ascending by patch.
  const std::vector<ContactForce>& forces() const { return forces_; }

  // What a pair's memory keeps: what is left of the overlap that the pair began with.
  static constexpr int kPairWidth = 1;
  double left(PairKey key) const { return overlap_.left(key); }
  std::vector<std::string> warnings() const { return law_->warnings(); }

 private:
  const Model& model_;
  Materials materials_;
  BouncingPairs bouncing_;
  std::unique_ptr<ForceModel> law_;
  InitialOverlap overlap_;
  ContactMemory nothing_;  // the law remembers nothing
  std::vector<ContactForce> forces_;
};

}  // namespace abut
