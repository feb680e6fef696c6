// Haply's messages (Inverse Service 3.1 and later): JSON over a WebSocket, ws://localhost:10001.
//
// The service sends the state of each device, and sends the next after a command has come:
//
//   {"inverse3": [{"device_id": "04F3", "state": {"cursor_position": {"x": 0, "y": 0, "z": 0},
//                                                "cursor_velocity": {..}}}],
//    "wireless_verse_grip": [{"device_id": "61F0", "state": {"orientation": {"w": 1, "x": 0, ..},
//                                                            "buttons": {"a": false, ..}}}]}
//
//   {"inverse3": [{"device_id": "04F3", "commands": {"set_cursor_force": {"values": {"x": 0, ..}}}}]}
#pragma once

#include <string>
#include <string_view>

#include "abut/haptic/device/device.h"

namespace abut::haptic {

// The first Inverse3 of a message and the first grip, wireless or not. Keeps in `sample` and
// `device` what the message says nothing of. False: there is no position in it, or it is no JSON of
// this form.
bool read_haply(std::string_view message, std::string& device, HandSample& sample);

// What makes the device push.
std::string haply_force(const std::string& device, const Vec3& force);

}  // namespace abut::haptic
