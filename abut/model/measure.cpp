#include "abut/model/measure.h"

#include <cmath>
#include <numbers>

#include "abut/math/rotation.h"

namespace abut {

namespace {

// The angle of x_G about z_F, and its rate per relative omega: x_G' = omega x x_G seen from F.
MeasureNow turn(const Pose& F, const Pose& G) {
  const Vec3 x = G.q * Vec3::UnitX(), x0 = F.q * Vec3::UnitX(), y0 = F.q * Vec3::UnitY();
  const double c = x.dot(x0), s = x.dot(y0), square = c * c + s * s;
  if (!(square > 0)) return {0, G.p, {}};  // along the axis: there is no angle
  return {std::atan2(s, c), G.p, {Vec3::Zero(), x.cross(Vec3(c * y0 - s * x0)) / square}};
}

MeasureNow shift(const Pose& F, const Pose& G) {
  const Vec3 z = F.q * Vec3::UnitZ();
  return {z.dot(G.p - F.p), G.p, {z, Vec3::Zero()}};
}

// |r| of F' G = exp(r): its rate is omega along r. Where they agree there is no direction.
MeasureNow angle(const Pose& F, const Pose& G) {
  const Vec3 r = log_rotation(F.q.conjugate() * G.q);
  const double a = r.norm();
  return {a, G.p, {Vec3::Zero(), a > 0 ? Vec3(F.q * (r / a)) : Vec3::Zero()}};
}

MeasureNow spin(const JointMeasure& m, const Pose& F, const Pose& G) {
  const Vec3 r = log_rotation(F.q.conjugate() * G.q);
  return {r.dot(m.axis), G.p, {Vec3::Zero(), (m.axis_in_first ? F.q : G.q) * m.axis}};
}

}  // namespace

MeasureNow measure(const JointMeasure& m, const Pose& F, const Pose& G, double last) {
  MeasureNow now;
  switch (m.kind) {
    case MeasureKind::turn:
      now = turn(F, G);
      break;
    case MeasureKind::shift:
      now = shift(F, G);
      break;
    case MeasureKind::angle:
      now = angle(F, G);
      break;
    case MeasureKind::spin:
      now = spin(m, F, G);
      break;
  }
  now.value = m.offset + m.scale * now.value;
  now.w = now.w * m.scale;
  if (m.kind == MeasureKind::turn)
    now.value = last + std::remainder(now.value - last, 2 * std::numbers::pi);
  return now;
}

}  // namespace abut
