// st and ap on bodies whose motion is known.
#include "abut/constrain/step/time_stepping.h"

#include <gtest/gtest.h>

#include "abut/constrain/step/impulse_memory.h"
#include "abut/dynamics/mass_matrix.h"
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

// A stack that gravity pulls down for a step, solved from the impulses of the solve before.
TEST(Proximal, RepeatedSolvesLeadToTheSolutionWithout) {
  Scene scene(test::stack_of_boxes(3), settings("st"));
  const double h = scene.model.option.timestep;
  Collider collider(scene.model);
  Derived d(scene.model);
  positions(scene.model, scene.state, scene.input, d);
  velocities(scene.model, scene.state, d);
  mass_matrix(scene.model, d);
  factor(scene.model, d);
  ContactData data;
  std::vector<PairQuery> queries;
  collider.find(scene.model, d, {}, {.reach = {.pair = 1e-3}}, data, queries);
  TimeStepping stepping(scene.model, step_settings(settings("st"), GapRule::close),
                        collider.sizes());
  std::vector<double> u_free(18, 0.0), exact(18), change(18);
  for (const std::size_t body : {0u, 1u, 2u}) u_free[6 * body + 2] = -kG * h;
  stepping.solve(h, scene.state, scene.input, d, data, u_free, exact);
  ImpulseMemory memory;
  const auto off = [&] {  // m/s
    stepping.solve(h, scene.state, scene.input, d, data, u_free, change, {.proximal = 1e-2});
    EXPECT_EQ(stepping.report().unsolved, 0);
    memory.forget();
    memory.write(data, data, queries, stepping);
    memory.put_into(scene.state);
    double most = 0;
    for (std::size_t i = 0; i < change.size(); ++i)
      most = std::max(most, std::abs(change[i] - exact[i]));
    return most;
  };
  const double first = off();
  EXPECT_GT(first, 1e-4 * kG * h);
  for (int i = 0; i < 20; ++i) off();
  EXPECT_LT(off(), 1e-3 * first);
}

INSTANTIATE_TEST_SUITE_P(Models, BothModels, testing::Values("st", "fast", "ap"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace abut
