#include "abut/haptic/device/hand_check.h"

#include <cmath>

#include "abut/haptic/tolerances.h"
#include "abut/math/rotation.h"

namespace abut::haptic {

HandCheck::Verdict HandCheck::refuse() {
  ++refused_;
  return Verdict::refused;
}

HandCheck::Verdict HandCheck::look(HandSample& s, double elapsed) {
  const bool finite =
      s.pose.p.allFinite() && s.pose.q.coeffs().allFinite() &&
      (!s.has_velocity || (s.linear_velocity.allFinite() && s.angular_velocity.allFinite()));
  if (!finite || s.pose.p.norm() > kFarthest) return refuse();
  const double length = s.pose.q.norm();
  if (std::abs(length - 1) > kQuaternionError) return refuse();
  s.pose.q.coeffs() /= length;
  if (s.has_velocity && s.linear_velocity.norm() > kFastest) return refuse();

  bool elsewhere = !begun_;
  if (begun_ && (s.pose.p - last_.p).norm() > kFastest * elapsed) {
    const bool stays = jumps_ > 0 && (s.pose.p - doubtful_.p).norm() <= kFastest * elapsed;
    jumps_ = stays ? jumps_ + 1 : 1;
    doubtful_ = s.pose;
    if (jumps_ < kBelieved) return refuse();
    elsewhere = true;
  }
  jumps_ = 0;
  if (!s.has_velocity) {
    if (elsewhere) {
      velocity_.setZero();
      turn_rate_.setZero();
    } else {
      const double part = -std::expm1(-kSmoothing * elapsed);
      const Vec3 turned = log_rotation(s.pose.q * last_.q.conjugate());
      velocity_ += part * ((s.pose.p - last_.p) / elapsed - velocity_);
      turn_rate_ += part * (turned / elapsed - turn_rate_);
    }
    s.linear_velocity = velocity_;
    s.angular_velocity = turn_rate_;
  }
  last_ = s.pose;
  begun_ = true;
  return elsewhere ? Verdict::jumped : Verdict::good;
}

}  // namespace abut::haptic
