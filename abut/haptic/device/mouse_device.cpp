#include "abut/haptic/device/mouse_device.h"

#include <cmath>

namespace abut::haptic {

namespace {

constexpr double kMouseMass = 0.15, kMouseStiffness = 300;  // kg, N/m; critically damped

}  // namespace

DeviceInfo MouseDevice::info() const {
  return {.name = "mouse", .feels_force = false, .feels_torque = false, .turns = false};
}

void MouseDevice::start(double cycle) {
  hand_ = HeldMass(kMouseMass, 2 * std::sqrt(kMouseMass * kMouseStiffness), kMouseStiffness, cycle);
}

void MouseDevice::move_to(const Vec3& place) {
  asked_.back() = place;
  asked_.publish();
}

bool MouseDevice::read(HandSample& sample) {
  if (asked_.refresh()) goal_ = asked_.front();
  Vec3 offset = place_ - goal_;
  hand_.advance(offset, velocity_, force_);
  place_ = goal_ + offset;
  sample = {};
  sample.pose.p = place_;
  sample.linear_velocity = velocity_;
  sample.has_velocity = true;
  return true;
}

}  // namespace abut::haptic
