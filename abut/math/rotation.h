// Rotations on the unit-quaternion manifold.
#pragma once

#include <cmath>

#include "abut/math/tolerances.h"
#include "abut/math/types.h"

namespace abut {

// [a]x, so that skew(a) * b = a x b.
inline Mat3 skew(const Vec3& a) {
  Mat3 s;
  s << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return s;
}

// The rotation by angle |r| about r (r in radians).
inline Quat exp_rotation(const Vec3& r) {
  const double angle = r.norm();
  // sin(a/2)/a has the removable limit 1/2; its Taylor series is exact to
  // rounding below 1e-4.
  const double s = angle > kSmallAngle ? std::sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
  return {std::cos(0.5 * angle), s * r.x(), s * r.y(), s * r.z()};
}

// exp(r + dr) = exp(r) exp(J dr) to first order: this J.
inline Mat3 exp_rotation_slope(const Vec3& r) {
  const double a2 = r.squaredNorm(), a = std::sqrt(a2);
  // both have removable limits; their Taylor series are exact to rounding below 1e-4
  const bool small = a < kSmallAngle;
  const double half = std::sin(0.5 * a);
  const double first = small ? 0.5 - a2 / 24 : 2 * half * half / a2;
  const double second = small ? 1.0 / 6 - a2 / 120 : (a - std::sin(a)) / (a2 * a);
  const Mat3 s = skew(r);
  return Mat3::Identity() - first * s + second * s * s;
}

// The inverse of exp_rotation: the vector with |r| <= pi that turns by q.
inline Vec3 log_rotation(const Quat& q) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const double s = q.vec().norm();
  if (s < kNoRotation) return 2.0 * sign * q.vec();
  return (2.0 * std::atan2(s, sign * q.w()) / s) * sign * q.vec();
}

// The shortest rotation that takes +z to direction (any length but zero).
inline Quat rotation_from_z(const Vec3& direction) {
  const Vec3 d = direction.normalized();
  const Vec3 axis = Vec3::UnitZ().cross(d);
  const double s = axis.norm();
  if (s < kAlongZ) return d.z() > 0 ? Quat(1, 0, 0, 0) : Quat(0, 1, 0, 0);
  const double angle = std::atan2(s, d.z());
  const Vec3 v = axis * (std::sin(0.5 * angle) / s);
  return {std::cos(0.5 * angle), v.x(), v.y(), v.z()};
}

// q <- q * exp(omega_B * h) for omega in the turning frame; kept at unit length.
inline void turn(Quat& q, const Vec3& omega_B, double h) {
  q = q * exp_rotation(omega_B * h);
  q.normalize();
}

}  // namespace abut
