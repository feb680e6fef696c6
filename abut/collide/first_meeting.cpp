#include "abut/collide/first_meeting.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/tolerances.h"
#include "abut/math/rotation.h"

namespace abut {

namespace {

constexpr int kMostQueries = 400;
// Fraction of the step. The search looks at touching solids again after at most this time, because
// a curved motion can lead them into each other and out again.
constexpr double kGlance = 1.0 / 64;

// Upper bound of the speed (m/s) that rotation adds to a point of the solid. The rotation of a
// sphere about its centre adds none.
double turning_speed(const Convex& solid, const GeomMotion& m, const Convex& other,
                     const GeomMotion& of_other) {
  const double omega = m.omega.norm();
  if (omega == 0) return 0;
  if (solid.is_half_space())  // at the place of the other solid
    return omega * ((of_other.start * other.center - m.pivot).norm() + other.radius);
  return omega * ((m.start * solid.center - m.pivot).norm() + solid.radius - solid.rounding);
}

// Whether the bounding balls of the two solids stay apart by `margin` (m) during the step.
bool pass_by(const Convex& A, const GeomMotion& a, const Convex& B, const GeomMotion& b, double h,
             double margin) {
  if (A.is_half_space() || B.is_half_space()) return false;
  const Vec3 center_a = a.start * A.center, center_b = b.start * B.center;
  const Vec3 c = center_b - center_a, v = b.velocity - a.velocity;
  const double t = v.isZero() ? 0 : std::clamp(-c.dot(v) / v.squaredNorm(), 0.0, h);
  // distance from the straight way: by rotation about the pivot and by the curvature
  const double off = h * (a.omega.norm() * (center_a - a.pivot).norm() +
                          b.omega.norm() * (center_b - b.pivot).norm()) +
                     0.125 * h * h * (b.bow - a.bow).norm();
  return (c + t * v).norm() > A.radius + B.radius + off + margin;
}

}  // namespace

Pose GeomMotion::at(double t, double h) const {
  const Quat turn = exp_rotation(t * omega);
  const Vec3 place = pivot + t * velocity + 0.5 * t * (t - h) * bow;
  return {place + turn * (start.p - pivot), (turn * start.q).normalized()};
}

GeomMotion GeomMotion::part(double t0, double t1, double h) const {
  return {at(t0, h), pivot + t0 * velocity + 0.5 * t0 * (t0 - h) * bow,
          velocity + 0.5 * (t0 + t1 - h) * bow, omega, bow};
}

Vec3 GeomMotion::velocity_at(const Vec3& p, double t, double h) const {
  const Vec3 place = pivot + t * velocity + 0.5 * t * (t - h) * bow;
  return velocity + (t - 0.5 * h) * bow + omega.cross(p - place);
}

std::optional<Meeting> first_meeting(Collider& collider, int a, const GeomMotion& motion_a, int b,
                                     const GeomMotion& motion_b, double h) {
  Patch patch;
  patch.geom_a = a, patch.geom_b = b;
  return first_meeting(collider, patch, motion_a, motion_b, h, 0);
}

std::optional<Meeting> first_meeting(Collider& collider, const Patch& patch,
                                     const GeomMotion& motion_a, const GeomMotion& motion_b,
                                     double h, double reach) {
  const int a = patch.geom_a, b = patch.geom_b;
  const Convex &A = collider.solids()[a], &B = collider.solids()[b];
  const double L =
      collider.sizes()[static_cast<std::size_t>(a)] + collider.sizes()[static_cast<std::size_t>(b)];
  const double touch = kMeetingTouch * L, deep = kMeetingDeep * L;
  if (pass_by(A, motion_a, B, motion_b, h, touch)) return {};
  const double turning =
      turning_speed(A, motion_a, B, motion_b) + turning_speed(B, motion_b, A, motion_a);
  const Vec3 velocity = motion_a.velocity - motion_b.velocity, bow = motion_a.bow - motion_b.bow;
  const auto look = [&](double t) {
    return collider.distance(patch, motion_a.at(t, h), motion_b.at(t, h), reach);
  };
  double t = 0, allowed = 0.5 * deep;
  for (int i = 0; i < kMostQueries && h - t > kMeetingStepLeft * h; ++i) {
    const Proximity d = look(t);
    const double most = d.normal.dot(velocity) + 0.5 * h * std::abs(d.normal.dot(bow)) + turning;
    if (i == 0) allowed += std::max(0.0, -d.distance);
    const double room = d.distance + allowed;  // how much nearer they may come
    if (most * (h - t) <= room) return {};
    if (d.distance > 2 * touch) {
      t += (d.distance - touch) / most;
      continue;
    }
    const Vec3 p = 0.5 * (d.p_A + d.p_B);
    const double approach =
        d.normal.dot(motion_a.velocity_at(p, t, h) - motion_b.velocity_at(p, t, h));
    if (!(room > 0)) return Meeting{t, std::max(approach, 0.0), t};
    if (approach > 0) {
      const double later = std::min({h, t + 2 * (touch + deep) / approach, t + kGlance * h});
      if (look(later).distance < -allowed) return Meeting{t, approach, later};
      t = later;
    } else {
      t += std::max(room / most, 0.25 * kGlance * h);
    }
  }
  // solids that grazed during the step may have met at its end
  const Proximity d = look(h);
  if (d.distance >= -allowed) return {};
  const Vec3 p = 0.5 * (d.p_A + d.p_B);
  const double approach =
      d.normal.dot(motion_a.velocity_at(p, h, h) - motion_b.velocity_at(p, h, h));
  return Meeting{t, std::max(approach, 0.0), h};
}

}  // namespace abut
