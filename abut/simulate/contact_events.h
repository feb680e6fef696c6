// ContactEvents: which pairs of geoms began to touch in a step, and which came apart. A pair touches
// in a step if its contact pressed in it.
//
//   abut::ContactEvents events;
//   simulator.step(state, input);
//   events.update(simulator);
//   for (const abut::TouchingPair& pair : events.begun()) print(model.geom_names[pair.geom_a]);
#pragma once

#include <span>
#include <vector>

#include "abut/simulate/simulator.h"

namespace abut {

struct TouchingPair {
  int geom_a = -1, geom_b = -1;  // geom_a < geom_b

  auto operator<=>(const TouchingPair&) const = default;
};

class ContactEvents {
 public:
  // After every step. Allocates nothing once warm.
  void update(const Simulator& simulator);

  // Of the last update(), ascending.
  std::span<const TouchingPair> begun() const { return begun_; }
  std::span<const TouchingPair> ended() const { return ended_; }
  std::span<const TouchingPair> touching() const { return touching_; }

 private:
  ContactForces forces_;
  std::vector<TouchingPair> touching_, before_, begun_, ended_;
};

}  // namespace abut
