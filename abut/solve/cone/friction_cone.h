// Coulomb's cone |z_t| <= mu z_n: projections. Vectors are (normal, tangential ..), of 2 or 3
// numbers. In the plane the cone is a wedge, and the same formulas hold.
#pragma once

#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

inline double tangential_length(const double* x, int size) {
  if (size != 3) return std::abs(x[1]);
  // hypot, which is several times slower, only where squares would overflow or underflow
  const double square = x[1] * x[1] + x[2] * x[2];
  return square > kLeastSquare && square < kMostSquare ? std::sqrt(square) : std::hypot(x[1], x[2]);
}

// Replaces x by the nearest point of the cone. The dual cone, mu |x_t| <= x_n, is the cone of 1 /
// mu; the polar cone is its negative, and there the nearest point is the tip.
inline void project_to_cone(double* x, int size, double mu) {
  const double t = tangential_length(x, size);
  // the polar cone first: with mu = 0 a negative normal also has t <= mu x_n
  if (mu * t <= -x[0]) {
    for (int k = 0; k < size; ++k) x[k] = 0;
    return;
  }
  if (t <= mu * x[0]) return;
  const double normal = (x[0] + mu * t) / (1 + mu * mu);
  const double shrink = mu * normal / t;  // t > 0: else one of the cases above
  x[0] = normal;
  for (int k = 1; k < size; ++k) x[k] *= shrink;
}

}  // namespace abut
