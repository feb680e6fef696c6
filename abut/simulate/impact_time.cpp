#include "abut/simulate/impact_time.h"

#include <algorithm>

#include "abut/simulate/tolerances.h"

namespace abut {

void ImpactTime::find(const State& state, const Input& input, Collider& collider) {
  positions(model_, state, input, derived_);
  collider.find(model_, derived_, state.contacts, {.reach = {.pair = 0}}, data_, queries_);
}

void ImpactTime::start(const State& state, const Input& input, Collider& collider) {
  start_ = state;
  ++impacts_;
  tries_ = 0;
  low_ = 0;
  last_ = false;
  find(state, input, collider);
  touching_.clear();
  for (const Patch& patch : data_.patches)
    if (patch.distance <= 0) touching_.push_back(patch.key());
  std::sort(touching_.begin(), touching_.end());
}

double ImpactTime::retry(double length, State& state, const Input& input, Collider& collider) {
  if (last_ || (tries_ == 0 && impacts_ > kMostImpacts)) return 0;
  const double there = depth(state, input, collider);
  const bool overlaps = tries_ == 0 || there < 0;
  (overlaps ? high_ : low_) = length;
  if (overlaps) depth_ = there;
  const bool goes_on = tries_ < kMostTries && depth_ < -kImpactDepth;
  if (!goes_on && overlaps) return 0;
  ++tries_;
  last_ = !goes_on;
  state = start_;
  return goes_on ? 0.5 * (low_ + high_) : high_;
}

// Of the pairs that were apart at the start: the largest overlap, as a fraction of the pair's size,
// negative. 0: none overlaps.
double ImpactTime::depth(const State& state, const Input& input, Collider& collider) {
  find(state, input, collider);
  double deepest = 0;
  for (const Patch& patch : data_.patches) {
    if (std::binary_search(touching_.begin(), touching_.end(), patch.key())) continue;
    const double L = collider.sizes()[static_cast<std::size_t>(patch.geom_a)] +
                     collider.sizes()[static_cast<std::size_t>(patch.geom_b)];
    deepest = std::min(deepest, patch.distance / L);
  }
  return deepest;
}

}  // namespace abut
