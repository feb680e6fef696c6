#include "abut/load/mjcf/mjcf_orientation.h"

#include <cmath>
#include <numbers>

#include "abut/load/attributes.h"
#include "abut/load/tolerances.h"
#include "abut/math/rotation.h"

namespace abut {
namespace {

Vec3 unit(const Element& e, std::string_view attribute, const Vec3& v) {
  const double length = v.norm();
  if (!(length > kShortestAxis))
    fail(e, attribute, "the axis has no length; write one such as 0 0 1");
  return v / length;
}

Quat about(const Vec3& axis, double angle) {
  const Vec3 v = std::sin(0.5 * angle) * axis;
  return {std::cos(0.5 * angle), v.x(), v.y(), v.z()};
}

}  // namespace

double AngleRules::radians(double angle) const {
  return degrees ? angle / 180.0 * std::numbers::pi : angle;
}

Quat euler_rotation(const Vec3& angles, const AngleRules& rules) {
  Quat q = Quat::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = rules.eulerseq[static_cast<std::size_t>(i)];
    const bool moving = letter >= 'x';
    const Quat turn = about(Vec3::Unit(letter - (moving ? 'x' : 'X')), rules.radians(angles[i]));
    q = moving ? q * turn : turn * q;
  }
  return q.normalized();
}

Orientation read_orientation(const Element& e, const AngleRules& rules, Quat& q) {
  int given = 0;
  Orientation kind = Orientation::absent;
  const auto set = [&](const Quat& value, Orientation k) {
    q = value;
    kind = k;
    ++given;
  };

  Vec4 four;
  Vec3 three;
  std::array<double, 6> six{};
  if (read(e, "quat", four)) {
    if (!(four.norm() > kShortestAxis))
      fail(e, "quat", "all its parts are zero; write 1 0 0 0 for no rotation");
    set(Quat(four[0], four[1], four[2], four[3]).normalized(), Orientation::quat);
  }
  if (read(e, "axisangle", four))
    set(about(unit(e, "axisangle", four.head<3>()), rules.radians(four[3])),
        Orientation::alternative);
  if (read(e, "xyaxes", six)) {
    const Vec3 x = unit(e, "xyaxes", Vec3(six[0], six[1], six[2]));
    const Vec3 y_raw(six[3], six[4], six[5]);
    const Vec3 y = unit(e, "xyaxes", y_raw - x.dot(y_raw) * x);
    Mat3 axes;
    axes << x, y, x.cross(y);
    set(Quat(axes).normalized(), Orientation::alternative);
  }
  if (read(e, "zaxis", three))
    set(rotation_from_z(unit(e, "zaxis", three)), Orientation::alternative);
  if (read(e, "euler", three)) set(euler_rotation(three, rules), Orientation::alternative);

  if (given > 1)
    fail(e, "more than one orientation; keep one of quat, axisangle, xyaxes, zaxis, euler");
  return kind;
}

void read_pose(const Element& e, const AngleRules& rules, Pose& pose) {
  read(e, "pos", pose.p);
  read_orientation(e, rules, pose.q);
}

}  // namespace abut
