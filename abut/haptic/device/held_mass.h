// HeldMass: a mass on a spring and a damper whose base moves, under a force that is constant for a
// cycle: m x'' = k (y - x) + b (y' - x') + F. One cycle is exact (the exponential of the system's
// matrix), so that a simulated device adds no error of its own to what the loop does.
#pragma once

#include "abut/math/types.h"

namespace abut::haptic {

class HeldMass {
 public:
  HeldMass() = default;
  // kg, N s/m, N/m, s; or kg m^2, N m s/rad, N m/rad. Throws std::invalid_argument unless the mass
  // and the cycle are positive and the others not negative.
  HeldMass(double mass, double damping, double stiffness, double cycle);

  // The displacement from the base and its rate, a cycle later.
  void advance(Vec3& offset, Vec3& rate, const Vec3& force) const;

 private:
  double xx_ = 1, xv_ = 0, xf_ = 0, vx_ = 0, vv_ = 1, vf_ = 0;
};

}  // namespace abut::haptic
