#include "abut/dynamics/gyroscope.h"

#include <algorithm>

#include <Eigen/LU>

#include "abut/dynamics/tolerances.h"
#include "abut/math/rotation.h"

namespace abut {

namespace {

// Mean angular velocity of a step, by Newton's method with k held in the Jacobian.
Vec3 mean_omega(const Mat3& I, const Vec3& omega, double h) {
  Vec3 w = omega;
  const double scale = (I * omega).norm();
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 12; ++iteration) {
    const double x = 0.5 * h * w.norm();
    const double k = x > kSeriesTangent ? std::tan(x) / x : 1 + x * x / 3;
    const Vec3 Iw = I * w;
    const Vec3 residual = 2 * (Iw - I * omega) + h * k * w.cross(Iw);
    const double size = residual.norm();
    // down to rounding, where it no longer shrinks
    if (size == 0 || (size < kGyroscopeRounding * scale && size >= last)) break;
    last = size;
    const Mat3 J = 2 * I + h * k * (skew(w) * I - skew(Iw));
    w -= J.inverse() * residual;
  }
  return w;
}

}  // namespace

Spin free_rotation(const Mat3& inertia, const Vec3& omega, double h) {
  constexpr double kLargestTurn = 0.4;  // rad; Newton is safe well beyond it
  const double turn_angle = h * omega.norm();
  const int parts =
      std::isfinite(turn_angle)
          ? static_cast<int>(std::clamp(std::ceil(turn_angle / kLargestTurn), 1.0, 256.0))
          : 1;
  Spin spin{omega, Quat::Identity()};
  for (int i = 0; i < parts; ++i) {
    const Vec3 w = mean_omega(inertia, spin.omega, h / parts);
    spin.omega = 2 * w - spin.omega;
    spin.turned = spin.turned * exp_rotation(w * (h / parts));
  }
  return spin;
}

}  // namespace abut
