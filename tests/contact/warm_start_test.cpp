// A pile at rest costs next to nothing: each step starts from the last one's impulses.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

// Rows of boxes, each on two of the row below, `gap` (m) above them.
std::string pyramid_of_boxes(int rows, double gap) {
  std::string s =
      "<mujoco><option timestep='0.0041666666666666666'/><worldbody>"
      "<geom type='plane' size='9 9 1'/>";
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < rows - r; ++c)
      s += fmt::format(
          "<body pos='{} 0 {}'><freejoint/><geom type='box' size='.5 .5 .5' "
          "friction='0.5'/></body>",
          1.05 * (c - 0.5 * (rows - r - 1)), r + 0.5 + gap * (r + 1));
  return s + "</worldbody></mujoco>";
}

// Gaps that rounding leaves at the points of a face contradict each other; taken seriously, they
// made the solver start anew in every other step of a pile at rest (25 iterations each).
TEST(WarmStart, APileAtRestNeedsNoNewStarts) {
  for (const double gap : {0.0, 2e-3}) {
    Scene scene(pyramid_of_boxes(6, gap), test::settings("st"));
    int iterations = 0, most = 0;
    scene.simulator.contact().watch([&](const Problem&, const Answer& a) {
      iterations += a.iterations;
      most = std::max(most, a.iterations);
    });
    scene.run(0.5);  // lands and settles
    iterations = most = 0;
    scene.run(1);
    EXPECT_LE(most, 2) << gap;
    EXPECT_LE(iterations, 240) << gap;
    EXPECT_EQ(scene.unsolved, 0);
    EXPECT_LE(scene.residual, 1e-10);
  }
}

// Bricks that slid a little as they settled rest with friction at its limit: neither sticking nor
// sliding, and states of four points a face that fit in many ways. Newton's method did not get from
// one to the other, and every other step made a new start. (Of these twelve piles one still does:
// it changes between two answers, both good to 1e-10.)
TEST(WarmStart, BricksAtTheLimitOfFrictionNeedNoNewStarts) {
  int restless = 0;
  for (const double friction : {0.58, 0.6, 0.62, 0.65})
    for (const double height : {0.0704, 0.0705, 0.071}) {
      std::string s =
          "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>";
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3 - r; ++c)
          s += fmt::format(
              "<body pos='{} 0 {}'><freejoint/><geom type='box' size='.12 .06 .035' mass='4' "
              "friction='{}'/></body>",
              0.25 * (c - 0.5 * (2 - r)), 0.035 + height * r, friction);
      Scene scene(s + "</worldbody></mujoco>", test::settings("quasirigid"));
      int iterations = 0, most = 0;
      scene.simulator.contact().watch([&](const Problem&, const Answer& a) {
        iterations += a.iterations;
        most = std::max(most, a.iterations);
      });
      scene.run(1);
      iterations = most = scene.unsolved = 0;
      scene.residual = 0;
      scene.run(0.2);
      restless += most > 3 || iterations > 20;
      EXPECT_EQ(scene.unsolved, 0);
      EXPECT_LE(scene.residual, 1e-10);
    }
  EXPECT_LE(restless, 1);
}

// A gap of a ten-millionth of the size is still one, and closes.
TEST(WarmStart, SmallGapsStillClose) {
  Scene scene(
      "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='9 9 1'/>"
      "<body pos='0 0 0.5000001'><freejoint/><geom type='box' size='.5 .5 .5'/></body>"
      "</worldbody></mujoco>",
      test::settings("st"));
  scene.run(0.1);
  EXPECT_NEAR(scene.position().z(), 0.5, 1e-12);
}

}  // namespace
}  // namespace abut
