// Conserved quantities, for measuring. They require positions() and velocities().
#pragma once

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

struct Energy {
  double kinetic = 0;    // J, armature included
  double potential = 0;  // J, gravity (0 at the world's origin) and springs
};

struct Momentum {
  Vec3 linear = Vec3::Zero();   // kg m/s
  Vec3 angular = Vec3::Zero();  // kg m^2/s, about the world's origin
};

// Requires positions() only.
double potential_energy(const Model& model, const State& state, const Derived& d);
Energy energy(const Model& model, const State& state, const Derived& d);

// Momentum of all moving bodies; armature has no momentum of its own.
Momentum momentum(const Model& model, const Derived& d);

}  // namespace abut
