#include "abut/haptic/device/held_mass.h"

#include <cmath>
#include <stdexcept>

#include "abut/haptic/tolerances.h"

namespace abut::haptic {

HeldMass::HeldMass(double mass, double damping, double stiffness, double cycle) {
  if (!(mass > kNoMass) || !(damping >= 0) || !(stiffness >= 0) || !(cycle > 0))
    throw std::invalid_argument(
        "a hand has a positive mass, and damping and stiffness that are not negative");
  // exp of [x' = v; v' = -k/m x - b/m v + f/m; f' = 0] over the cycle: a Taylor series of a 2^-n-th
  // of it, squared n times
  Mat3 a = Mat3::Zero();
  a(0, 1) = cycle;
  a.row(1) << -stiffness / mass * cycle, -damping / mass * cycle, cycle / mass;
  int squarings = 0;
  for (double norm = a.cwiseAbs().maxCoeff(); norm > 0.125; norm /= 2) ++squarings;
  a *= std::ldexp(1.0, -squarings);
  Mat3 sum = Mat3::Identity(), term = Mat3::Identity();
  for (int n = 1; n <= 14; ++n) {
    term = (term * a / n).eval();
    sum += term;
  }
  for (int i = 0; i < squarings; ++i) sum = (sum * sum).eval();
  xx_ = sum(0, 0), xv_ = sum(0, 1), xf_ = sum(0, 2);
  vx_ = sum(1, 0), vv_ = sum(1, 1), vf_ = sum(1, 2);
}

void HeldMass::advance(Vec3& offset, Vec3& rate, const Vec3& force) const {
  const Vec3 x = xx_ * offset + xv_ * rate + xf_ * force;
  rate = vx_ * offset + vv_ * rate + vf_ * force;
  offset = x;
}

}  // namespace abut::haptic
