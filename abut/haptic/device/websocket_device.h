// WebSocketDevice: any device whose bridge speaks the messages of hand_message.h, from a program or
// from a page in a browser on this machine.
//
// abut listens on loopback and serves one bridge at a time; each hand is answered by the newest
// wrench. Socket and JSON have a thread of their own, which exchanges samples and wrenches with the
// loop by lock-free slots.
//
//   abut::haptic::WebSocketDevice device(10201);
#pragma once

#include <atomic>
#include <cstdint>

#include "abut/haptic/device/device.h"
#include "abut/haptic/device/websocket.h"
#include "abut/haptic/loop/snapshot.h"

namespace abut::haptic {

inline constexpr std::uint16_t kWebSocketPort = 10201;

class WebSocketDevice final : public Device {
 public:
  // Port 0: any that is free. Throws std::runtime_error.
  explicit WebSocketDevice(std::uint16_t port = kWebSocketPort);

  DeviceInfo info() const override;
  bool read(HandSample& sample) override;
  void write(const HandWrench& wrench) override;
  void stop() override;

  std::uint16_t port() const { return server_.port(); }
  std::int64_t refused() const { return refused_; }  // messages

 private:
  void talk(const WebSocketServer::Receive& receive, const WebSocketServer::Send& send);

  Snapshot<HandSample> sample_;
  Snapshot<HandWrench> wrench_;
  std::atomic<bool> last_{false};
  std::atomic<std::int64_t> refused_{0};
  WebSocketServer server_;  // last: its thread uses the others
};

}  // namespace abut::haptic
