// Actuators: length and moment of their transmission, force, activation.
#pragma once

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// Computes d.actuator_force, d.actuation, d.act_rate, lengths and velocities. Requires positions()
// and velocities(). Controls and forces outside their range are clamped.
void actuator_forces(const Model& model, const State& state, const Input& input, Derived& d);

// Adds -d(force of dof i)/d(v_i) of actuators on single joints (positive if a velocity servo
// damps): the `implicit` stepper adds it to the diagonal.
void add_actuator_damping(const Model& model, const State& state, const Input& input,
                          const Derived& d, std::span<double> slope);

// The same for actuators on tendons that represent joints; one entry for each tendon.
void add_tendon_actuator_damping(const Model& model, const State& state, const Input& input,
                                 const Derived& d, std::span<double> slope);

// Activations after h seconds at the present controls.
void advance_activations(const Model& model, const Derived& d, double h, State& state);

}  // namespace abut
