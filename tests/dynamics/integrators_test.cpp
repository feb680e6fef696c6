// Steppers: orders of convergence, conservation, and what each treats implicitly.
#include <gtest/gtest.h>

#include "abut/dynamics/energy.h"
#include "abut/dynamics/gyroscope.h"
#include "abut/dynamics/integrate.h"
#include "abut/math/rotation.h"
#include "support/random_worlds.h"

namespace abut {
namespace {

constexpr Integrator kAll[] = {Integrator::euler, Integrator::implicit, Integrator::explicit_euler,
                               Integrator::rk4};

State simulate(const Model& model, State state, Integrator integrator, double h, int steps) {
  const Input input(model);
  Stepper stepper(model);
  Derived d(model);
  for (int i = 0; i < steps; ++i) stepper.step(integrator, h, input, state, d);
  return state;
}

struct Conserved {
  double energy = 0;
  Momentum momentum;
};

Conserved conserved(const Model& model, const State& state) {
  const Input input(model);
  Derived d(model);
  positions(model, state, input, d);
  velocities(model, state, d);
  const Energy e = energy(model, state, d);
  return {e.kinetic + e.potential, momentum(model, d)};
}

// A box of 1 x 0.1 x 0.05 m, its frame away from its centre of mass, without weight.
Model tumbling_box(const Vec3& offset = Vec3::Zero()) {
  World world;
  world.option.gravity.setZero();
  BodyDesc& body = world.body("box");
  body.free();
  body.box({0.5, 0.05, 0.025}, {offset, Quat::Identity()});
  return compile(world);
}

State spinning(const Model& model, const Vec3& omega) {
  State s(model);
  for (int k = 0; k < 3; ++k) s.v[3 + k] = omega[k];
  return s;
}

double distance(const Model& model, const State& a, const State& b) {
  std::vector<double> d(model.nv);
  difference(model, a.q, b.q, d);
  double sum = 0;
  for (double x : d) sum += x * x;
  return std::sqrt(sum);
}

// The T-handle of the film: 10 rad/s about its middle axis, 100 s at 1 ms.
TEST(Integrators, RungeKuttaKeepsTheTHandleFor100Seconds) {
  World world;
  world.option.gravity.setZero();
  BodyDesc& body = world.body("handle");
  body.free();
  body.cylinder({0, -0.1, 0}, {0, 0.1, 0}, 0.02);
  body.cylinder({0.02, 0, 0}, {0.12, 0, 0}, 0.015);
  const Model model = compile(world);
  const State start = spinning(model, {10, 0.01, 0});
  const Conserved before = conserved(model, start);
  const Conserved after = conserved(model, simulate(model, start, Integrator::rk4, 1e-3, 100000));
  EXPECT_LE(std::abs(after.energy / before.energy - 1), 1e-6);
  EXPECT_LE((after.momentum.angular - before.momentum.angular).norm(),
            1e-6 * before.momentum.angular.norm());
  EXPECT_LE((after.momentum.linear - before.momentum.linear).norm(),
            1e-6 * before.momentum.angular.norm() / 0.1);
}

TEST(Integrators, FirstOrderSteppersNeverFeedASpinningBox) {
  for (const Vec3& offset : {Vec3(0, 0, 0), Vec3(0.3, -0.2, 0.1)}) {
    const Model model = tumbling_box(offset);
    for (const Integrator integrator :
         {Integrator::euler, Integrator::implicit, Integrator::explicit_euler}) {
      const Vec3 omega = 20 * Vec3(0.6, 0.64, 0.48);
      State state = spinning(model, omega);
      const Conserved before = conserved(model, state);
      double largest = 0;
      for (int i = 0; i < 100; ++i) {
        state = simulate(model, state, integrator, 1.0 / 240, 240);
        largest = std::max(largest, conserved(model, state).energy / before.energy - 1);
      }
      EXPECT_LE(largest, 1e-11);
      const Conserved after = conserved(model, state);
      EXPECT_NEAR(after.energy / before.energy, 1, 1e-11);
      EXPECT_LE((after.momentum.angular - before.momentum.angular).norm(),
                1e-9 * before.momentum.angular.norm());
      EXPECT_LE((after.momentum.linear - before.momentum.linear).norm(),
                1e-10 * (1 + before.momentum.linear.norm()));
    }
  }
}

// h |omega| of 20: the step is divided, and still nothing is gained.
TEST(Integrators, VeryFastSpinsStayBounded) {
  const Model model = tumbling_box();
  const State start = spinning(model, {3000, 2000, 1000});
  const Conserved before = conserved(model, start);
  const Conserved after = conserved(model, simulate(model, start, Integrator::euler, 0.005, 2000));
  EXPECT_NEAR(after.energy / before.energy, 1, 1e-9);
}

TEST(Integrators, SteadySpinIsExact) {
  const Mat3 inertia = Vec3(1, 2, 3).asDiagonal();
  for (double speed : {0.0, 1e-9, 0.1, 30.0, 400.0}) {
    const Spin spin = free_rotation(inertia, {0, 0, speed}, 0.01);
    EXPECT_NEAR(spin.omega.z(), speed, 1e-13 * (1 + speed));
    const Vec3 turn = log_rotation(spin.turned);
    EXPECT_NEAR(turn.z(), std::remainder(0.01 * speed, 2 * M_PI), 1e-12);
  }
}

// Halving h divides the error by 2^order.
void expect_order(const Model& model, const State& start, Integrator integrator, double order) {
  const double time = 0.25;
  const State truth = simulate(model, start, Integrator::rk4, time / 4096, 4096);
  const int n = integrator == Integrator::rk4 ? 32 : 256;
  const double coarse = distance(model, simulate(model, start, integrator, time / n, n), truth);
  const double fine =
      distance(model, simulate(model, start, integrator, time / (2 * n), 2 * n), truth);
  ASSERT_GT(fine, 1e-13) << "too small to tell an order";
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.35) << "coarse " << coarse << " fine " << fine;
}

TEST(Integrators, HaveTheirOrderOnATumblingBodyWithOffset) {
  const Model model = tumbling_box({0.2, 0.1, -0.3});
  const State start = spinning(model, {3, 8, -5});
  expect_order(model, start, Integrator::rk4, 4);
}

TEST(Integrators, HaveTheirOrderOnChains) {
  for (unsigned seed : {3u, 8u, 21u}) {
    Model model = compile(test::random_world(seed, 5, 0.5));
    const State start = test::random_state(model, seed, 2);
    for (const Integrator integrator : kAll) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", integrator " +
                   std::to_string(static_cast<int>(integrator)));
      expect_order(model, start, integrator, integrator == Integrator::rk4 ? 4 : 1);
    }
  }
}

