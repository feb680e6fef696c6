// Analytic derivatives of a step: the equations of the step, with what each contact and limit does held
// (step_modes.h), differentiated by the implicit-function theorem
// (docs/derivations/step-derivatives.md).
//
//   trees        (M + h C) a + bias(q, v) = tau(q, v, act, ctrl)
//                u' = v + h a + (M + h C)^-1 J' P
//   free bodies  u' = u_free + M^-1 J' P, then the turn of gyroscope.h
//   contacts     held rows of J(q) u' = -b(psi(q)), friction along the slip
//
// They hold for euler and implicit, under st, ap, none and fast (whose equations are st's), where no
// impulse and no post-step took part in the step.
#pragma once

#include "abut/simulate/derive/step_derivatives.h"
#include "abut/simulate/simulator.h"

namespace abut {

// Why the simulator's world and settings have none; empty: they may have.
std::string why_not_analytic(const Simulator& simulator);

// Columns of which there is no derivative say why. A and B hold the derivatives of the modes as they are,
// with gaps that close; or NaN, and `analytic` is false, where there are no equations to differentiate.
// The simulator is left after one step from the state.
StepDerivatives analytic_derivatives(Simulator& simulator, const State& state, const Input& input);

}  // namespace abut
