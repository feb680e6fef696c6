// Recursive Newton-Euler in its two uses: the bias of forward dynamics, and inverse
// dynamics.
#pragma once

#include <span>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// d.bias: force that holds v' = 0 against gravity and velocity terms (MuJoCo's
// qfrc_bias). Wants positions() and velocities().
void bias_forces(const Model& model, const State& state, Derived& d);

// tau = M v' + bias, without building M (armature included).
void inverse_dynamics(const Model& model, const State& state, Derived& d,
                      std::span<const double> acceleration, std::span<double> tau);

// Gravity as the model's options have it (zero when it is switched off).
Vec3 gravity(const Model& model);

}  // namespace abut
