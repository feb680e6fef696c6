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

int parts_of(const Vec3& omega, double h) {
  constexpr double kLargestTurn = 0.4;  // rad; Newton is safe well beyond it
  const double turn_angle = h * omega.norm();
  return std::isfinite(turn_angle)
             ? static_cast<int>(std::clamp(std::ceil(turn_angle / kLargestTurn), 1.0, 256.0))
             : 1;
}

// dw / d omega of the equation of mean_omega(), k's own change included.
Mat3 mean_omega_slope(const Mat3& I, const Vec3& w, double h) {
  const double x = 0.5 * h * w.norm();
  const bool small = x < kSeriesTangent;
  const double k = small ? 1 + x * x / 3 : std::tan(x) / x;
  const double cosine = std::cos(x);
  // k' / x, with its limit
  const double rate = small ? 2.0 / 3 : (1 / (cosine * cosine) - k) / (x * x);
  const Vec3 Iw = I * w;
  const Mat3 J = 2 * I + h * k * (skew(w) * I - skew(Iw)) +
                 h * rate * 0.25 * h * h * w.cross(Iw) * w.transpose();
  return J.inverse() * (2 * I);
}

}  // namespace

Spin free_rotation(const Mat3& inertia, const Vec3& omega, double h) {
  const int parts = parts_of(omega, h);
  Spin spin{omega, Quat::Identity()};
  for (int i = 0; i < parts; ++i) {
    const Vec3 w = mean_omega(inertia, spin.omega, h / parts);
    spin.omega = 2 * w - spin.omega;
    spin.turned = spin.turned * exp_rotation(w * (h / parts));
  }
  return spin;
}

SpinSlopes free_rotation_slopes(const Mat3& inertia, const Vec3& omega, double h) {
  const int parts = parts_of(omega, h);
  const double part = h / parts;
  SpinSlopes slopes{Mat3::Identity(), Mat3::Zero()};
  Vec3 now = omega;
  for (int i = 0; i < parts; ++i) {
    const Vec3 w = mean_omega(inertia, now, part);
    const Mat3 mean = mean_omega_slope(inertia, w, part) * slopes.omega;
    now = 2 * w - now;
    slopes.omega = 2 * mean - slopes.omega;
    slopes.turned = exp_rotation(-w * part).toRotationMatrix() * slopes.turned +
                    part * exp_rotation_slope(w * part) * mean;
  }
  return slopes;
}

}  // namespace abut
