// Derivatives of a step: how its end depends on where it begins and on the controls.
//
//   x = (dq, v, act): dq in the tangent space of q, one number a dof, as model/kinematics.h's advance()
//   and difference() have it
//   A = dx' / dx,  B = dx' / d ctrl
//
// They are differences of whole steps, so they hold for every contact model and integrator, and cost two
// steps a column. Where a contact opens, closes, begins to slip or to stick, or a joint reaches a limit,
// the derivative does not exist: there the columns that differ from side to side are marked, and hold
// the derivative towards larger values.
//
//   abut::StepDerivatives d = abut::differentiate_step(simulator, state, input);
//   if (d.exists()) use(d.A, d.B);
#pragma once

#include <string>
#include <vector>

#include "abut/simulate/derive/tolerances.h"
#include "abut/simulate/simulator.h"

namespace abut {

struct DerivativeSettings {
  double step = kDerivativeStep;
  double kink = kDerivativeKink;
};

struct StepDerivatives {
  MatX A;  // (2 nv + na) square
  MatX B;  // (2 nv + na) x nu
  // Of each column of A, then of B: why it is no derivative; empty: it is one.
  std::vector<std::string> why_not;

  bool exists() const;  // all of them
};

// The state and the input stay as they are; the simulator is left after one step from them. Throws
// std::invalid_argument for settings that cannot be.
StepDerivatives differentiate_step(Simulator& simulator, const State& state, const Input& input,
                                   const DerivativeSettings& settings = {});

}  // namespace abut
