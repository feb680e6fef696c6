// What actuators do: length and moment of their transmission, force, activation.
#pragma once

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// d.actuator_force, d.actuation, d.act_rate, lengths and velocities. Wants positions()
// and velocities(). Controls outside their range are clamped, and so are forces.
void actuator_forces(const Model& model, const State& state, const Input& input, Derived& d);

// d(force of dof i)/d(v_i) that actuators on single joints contribute, as a positive
// number (a velocity servo damps): what the `implicit` stepper adds to the diagonal.
void add_actuator_damping(const Model& model, const State& state, const Input& input,
                          const Derived& d, std::span<double> slope);

// The same of those on tendons that stand for joints; one entry a tendon.
void add_tendon_actuator_damping(const Model& model, const State& state, const Input& input,
                                 const Derived& d, std::span<double> slope);

// Activations after h seconds at the present controls.
void advance_activations(const Model& model, const Derived& d, double h, State& state);

}  // namespace abut
