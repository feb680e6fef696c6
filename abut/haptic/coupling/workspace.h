// Workspace: places a device's frame in the world, and lets the hand be moved without the pointer.
//
//   p_W = p_0 + s R (p_D - p_D0)         q_W = R (q_D q_D0^-1) R^-1 q_0
//
// R turns the device's axes into those of the world, s is the scale. The two reference poses are
// set when the hand is caught: at the first sample, when the clutch is let go, and after a silence.
// So the pointer never jumps.
//
// Forces on the hand are scaled by `force_scale`, torques by force_scale / s: then force times
// velocity and torque times angular velocity are scaled alike, by force_scale / s, and a passive
// world stays passive.
#pragma once

#include "abut/haptic/coupling/coupling.h"
#include "abut/haptic/device/device.h"

namespace abut::haptic {

struct WorkspaceSettings {
  double scale = 1;              // m of the world for each m of the device
  double force_scale = 1;        // N on the hand for each N of the world
  Quat axes = Quat::Identity();  // R
};

class Workspace {
 public:
  // `place`: of the pointer's body frame at the start.
  Workspace(const WorkspaceSettings& settings, const Pose& place);

  // The next sample is a new beginning: the pointer stays where the hand is now.
  void catch_anew() { caught_ = false; }
  // Where the sample puts the hand in the world.
  const MovingFrame& move(const HandSample& sample);
  // The hand stays where it is.
  const MovingFrame& hold();
  const MovingFrame& hand() const { return hand_; }

  // What the device is to make of a wrench on the hand (world axes, about hand().X.p).
  HandWrench to_device(const Spatial& wrench) const;

 private:
  WorkspaceSettings settings_;
  bool caught_ = false;
  Pose device_, world_;  // reference
  MovingFrame hand_;
};

}  // namespace abut::haptic
