// A world of worlds/haptic with a hand in it, on a simulated clock.
#pragma once

#include <memory>
#include <string>

#include "abut/contact/choose.h"
#include "abut/haptic/loop/haptic_loop.h"
#include "abut/load/load.h"
#include "abut/load/mjcf/mjcf.h"
#include "support/tree.h"

namespace abut::test {

using namespace abut::haptic;

struct HapticScene {
  Model model;
  HapticSettings settings;
  HapticCycle cycle;
  SimulatedDevice device;

  HapticScene(const World& world, const std::string& contact, double rate)
      : model(at_rate(world, contact, rate)),
        settings(haptic_settings(model, rate)),
        cycle(model, contact_settings(model), settings, State(model), Input(model)),
        device(settings.path, settings.impedance) {}

  // `contact`: empty: the world's.
  static Model at_rate(const World& world, const std::string& contact, double rate) {
    Model model = compile(world);
    if (!contact.empty()) model.custom["abut.contact"].text = contact;
    model.option.timestep = 1 / rate;
    return model;
  }
  LoopReport run(LoopSettings loop_settings) {
    loop_settings.clock = Clock::simulated;
    HapticLoop loop(cycle, device, std::move(loop_settings));
    loop.run();
    return loop.report();
  }
};

inline World haptic_world(const std::string& name, const char* hold = "") {
  World world = load_world(in_tree("/worlds/haptic/" + name + ".xml"));
  if (std::string(hold) == "posed") hold_pointer(world, Hold::posed);
  if (std::string(hold) == "coupled") hold_pointer(world, Hold::coupled);
  return world;
}

// A pointer of 2 cm and 50 g, and a wall whose surface is at z = 0, 10 mm below it.
inline World wall_world(const std::string& more = "") {
  return parse_mjcf(R"(<mujoco><option gravity="0 0 0"/><custom>)" + more + R"(</custom>
    <worldbody>
      <geom name="wall" type="box" pos="0 0 -0.05" size="0.1 0.1 0.05" friction="0"/>
      <body name="pointer" pos="0 0 0.02"><freejoint/>
        <geom name="pointer" type="box" size="0.01 0.01 0.01" mass="0.05" friction="0"/></body>
    </worldbody></mujoco>)");
}

}  // namespace abut::test
