// HaplyDevice: an Inverse3 of Haply, by its service on this machine (haply_messages.h).
//
// The socket and its JSON have a thread of their own; the loop exchanges samples and forces with
// that thread by lock-free slots.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "abut/haptic/device/device.h"
#include "abut/haptic/device/websocket.h"
#include "abut/haptic/loop/snapshot.h"

namespace abut::haptic {

class HaplyDevice final : public Device {
 public:
  // Throws std::runtime_error if the service does not answer.
  explicit HaplyDevice(const std::string& address = "ws://localhost:10001");
  ~HaplyDevice() override;

  DeviceInfo info() const override;
  bool read(HandSample& sample) override;
  void write(const HandWrench& wrench) override;
  void stop() override;

  bool connected() const { return connected_; }

 private:
  void talk();

  std::string address_;
  WebSocketClient socket_;
  Snapshot<HandSample> sample_;
  Snapshot<Vec3> force_{Vec3::Zero()};
  std::atomic<bool> stop_{false}, connected_{true};
  std::thread thread_;
};

}  // namespace abut::haptic
