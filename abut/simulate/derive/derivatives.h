// Derivatives of a step: how its end depends on where it begins and on the controls.
//
//   abut::StepDerivatives d = abut::differentiate_step(simulator, state, input);
//   if (d.exists()) use(d.A, d.B);
//
// There are two methods. The analytic one (analytic.h) differentiates the equations of the step. The other
// takes central differences of whole steps: it holds for every contact model and integrator, and costs two
// steps a column.
//
// Where a contact opens, closes, begins to slip or to stick, or a joint reaches a limit, the derivative does
// not exist. There the columns that differ from side to side are marked. By differences they hold the
// derivative towards larger values; analytically, that of the modes as they are.
#pragma once

#include "abut/simulate/derive/step_derivatives.h"
#include "abut/simulate/derive/tolerances.h"
#include "abut/simulate/simulator.h"

namespace abut {

enum class DerivativeMethod {
  automatic,  // analytic where there are equations to differentiate, or else by differences
  analytic,   // A and B are NaN where there are none
  differences,
};

struct DerivativeSettings {
  double step = kDerivativeStep;
  double kink = kDerivativeKink;
  DerivativeMethod method = DerivativeMethod::automatic;
};

// The state and the input stay as they are; the simulator is left after one step from them. Throws
// std::invalid_argument for settings that cannot be.
StepDerivatives differentiate_step(Simulator& simulator, const State& state, const Input& input,
                                   const DerivativeSettings& settings = {});

}  // namespace abut
