// st and ap on bodies whose motion is known.
#include "abut/constrain/step/time_stepping.h"

#include <gtest/gtest.h>

#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

constexpr double kG = 9.81;

using test::Scene;
using test::settings;

class BothModels : public testing::TestWithParam<std::string> {};

TEST_P(BothModels, ADroppedBoxComesToRest) {
  Scene scene(test::stack_of_boxes(1, 1, 0.05), settings(GetParam()));
  scene.run(1);
  EXPECT_EQ(scene.unsolved, 0);
  EXPECT_LT(scene.residual, 1e-9);
  EXPECT_NEAR(scene.position().z(), 0.5, 2e-4);
  EXPECT_LT(scene.velocity().norm(), 1e-9);
}

TEST_P(BothModels, AStackStandsStill) {
  Scene scene(test::stack_of_boxes(10), settings(GetParam()));
  scene.run(2);
  EXPECT_EQ(scene.unsolved, 0);
  EXPECT_NEAR(scene.position(9).z(), 9.5, 1e-6);
  EXPECT_LT(scene.position(9).head<2>().norm(), 1e-6);
}

TEST_P(BothModels, ABoxSticksBelowTheFrictionAngle) {
  for (const double heading : {0.0, 0.7, 2.0}) {
    Scene scene(test::incline(0.3, 0.4, heading), settings(GetParam()));
    const Vec3 start = scene.position();
    scene.run(1);
    EXPECT_LT((scene.position() - start).norm(), 1e-6) << heading;
  }
}

// v = g (sin a - mu cos a) t, whichever way the slope goes: the cone is round.
TEST_P(BothModels, ABoxSlidesAboveItAsCoulombSays) {
  for (const double heading : {0.0, 0.7, 2.0}) {
    Scene scene(test::incline(0.5, 0.4, heading), settings(GetParam()));
    scene.run(1);
    const double expected = kG * (std::sin(0.5) - 0.4 * std::cos(0.5));
    EXPECT_NEAR(scene.velocity().norm(), expected, 1e-3 * expected) << heading;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, BothModels, testing::Values("st", "ap"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace abut
