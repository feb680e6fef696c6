// Forces and accelerations at one state.
//
//   abut::forward(model, state, input, d);     // poses, forces, d.acceleration
#pragma once

#include <span>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// Computes d.applied: generalised forces of Input's wrenches, forces and spring.
void applied_forces(const Model& model, const Input& input, Derived& d);

// tau = passive + actuation + applied, everything but the bias.
void smooth_forces(const Model& model, const State& state, const Input& input, Derived& d,
                   std::span<double> tau);

// Kinematics, forces, and d.acceleration by the articulated-body algorithm. M is not built; call
// mass_matrix() if it is needed.
void forward(const Model& model, const State& state, const Input& input, Derived& d);

}  // namespace abut
