// Small worlds for tests of contact, as text.
#pragma once

#include <fmt/format.h>

#include <string>

namespace abut::test {

// Boxes of size L one on the other on the ground, `gap` (m) apart.
inline std::string stack_of_boxes(int count, double L = 1, double gap = 0, double mass_ratio = 1) {
  std::string s = fmt::format(
      "<mujoco><option timestep='{}'/><worldbody><geom name='floor' type='plane' size='5 5 1'/>",
      1.0 / 240);
  for (int i = 0; i < count; ++i)
    s += fmt::format(
        "<body name='b{}' pos='0 0 {}'><freejoint/><geom name='g{}' type='box' size='{} {} {}' "
        "mass='{}' friction='0.5'/></body>",
        i, L * (i + 0.5) + gap * (i + 1), i, L / 2, L / 2, L / 2,
        1000 * L * L * L * (i + 1 == count ? mass_ratio : 1));
  return s + "</worldbody></mujoco>";
}

// A box on a plane that is tilted by `angle` about an axis in the ground, `heading` from x.
inline std::string incline(double angle, double friction, double heading = 0) {
  return fmt::format(
      "<mujoco><compiler angle='radian'/><option timestep='{}'/><worldbody>"
      "<body name='ramp' axisangle='{} {} 0 {}'>"
      "<geom name='ramp' type='plane' size='5 5 1' friction='{}'/></body>"
      "<body name='box' pos='{} {} {}' axisangle='{} {} 0 {}'><freejoint/>"
      "<geom name='box' type='box' size='0.1 0.1 0.1' friction='0'/></body>"
      "</worldbody></mujoco>",
      1.0 / 240, -std::sin(heading), std::cos(heading), angle, friction,
      0.1 * std::sin(angle) * std::cos(heading), 0.1 * std::sin(angle) * std::sin(heading),
      0.1 * std::cos(angle), -std::sin(heading), std::cos(heading), angle);
}

}  // namespace abut::test
