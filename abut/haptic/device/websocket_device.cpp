#include "abut/haptic/device/websocket_device.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "abut/haptic/device/hand_message.h"

namespace abut::haptic {

WebSocketDevice::WebSocketDevice(std::uint16_t port)
    : server_([this](const auto& receive, const auto& send) { talk(receive, send); }, port) {}

DeviceInfo WebSocketDevice::info() const {
  return {.name = fmt::format("ws:127.0.0.1:{}", server_.port())};
}

bool WebSocketDevice::read(HandSample& sample) {
  if (!sample_.refresh()) return false;
  sample = sample_.front();
  return true;
}

void WebSocketDevice::write(const HandWrench& wrench) {
  wrench_.back() = wrench;
  wrench_.publish();
}

void WebSocketDevice::stop() {
  write({});
  last_ = true;
  // it goes out with the answer to the next hand, which comes within some milliseconds
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void WebSocketDevice::talk(const WebSocketServer::Receive& receive,
                           const WebSocketServer::Send& send) {
  std::string text;
  while (receive(text)) {
    HandMessage hand;
    if (const std::string why = why_no_hand(text, hand); !why.empty()) {
      ++refused_;
      if (!send(error_message(why))) return;
      continue;
    }
    sample_.back() = hand.sample;
    sample_.publish();
    wrench_.refresh();
    const bool last = last_;
    if (!send(wrench_message(hand.sequence, wrench_.front(), last)) || last) return;
  }
}

}  // namespace abut::haptic
