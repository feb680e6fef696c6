#include "abut/haptic/device/haply_device.h"

#include <chrono>

#include "abut/haptic/device/haply_messages.h"

namespace abut::haptic {

HaplyDevice::HaplyDevice(const std::string& address)
    : address_(address),
      socket_(parse_address(address).host, parse_address(address).port,
              parse_address(address).path) {
  thread_ = std::thread([this] { talk(); });
}

HaplyDevice::~HaplyDevice() {
  stop_ = true;
  socket_.close();
  thread_.join();
}

DeviceInfo HaplyDevice::info() const {
  return {.name = "haply " + address_, .feels_torque = false, .force_limit = 10};
}

bool HaplyDevice::read(HandSample& sample) {
  if (!sample_.refresh()) return false;
  sample = sample_.front();
  return true;
}

void HaplyDevice::write(const HandWrench& wrench) {
  force_.back() = wrench.force;
  force_.publish();
}

void HaplyDevice::stop() {
  write({});
  // the thread sends it with the next state, which comes within a millisecond or so
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void HaplyDevice::talk() {
  std::string text, device;
  HandSample sample;
  while (!stop_ && socket_.receive(text)) {
    if (read_haply(text, device, sample)) {
      sample_.back() = sample;
      sample_.publish();
    }
    force_.refresh();
    // the service sends the next state after a command
    if (!device.empty() && !socket_.send(haply_force(device, force_.front()))) break;
  }
  if (!device.empty()) socket_.send(haply_force(device, Vec3::Zero()));
  connected_ = false;
}

}  // namespace abut::haptic
