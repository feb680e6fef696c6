// The same world at any size: lengths and gravity times k, masses times k^3, times as they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/load/load.h"
#include "abut/simulate/simulator.h"

namespace abut {
namespace {

// A tower of four boxes, and one that slides past it.
std::string tower(double k) {
  std::string bodies;
  for (int i = 0; i < 4; ++i)
    bodies += fmt::format(
        "<body pos='0 0 {0}'><freejoint/><geom type='box' size='{1} {1} {1}' "
        "friction='0.5'/></body>",
        k * (0.25 + 0.5 * i), 0.25 * k);
  return fmt::format(
      "<mujoco><option timestep='0.01' gravity='0 0 {}'/><worldbody>"
      "<geom type='plane' size='1 1 1' friction='0.5'/>{}"
      "<body pos='{} 0 {}'><freejoint/><geom type='box' size='{} {} {}' friction='0.5'/></body>"
      "</worldbody></mujoco>",
      -9.81 * k, bodies, -3 * k, 0.2 * k, 0.2 * k, 0.3 * k, 0.2 * k);
}

// 64 km: impulses of 1e20 N s are rounded to 1e4. No problem of a step was solved, and each took
// forty milliseconds.
TEST(Scale, LargeAndSmallWorldsMoveAlike) {
  std::vector<double> plain;
  for (const double k : {1.0, std::ldexp(1.0, 17), std::ldexp(1.0, -10)}) {
    const Model model = compile(parse_mjcf(tower(k)));
    Simulator simulator(model);
    State state(model);
    const Input input(model);
    state.v[24] = 3 * k;  // the last body
    state.v[25] = 0.5 * k;
    int unsolved = 0, level = 0;
    for (int i = 0; i < 60; ++i) {
      simulator.step(state, input);
      unsolved += simulator.contact().report().unsolved;
      level = std::max(level, simulator.contact().report().level);
    }
    EXPECT_EQ(unsolved, 0) << k;
    EXPECT_EQ(level, 0) << k;
    std::vector<double> centres;
    for (std::size_t b = 0; b < 5; ++b)
      for (std::size_t i = 0; i < 3; ++i) centres.push_back(state.q[7 * b + i] / k);
    if (plain.empty()) plain = centres;
    // v^2 / (2 mu g) = 0.94 m, but for the steps
    EXPECT_NEAR(std::hypot(centres[12] + 3, centres[13]), 0.93, 0.03) << k;
    for (std::size_t i = 0; i < centres.size(); ++i)
      EXPECT_NEAR(centres[i], plain[i], 1e-8) << k << " " << i;
  }
}

}  // namespace
}  // namespace abut
