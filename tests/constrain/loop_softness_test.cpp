// Loops that say the same twice and nearly agree: errors of rounding move nothing (loop_softness.h).
#include "abut/constrain/rows/loop_softness.h"

#include <gtest/gtest.h>

#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/measure.h"
#include "abut/simulate/run.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut {
namespace {

Model four_bar() { return load_model(test::in_tree("/worlds/four_bar_free.xml")); }

struct Outcome {
  State state;
  RunOutcome run;
  double joint_error = 0;
};

Outcome after_a_second(const Model& model) {
  Outcome o{State(model), {}, 0};
  Input input(model);
  Simulator simulator(model);
  Measure measure(model);
  RunSettings settings;
  settings.time = 1;
  o.run = run(simulator, o.state, input, settings, measure);
  o.joint_error = measure.joint_error_max();
  return o;
}

// The linkage swings in its plane, and the base with it: no sideways slip, no roll, no yaw. What is
// left in a second (4e-6 m and 1e-5 rad when this was written; 4e-4 m and 1e-3 rad without softness)
// comes through friction, whose forces at the corners of the base are not unique.
void expect_in_plane(const State& s) {
  constexpr double kLittle = 1e-4;
  EXPECT_NEAR(s.q[1], 0, kLittle);
  EXPECT_NEAR(s.q[4], 0, kLittle);
  EXPECT_NEAR(s.q[6], 0, kLittle);
  EXPECT_NEAR(s.v[1], 0, kLittle);
  EXPECT_GT(std::abs(s.q[7]), 0.1);  // the crank has moved
}

TEST(RedundantLoops, OfALinkageOnAFreeBaseMoveNothing) {
  const Outcome o = after_a_second(four_bar());
  EXPECT_EQ(o.run.contact.solving.unsolved, 0);
  EXPECT_EQ(o.run.contact.post_unsolved, 0);
  EXPECT_LT(o.joint_error, 1e-6);
  expect_in_plane(o.state);
}

// A weld in place of the pin says six rows for two: the linkage is a truss, and stands.
TEST(RedundantLoops, OfAWeldMakeATruss) {
  Model model = four_bar();
  Equality& pin = model.equalities[0];
  pin.type = EqualityType::weld;
  const State rest(model);
  Derived d(model);
  positions(model, rest, Input(model), d);
  const Quat turn = d.body_pose[static_cast<std::size_t>(pin.first)].q.conjugate() *
                    d.body_pose[static_cast<std::size_t>(pin.second)].q;
  pin.frame_second.q = turn.conjugate() * pin.frame_first.q;
  const Outcome o = after_a_second(model);
  EXPECT_EQ(o.run.contact.solving.unsolved, 0);
  EXPECT_EQ(o.run.contact.post_unsolved, 0);
  for (std::size_t i = 0; i < rest.q.size(); ++i) EXPECT_NEAR(o.state.q[i], rest.q[i], 1e-6) << i;
}

// A pin that the links cannot reach stays open by what is missing, and the base stays where it is.
TEST(RedundantLoops, ThatContradictStayOpen) {
  Model model = four_bar();
  model.option.gravity.setZero();
  model.equalities[0].frame_first.p.y() += 1e-4;
  const Outcome o = after_a_second(model);
  EXPECT_NEAR(o.joint_error, 1e-4, 1e-9);
  const State rest(model);
  for (std::size_t i = 0; i < rest.q.size(); ++i) EXPECT_NEAR(o.state.q[i], rest.q[i], 1e-9) << i;
}

// c = (1e-6)^2 (1/m_A + 1/m_B) for two balls that a weld holds at their centres.
TEST(RedundantLoops, SoftnessIsAPartOfWhatTheBodiesAre) {
  const Model model = compile(parse_mjcf(R"(<mujoco><worldbody>
    <body name="a"><freejoint/><geom size="0.1" mass="2"/></body>
    <body name="b"><freejoint/><geom size="0.2" mass="4"/></body></worldbody>
    <equality><weld body1="a" body2="b"/></equality></mujoco>)"));
  const std::vector<double> c = loop_softness(model);
  ASSERT_EQ(c.size(), 6u);
  const double turn = 1 / (0.4 * 2 * 0.01) + 1 / (0.4 * 4 * 0.04);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(c[static_cast<std::size_t>(k)], 0.75e-12, 1e-24);
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(c[static_cast<std::size_t>(k)], turn * 1e-12, 1e-20);
}

}  // namespace
}  // namespace abut
