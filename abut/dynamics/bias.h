// Recursive Newton-Euler in its two uses: the bias of forward dynamics, and inverse
// dynamics.
#pragma once

#include <span>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// Computes d.bias: the force that keeps v' = 0 against gravity and velocity terms (MuJoCo's
// qfrc_bias). Requires positions() and velocities().
void bias_forces(const Model& model, const State& state, Derived& d);

// tau = M v' + bias, without building M (armature included).
void inverse_dynamics(const Model& model, const State& state, Derived& d,
                      std::span<const double> acceleration, std::span<double> tau);

// Gravity by the model's options (zero if it is switched off).
Vec3 gravity(const Model& model);

}  // namespace abut
