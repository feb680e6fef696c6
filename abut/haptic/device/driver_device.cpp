#include "abut/haptic/device/driver_device.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <stdexcept>

#include "abut/haptic/device/driver.h"

namespace abut::haptic {

namespace {

class DriverDevice final : public Device {
 public:
  DriverDevice(const abut_driver* driver, void* device) : driver_(driver), device_(device) {}
  ~DriverDevice() override { driver_->close(device_); }

  DeviceInfo info() const override {
    return {.name = driver_->name,
            .force_limit = driver_->force_limit,
            .torque_limit = driver_->torque_limit};
  }
  bool read(HandSample& sample) override {
    abut_hand hand{};
    if (driver_->read(device_, &hand) <= 0) return false;
    sample.pose.p = Vec3(hand.position[0], hand.position[1], hand.position[2]);
    sample.pose.q =
        Quat(hand.quaternion[0], hand.quaternion[1], hand.quaternion[2], hand.quaternion[3]);
    sample.linear_velocity =
        Vec3(hand.linear_velocity[0], hand.linear_velocity[1], hand.linear_velocity[2]);
    sample.angular_velocity =
        Vec3(hand.angular_velocity[0], hand.angular_velocity[1], hand.angular_velocity[2]);
    sample.has_velocity = hand.has_velocity != 0;
    sample.buttons = hand.buttons;
    return true;
  }
  void write(const HandWrench& w) override {
    const abut_wrench wrench{{w.force.x(), w.force.y(), w.force.z()},
                             {w.torque.x(), w.torque.y(), w.torque.z()}};
    driver_->write(device_, &wrench);
  }
  void stop() override { write({}); }

 private:
  const abut_driver* driver_;
  void* device_;
};

// The colon after ".so", if there are options.
std::size_t end_of_file(const std::string& name) {
  const std::size_t at = name.find(".so:");
  return at == std::string::npos ? name.size() : at + 3;
}

}  // namespace

bool is_driver(const std::string& name) {
  return name.substr(0, end_of_file(name)).ends_with(".so");
}

std::unique_ptr<Device> open_driver(const std::string& name) {
  const std::size_t end = end_of_file(name);
  const std::string file = name.substr(0, end),
                    options = end < name.size() ? name.substr(end + 1) : "";
  const auto fail = [&](const std::string& why) {
    throw std::runtime_error(fmt::format("driver '{}': {}", file, why));
  };
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(file, error);
  if (!std::filesystem::is_regular_file(path, error)) fail("there is no such file");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(fmt::format("it cannot be loaded: {}", dlerror()));
  const auto entry = reinterpret_cast<abut_driver_entry>(dlsym(library, "abut_haptic_driver"));
  if (entry == nullptr)
    fail("it exports no abut_haptic_driver (abut/haptic/device/driver.h says what a driver is)");
  const abut_driver* driver = entry();
  if (driver == nullptr) fail("its abut_haptic_driver returns nothing");
  if (driver->version != ABUT_DRIVER_VERSION)
    fail(fmt::format("it has version {} of the interface of drivers, and this abut version {}",
                     driver->version, ABUT_DRIVER_VERSION));
  if (driver->size != sizeof(abut_driver))
    fail(fmt::format("its abut_driver has {} bytes, and abut's {}: build it with abut's driver.h",
                     driver->size, sizeof(abut_driver)));
  if (driver->name == nullptr || driver->open == nullptr || driver->read == nullptr ||
      driver->write == nullptr || driver->close == nullptr)
    fail("its abut_driver lacks a name or a function");
  std::array<char, 256> why{};
  void* device = driver->open(options.c_str(), why.data(), why.size());
  why.back() = '\0';
  if (device == nullptr)
    fail(why[0] == '\0' ? "its device cannot be opened" : std::string(why.data()));
  return std::make_unique<DriverDevice>(driver, device);
}

}  // namespace abut::haptic
