// UdpDevice: any device whose bridge speaks the protocol of packet.h.
//
// abut listens; a bridge sends hand packets and gets a wrench packet for each cycle. The first
// bridge is served until it has been silent for a second; packets of others are refused meanwhile.
// Old and doubled packets are dropped. Nothing blocks: the socket is read and written by the loop
// itself.
//
//   abut::haptic::UdpDevice device("127.0.0.1", 10200);
#pragma once

#include <cstdint>
#include <string>

#include "abut/haptic/device/device.h"

namespace abut::haptic {

inline constexpr std::uint16_t kUdpPort = 10200;

class UdpDevice final : public Device {
 public:
  // An address of this machine; port 0: any that is free. Throws std::runtime_error.
  explicit UdpDevice(const std::string& address = "127.0.0.1", std::uint16_t port = kUdpPort);
  ~UdpDevice() override;
  UdpDevice(const UdpDevice&) = delete;
  UdpDevice& operator=(const UdpDevice&) = delete;

  DeviceInfo info() const override;
  void start(double cycle) override;
  bool read(HandSample& sample) override;
  void write(const HandWrench& wrench) override;
  void stop() override;

  std::uint16_t port() const { return port_; }
  std::int64_t refused() const { return refused_; }  // packets

 private:
  void send(const HandWrench& wrench, bool last);

  std::string address_;
  int socket_ = -1;
  std::uint16_t port_ = 0;
  std::uint32_t bridge_address_ = 0;  // 0: none; as the network has it
  std::uint16_t bridge_port_ = 0;
  std::uint32_t heard_ = 0, sent_ = 0;
  double cycle_ = 0.001, silent_ = 0;  // s
  std::int64_t refused_ = 0;
};

}  // namespace abut::haptic
