// StepDerivatives: how the end of a step depends on where it begins and on the controls.
//
//   x = (dq, v, act): dq in the tangent space of q, one number a dof, as model/kinematics.h's advance()
//   and difference() have it
//   A = dx' / dx,  B = dx' / d ctrl
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "abut/math/types.h"

namespace abut {

struct StepDerivatives {
  MatX A;  // (2 nv + na) square
  MatX B;  // (2 nv + na) x nu
  // Of each column of A, then of B: why it is no derivative; empty: it is one.
  std::vector<std::string> why_not;
  bool analytic = false;  // or by differences

  bool exists() const {  // all of them
    return std::all_of(why_not.begin(), why_not.end(),
                       [](const std::string& s) { return s.empty(); });
  }
};

}  // namespace abut
