// Derivatives of a step against closed forms, and where there are none.
#include <gmock/gmock.h>

#include "abut/load/load.h"
#include "abut/math/rotation.h"
#include "abut/simulate/derive/derivatives.h"

namespace abut::test {
namespace {

Model model_of(const std::string& body, const std::string& more = "") {
  return compile(
      parse_mjcf("<mujoco><option timestep='0.01' gravity='0 0 -10'/>"
                 "<worldbody><geom name='floor' type='plane' size='1 1 1' friction='0.5'/>" +
                 body + "</worldbody>" + more + "</mujoco>"));
}

StepDerivatives derivatives_of(const Model& model, const State& state, const std::string& contact) {
  ContactSettings s = contact_settings(model);
  set_contact(s, contact);
  Simulator simulator(model, s);
  return differentiate_step(simulator, state, Input(model));
}

TEST(Derivatives, OfASpringAndAMotor) {
  const Model model = model_of(
      "<body><joint name='j' type='slide' axis='1 0 0' stiffness='8'/><geom size='0.1' mass='2' "
      "contype='0'/></body>",
      "<actuator><motor joint='j' gear='3'/></actuator>");
  State state(model);
  state.q[0] = 0.3, state.v[0] = -0.2;
  const StepDerivatives d = derivatives_of(model, state, "none");
  ASSERT_TRUE(d.exists());
  const double h = 0.01, k = -h * 8 / 2, b = h * 3 / 2;
  EXPECT_LT((d.A - (MatX(2, 2) << 1 + h * k, h, k, 1).finished()).norm(), 1e-8);
  EXPECT_LT((d.B - (MatX(2, 1) << h * b, b).finished()).norm(), 1e-8);
}

TEST(Derivatives, OfAnActivation) {
  const Model model =
      model_of("<body><joint name='j' type='slide'/><geom size='0.1' mass='2' contype='0'/></body>",
               "<actuator><general joint='j' dyntype='integrator' gainprm='4'/></actuator>");
  State state(model);
  const StepDerivatives d = derivatives_of(model, state, "none");
  ASSERT_EQ(d.A.rows(), 3);
  EXPECT_NEAR(d.A(2, 2), 1, 1e-9);
  EXPECT_NEAR(d.A(1, 2), 0.01 * 4 / 2, 1e-8);
  EXPECT_NEAR(d.B(2, 0), 0.01, 1e-9);
}

// A free body that turns: velocities of the tangent space, so that A's first block is a rotation.
TEST(Derivatives, OfRotationsAreInTheTangentSpace) {
  const Model model = model_of("<body pos='0 0 5'><freejoint/><geom size='0.1' mass='2'/></body>");
  State state(model);
  state.v = {1, 2, 3, 0.5, -0.4, 0.3};
  const StepDerivatives d = derivatives_of(model, state, "st");
  ASSERT_TRUE(d.exists()) << ::testing::PrintToString(d.why_not);
  EXPECT_LT((d.A.topLeftCorner(3, 3) - Mat3::Identity()).norm(), 1e-7);
  // seen from the end: exp(-h w)
  const Mat3 turned = exp_rotation(-0.01 * Vec3(0.5, -0.4, 0.3)).toRotationMatrix();
  EXPECT_LT((d.A.block(3, 3, 3, 3) - turned).norm(), 1e-7);
  EXPECT_LT((d.A.block(3, 9, 3, 3) - 0.01 * Mat3::Identity()).norm(), 1e-4);
}

TEST(Derivatives, OfASlidingBox) {
  const Model model = model_of(
      "<body name='b' pos='0 0 0.05'><freejoint/><geom name='shell' type='box' size='0.1 0.1 0.05' "
      "mass='1' friction='0.5'/></body>");
  for (const char* contact : {"st", "ap"}) {
    State state(model);
    state.v[0] = 1;
    const StepDerivatives d = derivatives_of(model, state, contact);
    for (const int c : {0, 1, 6})
      EXPECT_EQ(d.why_not[static_cast<std::size_t>(c)], "") << contact << " column " << c;
    EXPECT_NEAR(d.A(6, 6), 1, 1e-6) << contact;
    EXPECT_NEAR(d.A(0, 6), 0.01, 1e-6) << contact;
    EXPECT_NEAR(d.A(0, 0), 1, 1e-6) << contact;
    EXPECT_NEAR(d.A(6, 0), 0, 1e-6) << contact;
  }
}

TEST(Derivatives, AreNamedWhereThereAreNone) {
  const Model model =
      model_of("<body pos='0 0 0.1'><freejoint/><geom name='ball' size='0.1' mass='1'/></body>");
  State state(model);
  Model weightless = model;
  weightless.option.gravity.setZero();
  const StepDerivatives d = derivatives_of(weightless, state, "ap");
  EXPECT_FALSE(d.exists());
  EXPECT_THAT(d.why_not[8], ::testing::HasSubstr("floor ball"));
  EXPECT_EQ(d.why_not[0], "");
  // a kink in the position alone, of the size of a time step
  EXPECT_NE(derivatives_of(weightless, state, "st").why_not[8], "");
}

TEST(Derivatives, LeaveTheStateAsItIs) {
  const Model model =
      model_of("<body pos='0 0 0.1'><freejoint/><geom size='0.1' mass='1'/></body>");
  State state(model);
  const std::uint64_t before = state.hash();
  derivatives_of(model, state, "st");
  EXPECT_EQ(state.hash(), before);
  Simulator simulator(model);
  EXPECT_THROW(differentiate_step(simulator, state, Input(model), {.step = 0}),
               std::invalid_argument);
}

}  // namespace
}  // namespace abut::test
