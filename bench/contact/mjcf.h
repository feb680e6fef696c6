// The race's boxes as a world, for the engines that read MJCF.
#pragma once

#include <cstdio>
#include <string>

#include "participant.h"

inline std::string as_mjcf(const Boxes& scene) {
  const auto print = [](const char* format, auto... x) {
    char text[512];
    std::snprintf(text, sizeof text, format, x...);
    return std::string(text);
  };
  // room for MuJoCo, which keeps matrices of these sizes
  const int contacts = 10 * static_cast<int>(scene.boxes.size()) + 50;
  // condim 3 and one friction, of all geoms; the box's inertia from its mass
  std::string s = print(
      "<mujoco><option timestep='%.17g'/><size nconmax='%d' njmax='%d'/>"
      "<default><geom friction='%.17g'/></default><worldbody><geom type='plane' size='50 50 1'/>",
      scene.step, contacts, 4 * contacts, scene.friction);
  for (const Boxes::Box& b : scene.boxes)
    s += print(
        "<body pos='%.17g %.17g %.17g'><freejoint/>"
        "<geom type='box' size='%.17g %.17g %.17g' mass='%.17g'/></body>",
        b.position[0], b.position[1], b.position[2], b.half[0], b.half[1], b.half[2], b.mass);
  return s + "</worldbody></mujoco>";
}
