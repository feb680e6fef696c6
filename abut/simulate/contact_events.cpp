#include "abut/simulate/contact_events.h"

#include <algorithm>
#include <iterator>

namespace abut {

void ContactEvents::update(const Simulator& simulator) {
  simulator.contact_forces(forces_);
  before_.swap(touching_);
  touching_.clear();
  for (const PairForce& pair : forces_.pairs)
    if (pair.normal_force() > 0)
      touching_.push_back({std::min(pair.geom_a, pair.geom_b), std::max(pair.geom_a, pair.geom_b)});
  std::sort(touching_.begin(), touching_.end());
  begun_.clear();
  ended_.clear();
  std::set_difference(touching_.begin(), touching_.end(), before_.begin(), before_.end(),
                      std::back_inserter(begun_));
  std::set_difference(before_.begin(), before_.end(), touching_.begin(), touching_.end(),
                      std::back_inserter(ended_));
}

}  // namespace abut
