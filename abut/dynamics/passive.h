// Forces the mechanism makes by itself: springs, dampers, air, carried weight. Dry
// friction of joints is no force but a bound, kept for the contact solvers.
#pragma once

#include <span>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// d.passive. Wants positions() and velocities(). Weight carried through actuators
// (actuatorgravcomp) is left to actuator_forces().
void passive_forces(const Model& model, const State& state, Derived& d);

// Weight carried for the bodies (gravcomp), by dof: force += .. for dofs of joints with
// the given setting of actuatorgravcomp.
void add_carried_weight(const Model& model, const Derived& d, bool through_actuators,
                        std::span<double> force);

// d(damping force)/dv of a dof or tendon, as a positive number: what the implicit steppers add
// to the diagonal of M (times h).
double damping_slope(const std::array<double, 3>& damping, double v);

// Energy stored in joint and tendon springs (J).
double spring_energy(const Model& model, const State& state, const Derived& d);

}  // namespace abut
