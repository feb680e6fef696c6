// Newton's method on the natural map max(z - hi, min(z - lo, w)). Near a solution it knows which
// rows are at a bound, sets those exactly and solves w = 0 on the others, so that a point accurate
// to 1e-8 becomes accurate to rounding. It is the last step of fischer_burmeister.h and lmmcp.h,
// whose own functions are flat to second order at a degenerate solution (z = w = 0) and would stop
// there with half of the digits. It never makes a point worse.
#pragma once

#include "abut/solve/linear/least_squares.h"
#include "abut/solve/newton/mcp.h"

namespace abut {

class NaturalNewton {
 public:
  // Improves z; w is its value, J is scratch (for a linear mcp: its Jacobian, not written). Returns
  // the natural residual.
  double improve(const Mcp& mcp, VectorX& z, VectorX& w, DenseRows& J);

 private:
  double take_step(const Mcp& mcp, double damping, VectorX& next, VectorX& next_w);

  LeastSquares ls_;
  VectorX step_, trial_, trial_w_, next_, next_w_, other_, other_w_;
  std::vector<NaturalCase> which_;
};

}  // namespace abut
