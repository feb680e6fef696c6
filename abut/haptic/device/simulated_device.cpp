#include "abut/haptic/device/simulated_device.h"

#include <cmath>

#include "abut/math/rotation.h"

namespace abut::haptic {

SimulatedDevice::SimulatedDevice(HandPath path, const HandImpedance& impedance)
    : path_(std::move(path)), impedance_(impedance) {}

DeviceInfo SimulatedDevice::info() const {
  return {.name = "simulated", .feels_force = true, .feels_torque = true, .turns = true};
}

void SimulatedDevice::start(double cycle) {
  cycle_ = cycle;
  mass_ = HeldMass(impedance_.mass, impedance_.damping, impedance_.stiffness, cycle);
  inertia_ =
      HeldMass(impedance_.inertia, impedance_.turn_damping, impedance_.turn_stiffness, cycle);
}

void SimulatedDevice::put(const Vec3& position, const Vec3& velocity) {
  const HandGoal goal = path_.at(time());
  offset_ = position - goal.position;
  rate_ = velocity - goal.velocity;
}

bool SimulatedDevice::read(HandSample& sample) {
  // the script's acceleration is small beside what the muscles follow with, and is left out
  if (cycles_ > 0) {
    mass_.advance(offset_, rate_, felt_.force);
    inertia_.advance(turned_, turn_rate_, felt_.torque);
  }
  const HandGoal goal = path_.at(time());
  ++cycles_;
  position_ = goal.position + offset_;
  velocity_ = goal.velocity + rate_;
  sample.pose.p = position_;
  if (impedance_.grid > 0)
    for (double& x : sample.pose.p) x = impedance_.grid * std::round(x / impedance_.grid);
  sample.pose.q = exp_rotation(turned_) * exp_rotation(goal.turn);
  sample.linear_velocity = velocity_;
  sample.angular_velocity = goal.turn_rate + turn_rate_;
  sample.has_velocity = impedance_.tells_velocity;
  sample.buttons = 0;
  return !disturb || disturb(time(), sample);
}

}  // namespace abut::haptic
