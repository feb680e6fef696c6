#include "abut/simulate/impact_time.h"

#include <algorithm>

namespace abut {

void ImpactTime::find(const State& state, const Input& input, Collider& collider) {
  positions(model_, state, input, derived_);
  collider.find(model_, derived_, state.contacts, {.reach = {.pair = 0}}, data_, queries_);
}

void ImpactTime::start(const State& state, const Input& input, Collider& collider) {
  find(state, input, collider);
  touching_.clear();
  for (const Patch& patch : data_.patches)
    if (patch.distance <= 0) touching_.push_back(pair_key(patch.geom_a, patch.geom_b));
  std::sort(touching_.begin(), touching_.end());
}

double ImpactTime::depth(const State& state, const Input& input, Collider& collider) {
  find(state, input, collider);
  double deepest = 0;
  for (const Patch& patch : data_.patches) {
    if (std::binary_search(touching_.begin(), touching_.end(),
                           pair_key(patch.geom_a, patch.geom_b)))
      continue;
    const double L = collider.sizes()[static_cast<std::size_t>(patch.geom_a)] +
                     collider.sizes()[static_cast<std::size_t>(patch.geom_b)];
    deepest = std::min(deepest, patch.distance / L);
  }
  return deepest;
}

}  // namespace abut
