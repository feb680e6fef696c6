// Packets of the protocol for devices over UDP (docs/haptics.md), version 1. All numbers are
// little-endian; reals are IEEE doubles. A packet that is not exactly as described is refused.
//
//   hand, 136 bytes              wrench, 72 bytes
//    0  "abhd"                    0  "abwr"
//    4  u16 version = 1           4  u16 version = 1
//    6  u16 size = 136            6  u16 size = 72
//    8  u32 sequence              8  u32 sequence
//   12  u32 buttons              12  u32 sequence of the hand that it answers
//   16  u32 flags: 1 velocities  16  u32 flags: 1 last one, let go
//   20  u32 zero                 20  u32 zero
//   24  f64 time (s)             24  f64 force[3] (N)
//   32  f64 position[3] (m)      48  f64 torque[3] (N m)
//   56  f64 quaternion[4] wxyz
//   88  f64 linear velocity[3] (m/s)
//  112  f64 angular velocity[3] (rad/s)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "abut/haptic/device/device.h"

namespace abut::haptic {

inline constexpr std::uint16_t kPacketVersion = 1;
inline constexpr std::size_t kHandBytes = 136, kWrenchBytes = 72;

struct HandPacket {
  std::uint32_t sequence = 0;
  double time = 0;  // s, of the device's clock; for records
  HandSample sample;
};
struct WrenchPacket {
  std::uint32_t sequence = 0, answers = 0;
  bool last = false;
  HandWrench wrench;
};

// False: it is no such packet. Whether the numbers can be a hand is HandCheck's to say.
bool decode(std::span<const std::byte> bytes, HandPacket& packet);
bool decode(std::span<const std::byte> bytes, WrenchPacket& packet);
std::array<std::byte, kHandBytes> encoded(const HandPacket& packet);
std::array<std::byte, kWrenchBytes> encoded(const WrenchPacket& packet);

// Whether sequence number a comes after b; they wrap around.
inline bool is_later(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a - b) > 0;
}

}  // namespace abut::haptic
