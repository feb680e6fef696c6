// Transform: a rigid placement with its rotation as a matrix, for computations that use it many
// times. Pose (types.h) is for storage, Transform for computation.
//
//   abut::Transform X_AB = abut::relative(X_WA, X_WB);
//   abut::Vec3 p_A = X_AB * p_B;
#pragma once

#include "abut/math/types.h"

namespace abut {

struct Transform {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  Transform() = default;
  Transform(const Mat3& rotation, const Vec3& position) : R(rotation), p(position) {}
  explicit Transform(const Pose& X) : R(X.q.toRotationMatrix()), p(X.p) {}

  Vec3 operator*(const Vec3& point) const { return p + R * point; }
  Transform operator*(const Transform& other) const { return {R * other.R, p + R * other.p}; }
  Transform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

// X_AB of two frames given in the world. The positions are subtracted first, so that only their own
// rounding is lost far from the origin.
inline Transform relative(const Pose& X_WA, const Pose& X_WB) {
  const Quat q_AW = X_WA.q.conjugate();
  return {(q_AW * X_WB.q).toRotationMatrix(), q_AW * (X_WB.p - X_WA.p)};
}

}  // namespace abut
