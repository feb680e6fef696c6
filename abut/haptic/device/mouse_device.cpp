#include "abut/haptic/device/mouse_device.h"

#include <cmath>

#include "abut/math/rotation.h"

namespace abut::haptic {

namespace {

// Critically damped.
constexpr double kMouseMass = 0.15, kMouseStiffness = 300;         // kg, N/m
constexpr double kMouseInertia = 0.0002, kMouseTurnStiffness = 1;  // kg m^2, N m/rad

HeldMass held(double mass, double stiffness, double cycle) {
  return {mass, 2 * std::sqrt(mass * stiffness), stiffness, cycle};
}

}  // namespace

DeviceInfo MouseDevice::info() const {
  return {.name = "mouse", .feels_force = false, .feels_torque = false};
}

void MouseDevice::start(double cycle) {
  hand_ = held(kMouseMass, kMouseStiffness, cycle);
  wrist_ = held(kMouseInertia, kMouseTurnStiffness, cycle);
}

void MouseDevice::ask(const Asked& asked) {
  asked_.back() = asked;
  asked_.publish();
}

bool MouseDevice::read(HandSample& sample) {
  if (asked_.refresh()) goal_ = asked_.front();
  Vec3 offset = pose_.p - goal_.place;
  hand_.advance(offset, velocity_, felt_.force);
  pose_.p = goal_.place + offset;
  Vec3 turned = log_rotation(pose_.q * goal_.turn.conjugate());
  wrist_.advance(turned, turning_, felt_.torque);
  pose_.q = (exp_rotation(turned) * goal_.turn).normalized();
  sample = {.pose = pose_,
            .linear_velocity = velocity_,
            .angular_velocity = turning_,
            .has_velocity = true,
            .buttons = goal_.buttons};
  return true;
}

}  // namespace abut::haptic
