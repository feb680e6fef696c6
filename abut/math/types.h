// The number types of abut.
//
// Quat and the six-vectors are stored unaligned: their layout must not depend on
// the instruction set a user compiles with, or a program built with -mavx could
// not link to a library built without it.
//
//   abut::Pose X_WB{{0, 0, 1}, abut::Quat::Identity()};
//   abut::Vec3 p_W = X_WB * abut::Vec3(0.1, 0, 0);
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace abut {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using Vec4 = Eigen::Matrix<double, 4, 1, Eigen::DontAlign>;
using Vec6 = Eigen::Matrix<double, 6, 1, Eigen::DontAlign>;
using Mat6 = Eigen::Matrix<double, 6, 6, Eigen::DontAlign>;
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;

// Rigid placement X_AB of frame B in frame A: p_A = p + q * p_B.
struct Pose {
  Vec3 p = Vec3::Zero();
  Quat q = Quat::Identity();

  Vec3 operator*(const Vec3& point) const { return p + q * point; }
  Pose operator*(const Pose& other) const { return {p + q * other.p, q * other.q}; }
  Pose inverse() const {
    const Quat qi = q.conjugate();
    return {-(qi * p), qi};
  }
};

}  // namespace abut