// A floating chain with ball joints, spinning without weight: the velocity terms of trees are
// taken at the mean velocity, so first-order steppers do not blow it up.
TEST(Integrators, FloatingTreesKeepTheirEnergy) {
  World world;
  world.option.gravity.setZero();
  BodyDesc& base = world.body("base");
  base.free();
  base.box({0.4, 0.1, 0.05});
  BodyDesc& arm = base.body("arm", {0.4, 0, 0});
  arm.ball("shoulder");
  arm.box({0.2, 0.05, 0.02}, {Vec3(0.2, 0, 0), Quat::Identity()});
  const Model model = compile(world);
  const State start = spinning(model, {4, 6, 2});
  const double before = conserved(model, start).energy;
  State state = start;
  for (int second = 0; second < 10; ++second) {
    state = simulate(model, state, Integrator::euler, 1.0 / 240, 240);
    EXPECT_NEAR(conserved(model, state).energy / before, 1, 0.005)
        << "after " << second + 1 << " s";
  }
}

// A damper so strong that treating it explicitly diverges at this step.
TEST(Integrators, StrongJointDampingIsImplicit) {
  World world;
  world.option.gravity.setZero();
  BodyDesc& body = world.body("wheel");
  body.hinge("axle", {0, 0, 1}).damping[0] = 1000;
  body.sphere(0.1);
  Model model = compile(world);
  State start(model);
  start.v[0] = 5;
  for (const Integrator integrator : {Integrator::euler, Integrator::implicit}) {
    const State end = simulate(model, start, integrator, 0.01, 50);
    EXPECT_GE(end.v[0], 0);
    EXPECT_LE(end.v[0], 1e-6);
  }
  model.option.euler_damp = false;
  EXPECT_FALSE(std::abs(simulate(model, start, Integrator::euler, 0.01, 50).v[0]) < 1e3);
}

