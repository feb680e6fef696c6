// ImpactTime: substeps that end where solids meet (abut.impact.time regress; Drumwright calls it
// regression to the time of impact). If solids overlap after a substep that were apart at its
// start, the substep is repeated with a shorter length, until it ends where they touch: by
// bisection.
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

  static constexpr int kMostImpacts = 50;  // impacts that may end substeps of one step
  static constexpr int kMostTries = 60;    // attempts at one substep

  void begin_step() { impacts_ = 0; }
  // A substep begins here. Pairs that overlap now have met before.
  void start(const State& state, const Input& input, Collider& collider);
  // The substep took `length` seconds, to this state and this input. Returns 0 to accept it.
  // Otherwise the state is restored to the start, and the result is the length (s) of the next
  // attempt.
  double retry(double length, State& state, const Input& input, Collider& collider);

 private:
  void find(const State& state, const Input& input, Collider& collider);
  double depth(const State& state, const Input& input, Collider& collider);

  const Model& model_;
  State start_;
  int impacts_ = 0, tries_ = 0;
  double low_ = 0, high_ = 0;  // s: solids are apart after low_, and overlap after high_
  double depth_ = 0;           // after high_
  bool last_ = false;          // the final length is known: high_
  Derived derived_;
  ContactData data_;
  std::vector<PairQuery> queries_;
  std::vector<PairKey> touching_;  // ascending
};

}  // namespace abut
