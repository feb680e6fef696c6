// MouseDevice: a pointer on a screen as the hand. It tells places, some 60 times a second; the hand
// between is a mass on a spring that follows them, so that what the loop sees is smooth. The mouse
// cannot push back, but the hand gives way to what it feels.
//
//   abut::haptic::MouseDevice mouse;
//   mouse.move_to(p);                  // from any one thread
#pragma once

#include "abut/haptic/device/device.h"
#include "abut/haptic/device/held_mass.h"
#include "abut/haptic/loop/snapshot.h"

namespace abut::haptic {

class MouseDevice final : public Device {
 public:
  MouseDevice() = default;
  DeviceInfo info() const override;
  void start(double cycle) override;
  bool read(HandSample& sample) override;
  void write(const HandWrench& wrench) override { force_ = wrench.force; }

  // m, from where the pointer was at the start.
  void move_to(const Vec3& place);

 private:
  Snapshot<Vec3> asked_{Vec3::Zero()};
  HeldMass hand_;
  Vec3 goal_ = Vec3::Zero(), place_ = Vec3::Zero(), velocity_ = Vec3::Zero();
  Vec3 force_ = Vec3::Zero();
};

}  // namespace abut::haptic