// The same for a free body in syrup, which has no closed form then.
TEST(Integrators, StrongDampingOfAFreeJointIsImplicit) {
  World world;
  world.option.gravity.setZero();
  BodyDesc& body = world.body("stone");
  body.free().damping[0] = 1e4;
  body.sphere(0.1, {0.05, 0, 0});
  const Model model = compile(world);
  State start(model);
  start.v = {1, 2, 3, 4, 5, 6};
  const State end = simulate(model, start, Integrator::euler, 0.01, 50);
  for (const double v : end.v) EXPECT_LE(std::abs(v), 1e-6);
}

TEST(Integrators, VelocityServosAreImplicitInImplicit) {
  World world;
  world.option.gravity.setZero();
  BodyDesc& body = world.body("wheel");
  body.hinge("axle", {0, 0, 1});
  body.sphere(0.1);
  world.velocity("servo", "axle", 1000);
  const Model model = compile(world);
  State start(model);
  start.v[0] = 5;
  EXPECT_LE(std::abs(simulate(model, start, Integrator::implicit, 0.01, 50).v[0]), 1e-6);
  EXPECT_FALSE(std::abs(simulate(model, start, Integrator::euler, 0.01, 50).v[0]) < 1e3);
}

// Free fall: semi-implicit Euler's z is exact on its own grid, z = -g h^2 n (n + 1) / 2.
TEST(Integrators, FreeFallIsWhatTheRuleSays) {
  World world;
  BodyDesc& body = world.body("stone");
  body.free();
  body.sphere(0.1, {0.3, 0.2, 0.1});  // off the frame's origin
  const Model model = compile(world);
  for (const Integrator exact : {Integrator::euler, Integrator::implicit, Integrator::rk4}) {
    const State end = simulate(model, State(model), exact, 0.01, 100);
    EXPECT_NEAR(end.q[2], -9.81 / 2, 1e-12) << integrator_name(exact);
    EXPECT_NEAR(end.time, 1, 1e-12);
  }
  const State end = simulate(model, State(model), Integrator::explicit_euler, 0.01, 100);
  EXPECT_NEAR(end.q[2], -9.81 * 1e-4 * 100 * 99 / 2, 1e-12);
}

// What carries a part of its weight falls by the rest of it; what hangs on a spring is no flight.
TEST(Integrators, OnlyTheFallOfAFlightIsExact) {
  World world;
  BodyDesc& carried = world.body("carried");
  carried.free();
  carried.gravcomp = 0.75;
  carried.sphere(0.1);
  const Model model = compile(world);
  const State end = simulate(model, State(model), Integrator::euler, 0.01, 100);
  EXPECT_NEAR(end.q[2], -9.81 / 8, 1e-3);
  EXPECT_NEAR(end.v[2], -9.81 / 4, 1e-12);
}

TEST(Integrators, ActivationsFollowTheirFilters) {
  World world;
  world.option.gravity.setZero();
  BodyDesc& body = world.body("wheel");
  body.hinge("axle", {0, 0, 1});
  body.sphere(0.1);
  ActuatorDesc& a = world.motor("filtered", "axle");
  a.dynamics = Dynamics::filterexact;
  a.dynprm[0] = 0.5;
  const Model model = compile(world);
  Input input(model);
  input.ctrl[0] = 2;
  State state(model);
  Stepper stepper(model);
  Derived d(model);
  for (int i = 0; i < 100; ++i) stepper.step(Integrator::euler, 0.01, input, state, d);
  EXPECT_NEAR(state.act[0], 2 * (1 - std::exp(-1.0 / 0.5)), 1e-12);
}

}  // namespace
}  // namespace abut
