// Messages of the protocol for devices over a WebSocket (docs/haptics.md), version 1: one JSON object
// each. What is not exactly as described is refused, with a sentence that says why.
//
//   {"abut": "hand", "version": 1, "sequence": 7, "position": [0, 0, 0.1],
//    "quaternion": [1, 0, 0, 0], "linear_velocity": [0, 0, 0], "angular_velocity": [0, 0, 0],
//    "buttons": 0}
//   {"abut": "wrench", "version": 1, "answers": 7, "force": [0, 0, 1], "torque": [0, 0, 0],
//    "last": false}
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "abut/haptic/device/device.h"

namespace abut::haptic {

inline constexpr int kMessageVersion = 1;
// A longer message is refused.
inline constexpr std::size_t kMostHandMessage = 4096;

struct HandMessage {
  std::uint32_t sequence = 0;
  HandSample sample;
};

// Why the text is no such message; empty: it is one. Whether the numbers can be a hand is
// HandCheck's to say.
std::string why_no_hand(std::string_view text, HandMessage& message);

std::string wrench_message(std::uint32_t answers, const HandWrench& wrench, bool last);
std::string error_message(const std::string& why);

}  // namespace abut::haptic
