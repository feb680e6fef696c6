// The residuals of an answer, which answer.h computes for every solver.
#pragma once

namespace abut {

// How far z, w are from a solution. The natural map of a row is z - P(z - w), with P the projection
// onto the bounds (or the cone, with w + mu |w_t| e_n for w): min(z, w) for an LCP.
struct Residuals {
  double natural = 0;          // largest |natural map|
  double relative = 0;         // natural / (1 + max|b|): it decides `solved`
  double row_scaled = 0;       // largest |natural map|_i / (|b_i| + (|A||z|)_i + |z_i|), 0/0 = 0
  double complementarity = 0;  // largest |z_i w_i| (distance to the bound times w; cones: z . w')
  double feasibility = 0;      // largest violation of a bound on z or w
  double cone = 0;             // natural map of the cones alone
};

}  // namespace abut
