// HapticSettings: what a world and the command line say of a haptic run.
//
//   abut::haptic::HapticSettings settings = abut::haptic::haptic_settings(model, 1000);
//
// A world names its pointer (abut.haptic.pointer; else a body called "pointer"). A mocap body is
// posed by the hand directly, as in Hasegawa and Fujii (5.4); a body on a free joint hangs on the
// virtual coupling.
#pragma once

#include <string>
#include <vector>

#include "abut/haptic/coupling/coupling.h"
#include "abut/haptic/coupling/workspace.h"
#include "abut/haptic/device/hand_path.h"
#include "abut/haptic/device/simulated_device.h"
#include "abut/model/model.h"

namespace abut::haptic {

enum class Hold { coupled, posed };
std::string_view name(Hold hold);

struct HapticSettings {
  int pointer = -1;  // body
  Hold hold = Hold::coupled;
  double rate = 1000;  // Hz: cycles of hand and force
  int steps = 1;       // of the simulation, in a cycle
  CouplingGains gains;
  WorkspaceSettings workspace;
  double most_force = 20, most_torque = 1;  // N, N m, of the world: the fail-safe's
  HandPath path;                            // of a simulated hand, in the device's frame
  HandImpedance impedance;                  // of a simulated hand

  double cycle() const { return 1 / rate; }
};

// `rate`: Hz. The step of the model must go into the cycle a whole number of times. Throws
// WorldError for settings that cannot be, with their place.
HapticSettings haptic_settings(const Model& model, double rate);

// The world with its pointer held in the other way: a free joint in place of mocap, or mocap in
// place of a free joint. Throws WorldError.
void hold_pointer(World& world, Hold hold);

// The body that a world names, else "pointer".
std::string pointer_name(const World& world);

// What there is to be known of the settings, a line each: a spring that the steps cannot follow.
std::vector<std::string> haptic_warnings(const Model& model, const HapticSettings& settings);

}  // namespace abut::haptic
