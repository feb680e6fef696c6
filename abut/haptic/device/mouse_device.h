// MouseDevice: a hand on a screen: the mouse, keys or a gamepad of a page. It tells poses, some 60
// times a second; the hand between is a mass on a spring that follows them, so that what the loop
// sees is smooth. These devices cannot push back, but the hand gives way to what it feels.
//
//   abut::haptic::MouseDevice mouse;
//   mouse.ask({.place = p});                  // from any one thread
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
  void write(const HandWrench& wrench) override { felt_ = wrench; }

  // Where the hand is to go, from where the pointer was at the start.
  struct Asked {
    Vec3 place = Vec3::Zero();  // m
    Quat turn = Quat::Identity();
    std::uint32_t buttons = 0;
  };
  void ask(const Asked& asked);

 private:
  Snapshot<Asked> asked_;
  HeldMass hand_, wrist_;
  Asked goal_;
  Pose pose_{Vec3::Zero(), Quat::Identity()};
  Vec3 velocity_ = Vec3::Zero(), turning_ = Vec3::Zero();
  HandWrench felt_;
};

}  // namespace abut::haptic
