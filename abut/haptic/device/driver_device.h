// DriverDevice: a device of a driver, which is a shared library (driver.h).
//
//   auto device = abut::haptic::open_driver("./libmydevice.so:7");
#pragma once

#include <memory>
#include <string>

#include "abut/haptic/device/device.h"

namespace abut::haptic {

// "FILE.so" or "FILE.so:OPTIONS". Throws std::runtime_error that says what does not fit.
std::unique_ptr<Device> open_driver(const std::string& file_and_options);

// Whether a name is that of a driver's file.
bool is_driver(const std::string& name);

}  // namespace abut::haptic
