// ImpactTime: substeps that end where solids meet (abut.impact.time regress; Drumwright calls it
// regression to the time of impact). A substep after which solids overlap that were apart at its
// start is taken again, shorter, until it ends where they touch: by bisection.
//
//   time.start(state, input, collider);
//   do .. // take a substep of `length`
//   while ((length = time.retry(length, state, after, collider)) > 0);
#pragma once

#include <vector>

#include "abut/collide/collide.h"
#include "abut/model/input.h"
#include "abut/model/kinematics.h"
#include "abut/model/state.h"

namespace abut {

class ImpactTime {
 public:
  explicit ImpactTime(const Model& model) : model_(model), start_(model), derived_(model) {}

  static constexpr double kExact = 1e-6;   // of a pair's size
  static constexpr int kMostImpacts = 50;  // that end substeps of a step
  static constexpr int kMostTries = 60;    // of a substep

  void begin_step() { impacts_ = 0; }
  // A substep begins here. Pairs that overlap now have met before.
  void start(const State& state, const Input& input, Collider& collider);
  // The substep took `length` seconds, to this state and this input. 0: it stays. Else the state
  // is as it was at the start, and this is the length (s) to take.
  double retry(double length, State& state, const Input& input, Collider& collider);

 private:
  void find(const State& state, const Input& input, Collider& collider);
  double depth(const State& state, const Input& input, Collider& collider);

  const Model& model_;
  State start_;
  int impacts_ = 0, tries_ = 0;
  double low_ = 0, high_ = 0;  // s: solids are apart after the one, and overlap after the other
  double depth_ = 0;           // after high_
  bool last_ = false;          // the length is known: high_
  Derived derived_;
  ContactData data_;
  std::vector<PairQuery> queries_;
  std::vector<PairKey> touching_;  // ascending
};

}  // namespace abut
