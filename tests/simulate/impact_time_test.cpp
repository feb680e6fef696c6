// Steps that end where solids meet (abut.impact.time regress).
#include "abut/simulate/impact_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "abut/contact/settings.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/simulator.h"

namespace abut {
namespace {

Model falling_ball(const char* contact, const char* time, const char* integrator, double h) {
  return compile(parse_mjcf(fmt::format(
      "<mujoco><option timestep='{}' integrator='{}'/><custom><text name='abut.contact' data='{}'/>"
      "<text name='abut.impact.time' data='{}'/><numeric name='abut.restitution' data='0.8'/>"
      "</custom><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 1.1'><freejoint/>"
      "<geom type='sphere' size='0.1' mass='2'/></body></worldbody></mujoco>",
      h, integrator, contact, time)));
}

// Of a fall of 1 m with restitution 0.8: once hit, at t.
double exact_height(double t) {
  const double g = 9.81, hit = std::sqrt(2 / g), up = 0.8 * g * hit;
  return 0.1 + up * (t - hit) - 0.5 * g * (t - hit) * (t - hit);
}

double height(const Model& model, double t) {
  Simulator simulator(model);
  State state(model);
  const Input input(model);
  while (state.time < t - 1e-9) simulator.step(state, input);
  return state.q[2];
}

TEST(ImpactTime, BouncesAreOnTimeHoweverLongTheStep) {
  for (const char* contact : {"multipoint", "baraff"})
    for (const double h : {0.02, 0.01}) {
      SCOPED_TRACE(fmt::format("{} {}", contact, h));
      const double exact = exact_height(0.8);
      const double cut = height(falling_ball(contact, "regress", "RK4", h), 0.8);
      const double whole = height(falling_ball(contact, "step", "RK4", h), 0.8);
      EXPECT_NEAR(cut, exact, 2e-6);
      EXPECT_GT(std::abs(whole - exact), 1e-3);
    }
}

TEST(ImpactTime, KeepsTheEnergyOfAFallAndAccountsForTheRest) {
  const Model model = falling_ball("multipoint", "regress", "RK4", 0.01);
  Simulator simulator(model);
  State state(model);
  const Input input(model);
  double work = 0;
  for (int i = 0; i < 80; ++i) {
    simulator.step(state, input);
    work += simulator.contact().work();
  }
  // one bounce: the loss of (1 - e^2) m g H, H = 1 m but for the exactness of the time
  EXPECT_NEAR(work, -(1 - 0.64) * 2 * 9.81, 1e-4);
  EXPECT_NEAR(state.time, 0.8, 1e-15);
}

TEST(ImpactTime, ABodyThatRestsIsLeftAlone) {
  const Model model = compile(parse_mjcf(
      "<mujoco><option timestep='0.001'/><custom><text name='abut.contact' data='multipoint'/>"
      "<text name='abut.impact.time' data='regress'/></custom><worldbody>"
      "<geom type='plane' size='5 5 1'/><body pos='0 0 0.11'><freejoint/>"
      "<geom type='box' size='0.1 0.1 0.1' mass='2'/></body></worldbody></mujoco>"));
  Simulator simulator(model);
  State state(model);
  const Input input(model);
  for (int i = 0; i < 1500; ++i) simulator.step(state, input);
  EXPECT_NEAR(state.q[2], 0.1, 2e-3 * 0.2);
  for (const double v : state.v) EXPECT_NEAR(v, 0, 1e-5);
}

// The floor comes up: where a driven body is within the step counts.
TEST(ImpactTime, DrivenBodiesHitOnTime) {
  const Model model = compile(parse_mjcf(
      "<mujoco><option timestep='0.02' gravity='0 0 0' integrator='RK4'/><custom>"
      "<text name='abut.contact' data='multipoint'/><text name='abut.impact.time' data='regress'/>"
      "<numeric name='abut.restitution' data='1'/></custom><worldbody><body name='f' mocap='true'>"
      "<geom type='box' size='1 1 0.1'/></body><body pos='0 0 0.25'><freejoint/>"
      "<geom type='sphere' size='0.1' mass='2'/></body></worldbody></mujoco>"));
  Simulator simulator(model);
  State state(model);
  Input input(model);
  input.mocap_velocity[0] << 0, 0, 1, 0, 0, 0;
  for (int i = 0; i < 5; ++i) {
    input.mocap[0].p = Vec3(0, 0, 0.02 * i);
    simulator.step(state, input);
  }
  // hit at 0.05 s, and thrown at twice the speed of the floor
  EXPECT_NEAR(state.v[2], 2, 1e-9);
  EXPECT_NEAR(state.q[2], 0.25 + 2 * 0.05, 1e-5);
}

}  // namespace
}  // namespace abut
