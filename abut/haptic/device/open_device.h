// open_device: a device by its name, as on the command line.
//
//   abut::haptic::HapticSettings hand = abut::haptic::haptic_settings(model, 1000);
//   std::unique_ptr<abut::haptic::Device> opened = abut::haptic::open_device("simulated", hand);
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "abut/haptic/device/device.h"
#include "abut/haptic/loop/haptic_settings.h"

namespace abut::haptic {

// A device that is not there, or cannot be opened; with what to do about it.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws DeviceError.
std::unique_ptr<Device> open_device(const std::string& name, const HapticSettings& settings);

std::vector<std::string> device_names();

}  // namespace abut::haptic
