// SimulatedDevice: a hand that follows a script, and gives way to the forces that it feels.
//
// The hand and the handle that it holds are a mass; the muscles are a spring and a damper between
// it and the place where the script wants it. One read is one cycle. Encoders can be coarse, and
// velocities left to the loop, as with real devices.
//
//   abut::haptic::SimulatedDevice hand(path, {});
#pragma once

#include <functional>

#include "abut/haptic/device/device.h"
#include "abut/haptic/device/hand_path.h"
#include "abut/haptic/device/held_mass.h"

namespace abut::haptic {

struct HandImpedance {
  double mass = 0.15;          // kg, of hand and handle
  double damping = 5;          // N s/m
  double stiffness = 500;      // N/m
  double inertia = 0.0002;     // kg m^2
  double turn_damping = 0.02;  // N m s/rad
  double turn_stiffness = 2;   // N m/rad
  double grid = 0;             // m: step of the encoders; 0: exact
  bool tells_velocity = true;
};

class SimulatedDevice final : public Device {
 public:
  explicit SimulatedDevice(HandPath path, const HandImpedance& impedance = {});

  DeviceInfo info() const override;
  void start(double cycle) override;
  bool read(HandSample& sample) override;
  void write(const HandWrench& wrench) override { felt_ = wrench; }

  // For tests of what goes wrong: changes a sample, or drops it (false).
  std::function<bool(double time, HandSample& sample)> disturb;

  double time() const { return static_cast<double>(cycles_) * cycle_; }
  const HandWrench& felt() const { return felt_; }
  const Vec3& position() const { return position_; }
  const Vec3& velocity() const { return velocity_; }
  // Where the hand is, from now on moving so.
  void put(const Vec3& position, const Vec3& velocity);

 private:
  HandPath path_;
  HandImpedance impedance_;
  HeldMass mass_, inertia_;
  double cycle_ = 0;
  std::int64_t cycles_ = 0;
  Vec3 offset_ = Vec3::Zero(), rate_ = Vec3::Zero();  // from the script's place
  Vec3 turned_ = Vec3::Zero(), turn_rate_ = Vec3::Zero();
  Vec3 position_ = Vec3::Zero(), velocity_ = Vec3::Zero();
  HandWrench felt_;
};

}  // namespace abut::haptic
