#include "abut/haptic/device/open_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "abut/haptic/device/driver_device.h"
#include "abut/haptic/device/haply_device.h"
#include "abut/haptic/device/mouse_device.h"
#include "abut/haptic/device/udp_device.h"
#include "abut/haptic/device/websocket_device.h"
#include "abut/math/suggest.h"

namespace abut::haptic {

std::vector<std::string> device_names() {
  return {"simulated", "mouse", "udp", "ws", "haply", "FILE.so (a driver)"};
}

namespace {

std::uint16_t port_of(std::string_view kind, std::string_view text, std::uint16_t standard) {
  int port = standard;
  if (text.empty()) return standard;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port < 0 || port > 65535)
    throw DeviceError(
        fmt::format("{0}: '{1}' is no port; write {0}:PORT, from 0 to 65535", kind, text));
  return static_cast<std::uint16_t>(port);
}

// "udp", "udp:PORT", "udp:ADDRESS:PORT"
std::unique_ptr<Device> open_udp(std::string_view rest) {
  std::string address = "127.0.0.1";
  if (const auto colon = rest.rfind(':'); colon != std::string_view::npos) {
    address = rest.substr(0, colon);
    rest = rest.substr(colon + 1);
  }
  return std::make_unique<UdpDevice>(address, port_of("udp", rest, kUdpPort));
}

std::unique_ptr<Device> open_by_name(const std::string& name, const HapticSettings& settings) {
  if (is_driver(name)) return open_driver(name);
  const std::string kind = name.substr(0, name.find(':')),
                    rest = kind.size() < name.size() ? name.substr(kind.size() + 1) : "";
  if (name == "simulated")
    return std::make_unique<SimulatedDevice>(settings.path, settings.impedance);
  if (name == "mouse") return std::make_unique<MouseDevice>();
  if (kind == "udp") return open_udp(rest);
  if (kind == "ws") return std::make_unique<WebSocketDevice>(port_of("ws", rest, kWebSocketPort));
  if (kind == "haply")
    return std::make_unique<HaplyDevice>(rest.empty() ? "ws://localhost:10001" : rest);
  const std::vector<std::string> all = device_names();
  throw DeviceError(
      fmt::format("there is no such device{}; there are {}",
                  did_you_mean(name, std::vector<std::string_view>(all.begin(), all.end())),
                  fmt::join(all, ", ")));
}

}  // namespace

std::unique_ptr<Device> open_device(const std::string& name, const HapticSettings& settings) {
  try {
    return open_by_name(name, settings);
  } catch (const std::runtime_error& e) {
    throw DeviceError(fmt::format("--device {}: {}", name, e.what()));
  }
}

}  // namespace abut::haptic
