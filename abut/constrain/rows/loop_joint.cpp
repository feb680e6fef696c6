#include "abut/constrain/rows/loop_joint.h"

#include <cmath>
#include <numbers>

#include "abut/dynamics/tolerances.h"
#include "abut/math/rotation.h"

namespace abut {

namespace {

struct Rows {
  std::array<LoopRow, 6>& row;
  int count = 0;

  // A row for relative motion: w . (twist of B - twist of A), at B.p.
  void add(double error, bool angle, const Spatial& w) {
    row[static_cast<std::size_t>(count++)] = {error, angle, w * -1, w};
  }
  // u . d, u fixed in A: u moves with A, so that A's point at B.p is relevant.
  void along(const Vec3& u, const Vec3& d) { add(u.dot(d), false, {u, Vec3::Zero()}); }
  // u . d, u fixed in the world: each body's own point is relevant.
  void meet(const Vec3& u, const Vec3& d) {
    row[static_cast<std::size_t>(count++)] = {u.dot(d), false, {-u, d.cross(u)}, {u, Vec3::Zero()}};
  }
  // u . w, u fixed in A, w in B: (omega_B - omega_A) . (w x u).
  void square(const Vec3& u, const Vec3& w) { add(u.dot(w), true, {Vec3::Zero(), w.cross(u)}); }
};

// The inverse of the left Jacobian of SO(3): r' = of(r) omega for R = exp(r), R' = [omega] R.
Mat3 inverse_left_jacobian(const Vec3& r) {
  const double a = r.norm();
  // 1/a^2 - (1 + cos a) / (2 a sin a), whose series begins 1/12 + a^2/720
  const double c = a < kSeriesAngle
                       ? 1.0 / 12 + a * a / 720
                       : 1 / (a * a) - 0.5 * std::cos(0.5 * a) / (a * std::sin(0.5 * a));
  const Mat3 R = skew(r);
  return Mat3::Identity() - 0.5 * R + c * R * R;
}

void same_rotation(Rows& rows, const Pose& A, const Pose& B) {
  const Vec3 r = log_rotation(A.q.conjugate() * B.q);
  const Mat3 J = inverse_left_jacobian(r);
  for (int k = 0; k < 3; ++k)
    rows.add(r[k], true, {Vec3::Zero(), A.q * Vec3(J.row(k).transpose())});
}

// Angle of a frame about the z axis of its orientation at qpos0, and its rate per omega.
struct Turn {
  double angle;
  Vec3 rate;
};

Turn turn_of(const Quat& now, const Quat& rest) {
  const Vec3 x = now * Vec3::UnitX(), x0 = rest * Vec3::UnitX(), y0 = rest * Vec3::UnitY();
  const double c = x.dot(x0), s = x.dot(y0);
  return {std::atan2(s, c), x.cross(Vec3(c * y0 - s * x0)) / (c * c + s * s)};
}

// Wheels mesh again after each tooth, so that the error is known up to whole teeth and is at most
// half a tooth.
LoopRow gear(const Equality& e, const Pose& A, const Pose& B) {
  const Turn a = turn_of(A.q, e.rest_first), b = turn_of(B.q, e.rest_second);
  const double n1 = e.teeth[0], n2 = e.teeth[1];
  const double phase = std::remainder(n1 * a.angle + n2 * b.angle, 2 * std::numbers::pi);
  return {phase / n1, true, {Vec3::Zero(), a.rate}, {Vec3::Zero(), (n2 / n1) * b.rate}};
}

}  // namespace

bool has_frames(EqualityType type) {
  return type != EqualityType::joint && type != EqualityType::tendon;
}

int loop_joint_rows(const Equality& e, const Pose& A, const Pose& B, std::array<LoopRow, 6>& row) {
  Rows rows{row};
  const Vec3 d = B.p - A.p;
  const Mat3 a = A.q.toRotationMatrix();
  const Vec3 z_B = B.q * Vec3::UnitZ();
  const auto same_point = [&] {
    for (int k = 0; k < 3; ++k) rows.meet(Vec3::Unit(k), d);
  };
  const auto on_axis = [&] {
    for (int k = 0; k < 2; ++k) rows.along(a.col(k), d);
  };
  const auto same_axis = [&] {
    for (int k = 0; k < 2; ++k) rows.square(a.col(k), z_B);
  };
  switch (e.type) {
    case EqualityType::connect:
      same_point();
      break;
    case EqualityType::weld:
      same_point();
      same_rotation(rows, A, B);
      break;
    case EqualityType::hinge:
      same_point();
      same_axis();
      break;
    case EqualityType::slide:
      on_axis();
      same_rotation(rows, A, B);
      break;
    case EqualityType::cylindrical:
      on_axis();
      same_axis();
      break;
    case EqualityType::universal:
      same_point();
      rows.square(a.col(2), z_B);
      break;
    case EqualityType::planar:
      rows.along(a.col(2), d);
      same_axis();
      break;
    case EqualityType::distance: {
      const double length = d.norm();
      const Vec3 n = length > 0 ? Vec3(d / length) : Vec3(a.col(2));
      rows.add(length - e.length, false, {n, Vec3::Zero()});
      break;
    }
    case EqualityType::gear:
      row[0] = gear(e, A, B);
      return 1;
    case EqualityType::joint:
    case EqualityType::tendon:
      break;
  }
  return rows.count;
}

}  // namespace abut
