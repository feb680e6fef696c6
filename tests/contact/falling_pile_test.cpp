// Piles in full fall: every problem of contact is solved, however many contacts slide at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/simulator.h"
#include "tests/support/random.h"

namespace abut {
namespace {

// Unit boxes turned at random in a container that is two of them wide.
std::string pile(int count, unsigned seed) {
  test::Random random(seed);
  std::string s =
      "<mujoco><option timestep='0.004'/><default><geom friction='0.5'/></default><worldbody>"
      "<geom type='plane' size='9 9 1'/>"
      "<geom type='box' size='.5 3 20' pos='2.25 0 20'/><geom type='box' size='.5 3 20' pos='-2.25 "
      "0 20'/>"
      "<geom type='box' size='1.75 .5 20' pos='0 2.25 20'/><geom type='box' size='1.75 .5 20' "
      "pos='0 -2.25 20'/>";
  for (int i = 0; i < count; ++i) {
    const double x = 1.75 * (i % 2 - 0.5), y = 1.75 * (i / 2 % 2 - 0.5), z = 0.9 + 1.75 * (i / 4);
    s += fmt::format(
        "<body pos='{} {} {}' quat='{} {} {} {}'><freejoint/>"
        "<geom type='box' size='.5 .5 .5' mass='1'/></body>",
        x, y, z, random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
        random.uniform(-1, 1));
  }
  return s + "</worldbody></mujoco>";
}

TEST(FallingPile, LeavesNoProblemUnsolved) {
  const Model model = compile(parse_mjcf(pile(40, 3)));
  Simulator simulator(model);
  State state(model);
  const Input input(model);
  double worst = 0;
  int most = 0;
  for (int i = 0; i < 300; ++i) {
    simulator.step(state, input);
    worst = std::max(worst, simulator.contact().report().residual);
    most = std::max(most, simulator.contact().report().largest);
  }
  EXPECT_LE(worst, 1e-8);
  EXPECT_GT(most, 200);  // rows: most of the pile was one island, in full fall
}

}  // namespace
}  // namespace abut
