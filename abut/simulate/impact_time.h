// ImpactTime: whether solids that were apart have met since, for steps that end where they do
// (abut.impact.time regress; Drumwright calls it regression to the time of impact).
//
//   time.start(state, input, collider);
//   .. // take a step
//   while (time.depth(state, input, collider) < -ImpactTime::kExact) .. // a shorter one
#pragma once

#include <vector>

#include "abut/collide/collide.h"
#include "abut/model/input.h"
#include "abut/model/kinematics.h"
#include "abut/model/state.h"

namespace abut {

class ImpactTime {
 public:
  explicit ImpactTime(const Model& model) : model_(model), derived_(model) {}

  static constexpr double kExact = 1e-6;  // of a pair's size

  // Pairs that overlap now have met before.
  void start(const State& state, const Input& input, Collider& collider);
  // Of the others the deepest, as a part of its size: negative. 0: none overlaps.
  double depth(const State& state, const Input& input, Collider& collider);

 private:
  void find(const State& state, const Input& input, Collider& collider);

  const Model& model_;
  Derived derived_;
  ContactData data_;
  std::vector<PairQuery> queries_;
  std::vector<PairKey> touching_;  // ascending
};

}  // namespace abut
