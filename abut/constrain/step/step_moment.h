// Moments that constraint rows are taken at.
#pragma once

#include <span>

#include "abut/model/derived.h"
#include "abut/model/input.h"
#include "abut/model/state.h"

namespace abut {

struct StepMoment {
  const State& state;
  const Input& input;
  const Derived& d;
};

// The end of a step, where the change of velocity `change` leads to, as the moment about which
// gaps are linear. psi is the gap there, and the rows' w is psi / h + J (u' - u_free - change).
// Solving again from the new end makes gaps exact, and not only to first order (P-X5,
// `relinearize`).
struct Around {
  StepMoment end;
  std::span<const double> change;
};

}  // namespace abut
