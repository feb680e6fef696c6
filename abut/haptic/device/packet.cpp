#include "abut/haptic/device/packet.h"

#include <bit>
#include <cstring>

namespace abut::haptic {

static_assert(std::endian::native == std::endian::little, "packets are copied as they are");

namespace {

constexpr std::array<char, 4> kHandMark{'a', 'b', 'h', 'd'}, kWrenchMark{'a', 'b', 'w', 'r'};

template <class T>
T get(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T>
void put(std::span<std::byte> bytes, std::size_t at, const T& value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
Vec3 get_vector(std::span<const std::byte> bytes, std::size_t at) {
  return {get<double>(bytes, at), get<double>(bytes, at + 8), get<double>(bytes, at + 16)};
}
void put_vector(std::span<std::byte> bytes, std::size_t at, const Vec3& v) {
  for (int i = 0; i < 3; ++i) put(bytes, at + 8 * static_cast<std::size_t>(i), v[i]);
}

bool has_head(std::span<const std::byte> bytes, const std::array<char, 4>& mark, std::size_t size) {
  return bytes.size() == size && std::memcmp(bytes.data(), mark.data(), 4) == 0 &&
         get<std::uint16_t>(bytes, 4) == kPacketVersion && get<std::uint16_t>(bytes, 6) == size &&
         get<std::uint32_t>(bytes, 16) <= 1 && get<std::uint32_t>(bytes, 20) == 0;
}
void put_head(std::span<std::byte> bytes, const std::array<char, 4>& mark) {
  std::memcpy(bytes.data(), mark.data(), 4);
  put(bytes, 4, kPacketVersion);
  put(bytes, 6, static_cast<std::uint16_t>(bytes.size()));
}

}  // namespace

bool decode(std::span<const std::byte> bytes, HandPacket& packet) {
  if (!has_head(bytes, kHandMark, kHandBytes)) return false;
  packet.sequence = get<std::uint32_t>(bytes, 8);
  packet.time = get<double>(bytes, 24);
  HandSample& s = packet.sample;
  s.buttons = get<std::uint32_t>(bytes, 12);
  s.has_velocity = get<std::uint32_t>(bytes, 16) == 1;
  s.pose.p = get_vector(bytes, 32);
  s.pose.q = Quat(get<double>(bytes, 56), get<double>(bytes, 64), get<double>(bytes, 72),
                  get<double>(bytes, 80));
  s.linear_velocity = get_vector(bytes, 88);
  s.angular_velocity = get_vector(bytes, 112);
  return true;
}

bool decode(std::span<const std::byte> bytes, WrenchPacket& packet) {
  if (!has_head(bytes, kWrenchMark, kWrenchBytes)) return false;
  packet.sequence = get<std::uint32_t>(bytes, 8);
  packet.answers = get<std::uint32_t>(bytes, 12);
  packet.last = get<std::uint32_t>(bytes, 16) == 1;
  packet.wrench = {get_vector(bytes, 24), get_vector(bytes, 48)};
  return true;
}

std::array<std::byte, kHandBytes> encoded(const HandPacket& packet) {
  std::array<std::byte, kHandBytes> bytes{};
  put_head(bytes, kHandMark);
  const std::span<std::byte> b(bytes);
  put(b, 8, packet.sequence);
  put(b, 12, packet.sample.buttons);
  put(b, 16, std::uint32_t{packet.sample.has_velocity ? 1u : 0u});
  put(b, 24, packet.time);
  const HandSample& s = packet.sample;
  put_vector(b, 32, s.pose.p);
  put(b, 56, s.pose.q.w()), put(b, 64, s.pose.q.x()), put(b, 72, s.pose.q.y());
  put(b, 80, s.pose.q.z());
  put_vector(b, 88, s.linear_velocity);
  put_vector(b, 112, s.angular_velocity);
  return bytes;
}

std::array<std::byte, kWrenchBytes> encoded(const WrenchPacket& packet) {
  std::array<std::byte, kWrenchBytes> bytes{};
  put_head(bytes, kWrenchMark);
  const std::span<std::byte> b(bytes);
  put(b, 8, packet.sequence);
  put(b, 12, packet.answers);
  put(b, 16, std::uint32_t{packet.last ? 1u : 0u});
  put_vector(b, 24, packet.wrench.force);
  put_vector(b, 48, packet.wrench.torque);
  return bytes;
}

}  // namespace abut::haptic
