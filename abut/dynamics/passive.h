// Passive forces of a mechanism: springs, dampers, drag of the medium, gravity compensation. Dry
// friction of joints is a bound and not a force; the contact solvers treat it.
#pragma once

#include <span>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// Computes d.passive. Requires positions() and velocities(). actuator_forces() treats gravity
// compensation through actuators (actuatorgravcomp).
void passive_forces(const Model& model, const State& state, Derived& d);

// Gravity compensation (gravcomp), by dof: adds to force for dofs of joints with the given setting
// of actuatorgravcomp.
void add_carried_weight(const Model& model, const Derived& d, bool through_actuators,
                        std::span<double> force);

// -d(damping force)/dv of a dof or tendon, positive: the implicit steppers add it (times h) to the
// diagonal of M.
double damping_slope(const std::array<double, 3>& damping, double v);

// Energy stored in joint and tendon springs (J).
double spring_energy(const Model& model, const State& state, const Derived& d);

}  // namespace abut
