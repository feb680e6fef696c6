#include "abut/haptic/device/udp_device.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "abut/haptic/device/packet.h"

namespace abut::haptic {

namespace {

constexpr double kOthersAfter = 1;  // s of silence, until another bridge is heard
constexpr int kMostPackets = 32;    // of a cycle: a flood must not make it late

}  // namespace

UdpDevice::UdpDevice(const std::string& address, std::uint16_t port) : address_(address) {
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_port = htons(port);
  if (inet_pton(AF_INET, address.c_str(), &own.sin_addr) != 1)
    throw std::runtime_error(
        fmt::format("udp: '{}' is no address; write one such as 127.0.0.1", address));
  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  socklen_t size = sizeof own;
  if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&own), sizeof own) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size) != 0) {
    const int why = errno;
    if (socket_ >= 0) close(socket_);
    throw std::runtime_error(
        fmt::format("udp: cannot listen on {}:{}: {}; choose another port by "
                    "--device udp:PORT",
                    address, port, std::strerror(why)));
  }
  port_ = ntohs(own.sin_port);
}

UdpDevice::~UdpDevice() { close(socket_); }

DeviceInfo UdpDevice::info() const { return {.name = fmt::format("udp:{}:{}", address_, port_)}; }

void UdpDevice::start(double cycle) { cycle_ = cycle; }

bool UdpDevice::read(HandSample& sample) {
  silent_ += cycle_;
  bool any = false;
  std::array<std::byte, 512> bytes;
  for (int n = 0; n < kMostPackets; ++n) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t got = recvfrom(socket_, bytes.data(), bytes.size(), MSG_TRUNC,
                                 reinterpret_cast<sockaddr*>(&from), &size);
    if (got < 0) break;
    HandPacket packet;
    const bool known = from.sin_addr.s_addr == bridge_address_ && from.sin_port == bridge_port_;
    const bool heard = bridge_address_ != 0 && silent_ <= kOthersAfter;
    if (static_cast<std::size_t>(got) > bytes.size() || (heard && !known) ||
        !decode(std::span<const std::byte>(bytes.data(), static_cast<std::size_t>(got)), packet) ||
        (heard && !is_later(packet.sequence, heard_))) {
      ++refused_;
      continue;
    }
    bridge_address_ = from.sin_addr.s_addr;
    bridge_port_ = from.sin_port;
    heard_ = packet.sequence;
    silent_ = 0;
    sample = packet.sample;
    any = true;
  }
  return any;
}

void UdpDevice::send(const HandWrench& wrench, bool last) {
  if (bridge_address_ == 0) return;
  const auto bytes = encoded(WrenchPacket{++sent_, heard_, last, wrench});
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = bridge_address_;
  to.sin_port = bridge_port_;
  // a bridge that has gone is noticed by its silence
  [[maybe_unused]] const ssize_t sent = sendto(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL,
                                               reinterpret_cast<sockaddr*>(&to), sizeof to);
}

void UdpDevice::write(const HandWrench& wrench) { send(wrench, false); }
void UdpDevice::stop() { send({}, true); }

}  // namespace abut::haptic
