// Device: a haptic device as the loop sees it: where the hand is, and what it is to feel. SI units.
//
// The frame of a device is its own; Workspace (coupling/workspace.h) places it in the world. A
// device is used by one thread at a time, in real time: read() and write() return at once, allocate
// nothing and take no lock.
//
//   abut::haptic::HandSample hand;
//   if (device.read(hand)) use(hand.pose);
//   device.write({.force = {0, 0, 1}});
#pragma once

#include <cstdint>
#include <string>

#include "abut/math/types.h"

namespace abut::haptic {

// What a device says of the hand.
struct HandSample {
  Pose pose;                             // m, unit quaternion
  Vec3 linear_velocity = Vec3::Zero();   // m/s
  Vec3 angular_velocity = Vec3::Zero();  // rad/s, axes of the device
  bool has_velocity = false;             // else the loop takes differences
  std::uint32_t buttons = 0;             // bit 0: the clutch
};

inline constexpr std::uint32_t kClutchButton = 1;

// What the hand is to feel: axes of the device, torque about the hand's origin.
struct HandWrench {
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N m
};

struct DeviceInfo {
  std::string name;
  bool feels_force = true, feels_torque = true;
  bool turns = true;        // has an orientation
  double force_limit = 0;   // N; 0: the device does not say
  double torque_limit = 0;  // N m
};

class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceInfo info() const = 0;
  // The loop begins, with cycles of so many seconds. Not in real time: it may allocate and wait.
  virtual void start(double /*cycle*/) {}
  // The newest sample; false: none has come since the last.
  virtual bool read(HandSample& sample) = 0;
  virtual void write(const HandWrench& wrench) = 0;
  // The loop has ended. The device lets go of the hand.
  virtual void stop() {}
};

}  // namespace abut::haptic
