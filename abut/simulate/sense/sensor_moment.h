// SensorMoment: what sensors are computed from.
#pragma once

#include <span>

#include "abut/model/derived.h"
#include "abut/model/input.h"
#include "abut/model/state.h"
#include "abut/simulate/contact_forces.h"

namespace abut {

struct SensorMoment {
  const Model& model;
  const State& state;
  const Input& input;
  const Derived& d;                      // positions(), velocities(), actuator_forces()
  std::span<const double> acceleration;  // v', one a dof
  const ContactForces& contacts;
};

}  // namespace abut
