// Coulomb's cone |z_t| <= mu z_n: projections. Vectors are (normal, tangential ..), of 2 or 3
// numbers; in the plane the cone is a wedge and the same formulas hold.
#pragma once

#include <cmath>

namespace abut {

inline double tangential_length(const double* x, int size) {
  if (size != 3) return std::abs(x[1]);
  // hypot, which takes several times as long, only where squares would not do
  const double square = x[1] * x[1] + x[2] * x[2];
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(x[1], x[2]);
}

// x becomes the nearest point of the cone. Its dual, mu |x_t| <= x_n, is the cone of 1 / mu
// and the polar is its negative: there the nearest point is the tip.
inline void project_to_cone(double* x, int size, double mu) {
  const double t = tangential_length(x, size);
  // the polar first: with mu = 0 a negative normal has t <= mu x_n as well
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
