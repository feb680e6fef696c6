// Rigid bodies that stand on more points than balance needs: the load on each is not unique, and
// none that touches may be left without.
#include <gtest/gtest.h>

#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

// A base on two driven wheels in its middle and two castors that do not rub, one before and one behind. If
// the castors carried it alone, it would not drive.
class RobotOnCastors : public testing::TestWithParam<const char*> {};

TEST_P(RobotOnCastors, Drives) {
  const char* wheel =
      "<geom type='cylinder' size='.1 .02' zaxis='0 1 0' mass='1' friction='1 0 0'/></body>";
  const char* castor =
      " type='sphere' size='.03' mass='.2' condim='1' friction='0 0 0' priority='1'/>";
  const std::string axle = "<joint axis='0 1 0' armature='.005' damping='.02'";
  Scene s(std::string("<mujoco><option timestep='0.001'/><worldbody>"
                      "<geom type='plane' size='0 0 1'/><body pos='0 0 .1'><freejoint/>"
                      "<geom type='box' size='.18 .14 .05' pos='0 0 .03' mass='8' contype='0' "
                      "conaffinity='0'/><geom pos='.15 0 -.07'") +
              castor + "<geom pos='-.15 0 -.07'" + castor + "<body pos='0 .19 0'>" + axle +
              " name='left'/>" + wheel + "<body pos='0 -.19 0'>" + axle + " name='right'/>" +
              wheel +
              "</body></worldbody><actuator><velocity joint='left' kv='8'/>"
              "<velocity joint='right' kv='8'/></actuator></mujoco>",
          test::settings(GetParam()));
  s.input.ctrl = {5, 5};
  s.run(1);
  // 5 rad/s, less what the dampers of the axles take of the servos, on wheels of 0.1 m
  const double speed = 0.1 * 5 * 8 / (8 + 0.02);
  EXPECT_NEAR(s.state.v[0], speed, 1e-6);
  EXPECT_NEAR(s.state.q[0], speed, 0.05);  // 1 s, but for the start
  EXPECT_NEAR(s.state.q[2], 0.1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Models, RobotOnCastors, testing::Values("st", "fast", "ap"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace abut
