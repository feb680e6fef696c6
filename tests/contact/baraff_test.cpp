// baraff: resting contact by accelerations, impacts by impulses, drift by a penalty (D-19,
// D-X2, C-4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/contact/choose.h"
#include "abut/contact/combinations.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"
#include "tests/support/random.h"
#include "tests/support/tree.h"

namespace abut {
namespace {

using test::Scene;
using testing::HasSubstr;

ContactSettings baraff(const char* stabilize = "none") {
  ContactSettings s = test::settings("baraff");
  set_stabilize(s, stabilize);
  return s;
}

// The block of D-X2: 1 m, 10 kg, `depth` deep in the ground.
std::string block(const char* integrator, double depth = 0, const char* custom = "") {
  return fmt::format(
      "<mujoco><option timestep='0.001' integrator='{}'/><custom>{}</custom><worldbody>"
      "<geom name='floor' type='plane' size='5 5 1'/><body name='block' pos='0 0 {:.17g}'>"
      "<freejoint/><geom name='block' type='box' size='0.5 0.5 0.5' mass='10' friction='0'/></body>"
      "</worldbody></mujoco>",
      integrator, custom, 0.5 - depth);
}

// Depth of the lowest corner.
double depth_of(const State& s) {
  const Quat q(s.q[3], s.q[4], s.q[5], s.q[6]);
  double lowest = 1;
  for (int k = 0; k < 8; ++k)
    lowest = std::min(
        lowest,
        s.q[2] + (q * Vec3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5)).z());
  return -lowest;
}

double speed2(const Scene& s) {
  double sum = 0;
  for (const double v : s.state.v) sum += v * v;
  return sum;
}

class Integrators : public testing::TestWithParam<const char*> {};

TEST_P(Integrators, ABlockRests) {
  Scene s(block(GetParam()), baraff());
  s.run(2);
  EXPECT_LT(std::abs(depth_of(s.state)), 1e-12);
  EXPECT_LT(speed2(s), 1e-20);
  EXPECT_NEAR(s.simulator.contact_forces().total(), 98.1, 1e-9);
  EXPECT_EQ(s.unsolved, 0);
}

// Ten pushes down at places of the top face (set 1 of D-X2): the LCP takes them up at once.
TEST_P(Integrators, PushesOnTheTopDoNotMoveIt) {
  constexpr double kForce[] = {56.0639, 95.5417, 22.9744, 95.3785, 38.0648};
  constexpr double kX[] = {0.2535, -0.1703, -0.1968, -0.3660, -0.2965};
  constexpr double kY[] = {0.0381, 0.2884, -0.0465, -0.0969, -0.2377};
  Scene s(block(GetParam()), baraff());
  double deepest = 0;
  for (int i = 0; i < 2500; ++i) {
    const int cycle = i / 500;
    s.input.clear_forces();
    if (i % 500 < 250) {
      const Vec3 f(0, 0, -kForce[cycle]);
      s.input.wrench[1] << f, Vec3(kX[cycle], kY[cycle], 0.5).cross(f);
    }
    s.step();
    deepest = std::max(deepest, depth_of(s.state));
  }
  EXPECT_LT(deepest, 1e-10);
  EXPECT_LT(speed2(s), 1e-16);
}

// The LCP holds accelerations at zero and corrects nothing; the penalty does.
TEST_P(Integrators, PenetrationIsLeftToThePenalty) {
  Scene none(block(GetParam(), 0.02, "<numeric name='abut.baraff.kp' data='0'/>"), baraff());
  none.run(1);
  EXPECT_NEAR(depth_of(none.state), 0.02, 1e-9);
  Scene lifts(block(GetParam(), 0.02,
                    "<numeric name='abut.baraff.kp' data='6000'/>"
                    "<numeric name='abut.baraff.kv' data='3000'/>"),
              baraff());
  // one corner at a time, so four times k_v / k_p
  lifts.run(1);
  EXPECT_LT(depth_of(lifts.state), 1.3 * 0.02 * std::exp(-0.5));
  lifts.run(2);
  EXPECT_LT(depth_of(lifts.state), 1.3 * 0.02 * std::exp(-1.5));
  EXPECT_GT(depth_of(lifts.state), 0);
  Scene post(block(GetParam(), 0.02), baraff("post"));
  post.run(0.1);
  EXPECT_LT(depth_of(post.state), 1e-6);
}

TEST_P(Integrators, AStackRests) {
  std::string world = test::stack_of_boxes(4);
  world.replace(world.find("<option "), 8, fmt::format("<option integrator='{}' ", GetParam()));
  Scene s(world, baraff());
  s.run(1);
  for (int b = 0; b < 4; ++b) EXPECT_NEAR(s.position(b).z(), 0.5 + b, 1e-9);
  EXPECT_EQ(s.unsolved, 0);
}

TEST_P(Integrators, ABallBouncesByNewtonsLaw) {
  Scene s(fmt::format("<mujoco><option timestep='0.0005' integrator='{}'/><custom>"
                      "<numeric name='abut.restitution' data='0.5'/></custom><worldbody>"
                      "<geom type='plane' size='5 5 1'/><body pos='0 0 0.6'><freejoint/>"
                      "<geom type='sphere' size='0.1' mass='1'/></body></worldbody></mujoco>",
                      GetParam()),
          baraff());
  double top = 0;
  bool hit = false;
  for (int i = 0; i < 1400; ++i) {
    s.step();
    hit = hit || s.state.v[2] > 0.1;
    if (hit) top = std::max(top, s.state.q[2] - 0.1);
  }
  EXPECT_NEAR(top, 0.25 * 0.5, 0.005);  // e^2 h, to what a step moves
  s.run(3);
  EXPECT_NEAR(s.state.q[2], 0.1, 1e-4);
  EXPECT_NEAR(s.state.v[2], 0, 1e-6);
}

// A small ball slides off a large one: pressed by m (g cos a - v^2 / R) it leaves at cos a = 2/3.
TEST_P(Integrators, VelocityTermsKeepABallOnABall) {
  const double R = 1.1, a0 = 0.2;
  Scene s(fmt::format("<mujoco><option timestep='0.0002' integrator='{}'/><worldbody>"
                      "<geom type='sphere' size='1' friction='0'/><body pos='{:.17g} 0 {:.17g}'>"
                      "<freejoint/><geom type='sphere' size='0.1' mass='2' friction='0'/></body>"
                      "</worldbody></mujoco>",
                      GetParam(), R * std::sin(a0), R * std::cos(a0)),
          baraff());
  double left = -1;
  for (int i = 0; i < 7500 && left < 0; ++i) {
    const Vec3 x = s.position(), v = s.velocity();
    const double cosine = x.z() / x.norm();
    s.step();
    const ContactForces f = s.simulator.contact_forces();
    const double force = f.pairs.empty() ? 0 : f.pairs[0].normal_force();
    if (force > 0.5) {
      EXPECT_NEAR(force, 2 * (9.81 * cosine - v.squaredNorm() / R), 0.1);
    } else if (i > 500) {
      left = cosine;
    }
  }
  EXPECT_NEAR(left, 2 * std::cos(a0) / 3, 0.02);
}

// Joints in the same problem, also in the stages of rk4: a bob on a loop joint, at rest on the
// ground, and swinging free.
TEST_P(Integrators, JointsAreSolvedWithTheContacts) {
  Scene s(
      fmt::format("<mujoco><option timestep='0.001' integrator='{}'/><worldbody>"
                  "<geom type='plane' size='1 1 1'/><body name='bob' pos='0.5 0 0.1'><freejoint/>"
                  "<geom type='sphere' size='0.1' mass='1' friction='0'/></body></worldbody>"
                  "<equality><connect body1='bob' anchor='-0.5 0 0.2'/></equality></mujoco>",
                  GetParam()),
      baraff("post"));
  s.run(1);
  EXPECT_NEAR(s.position().z(), 0.1, 1e-9);
  EXPECT_NEAR(s.simulator.contact_forces().total(), 9.81, 1e-6);
}

TEST_P(Integrators, CopiesOfAStateHaveTheSameFuture) {
  std::string world = test::stack_of_boxes(2, 1, 0.02);
  world.replace(world.find("<option "), 8, fmt::format("<option integrator='{}' ", GetParam()));
  Scene s(world, baraff());
  s.run(0.05);
  State two = s.state;
  Simulator cold(s.model, baraff());
  for (int i = 0; i < 50; ++i) {
    s.step();
    cold.step(two, s.input);
    ASSERT_EQ(s.state.hash(), two.hash()) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Baraff, Integrators, testing::Values("Euler", "RK4"),
                         [](const auto& info) { return std::string(info.param); });

// Without friction at rest it is ap's answer.
constexpr const char* kGuendelman =
    "<text name='abut.baraff.order' data='guendelman'/><numeric name='abut.restitution' "
    "data='0.9'/>";

// D-23: at a step of 0.05 s the fall of a step is 0.5 m/s, and a block of restitution 0.9 is
// still all the same.
TEST(Guendelman, WhatRestsDoesNotBounce) {
  std::string world = block("Euler", 0, kGuendelman);
  world.replace(world.find("0.001"), 5, "0.05");
  Scene s(world, baraff());
  for (int i = 0; i < 100; ++i) {
    s.step();
    EXPECT_LT(std::abs(depth_of(s.state)), 1e-12);
  }
  EXPECT_NEAR(s.simulator.contact_forces().total(), 98.1, 1e-9);
}

// Turned round before it overlaps, with e times the speed that it came with.
TEST(Guendelman, CollidesBeforeItOverlaps) {
  Scene s(block("Euler", -1, kGuendelman), baraff());
  double before = 0, deepest = -1;
  bool bounced = false;
  for (int i = 0; i < 600; ++i) {
    s.step();
    deepest = std::max(deepest, depth_of(s.state));
    if (s.state.v[2] > 0 && !bounced) {
      // forces come after the collision
      EXPECT_NEAR(s.state.v[2] + 9.81e-3, -0.9 * before, 1e-9);
      EXPECT_NEAR(-before, std::sqrt(2 * 9.81), 0.02);
      bounced = true;
    }
    before = s.state.v[2];
  }
  EXPECT_TRUE(bounced);
  EXPECT_LE(deepest, 1e-12);
}

TEST(Guendelman, SlidesDownAnInclineAsItShould) {
  std::string world = block("Euler", 0, kGuendelman);
  world.insert(world.find("<custom>"), "<option gravity='4.905 0 -8.4957'/>");
  Scene s(world, baraff());
  s.run(1);
  EXPECT_NEAR(s.state.v[0], 4.905, 1e-9);
  EXPECT_LT(std::abs(depth_of(s.state)), 1e-12);
}

TEST(Guendelman, IsRefusedWhereItHasNoPlace) {
  Model model = compile(parse_mjcf(block("RK4", 0, kGuendelman)));
  EXPECT_EQ(Simulator(model, baraff()).integrator(), Integrator::euler);
  model.custom.erase("abut.integrator.else");
  EXPECT_THROW(Simulator(model, baraff()), WorldError);
  EXPECT_THROW(Scene(block("Euler", 0, "<text name='abut.baraff.order' data='other'/>"), baraff()),
               WorldError);
}

TEST(Baraff, RobotsInGeneralizedCoordinatesAsUnderAp) {
  const char* world =
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body name='base' pos='0 0 0.1'><freejoint/><geom type='box' size='0.3 0.2 0.1' mass='5'/>"
      "<body name='arm' pos='0.2 0 0.1'><joint type='hinge' axis='0 1 0' damping='0.5'/>"
      "<geom type='capsule' fromto='0 0 0 0 0 0.4' size='0.03' mass='1'/></body></body>"
      "</worldbody></mujoco>";
  ContactSettings ap = test::settings("ap");
  ap.friction = FrictionKind::none;
  Scene one(world, baraff("post")), two(world, ap);
  one.state.v[6] = two.state.v[6] = 0.5;
  one.run(0.3);
  two.run(0.3);
  EXPECT_GT(std::abs(one.state.q[7]), 0.05) << "the arm falls";
  for (std::size_t i = 0; i < one.state.q.size(); ++i)
    EXPECT_NEAR(one.state.q[i], two.state.q[i], 1e-3) << i;
  EXPECT_NEAR(one.simulator.contact_forces().total(), two.simulator.contact_forces().total(), 0.1);
}

// Contacts are what touches: a post-step that parts solids by more than the contact tolerance hides the
// impact from the next step, and a box that fell into the floor then fell for ever, at rest.
TEST(Baraff, ABoxThatFallsIntoTheFloorLands) {
  for (const char* friction : {"0", "0.5"}) {
    Scene s(
        fmt::format("<mujoco><option timestep='0.01'/><worldbody><geom type='plane' size='5 5 .1'/>"
                    "<body pos='0 0 1.1' euler='10 20 0'><freejoint/><geom type='box' "
                    "size='.1 .1 .1' mass='1' friction='{}'/></body></worldbody></mujoco>",
                    friction),
        baraff("post"));
    const double height = s.position().z();
    double most = 0;
    for (int i = 0; i < 200; ++i) {
      s.step();
      most = std::max(most, test::kinetic(s));
    }
    EXPECT_LT(most, 9.81 * height) << "the energy of the fall";
    EXPECT_LT(test::kinetic(s), 1e-6);
    EXPECT_NEAR(s.position().z(), 0.1, 1e-4);
  }
}

// Forces that pushed beyond a stop, for the velocity term of the gap, gained 7e-4 of the energy.
TEST(Baraff, NoStepGainsEnergy) {
  test::Random random(2);
  std::string meshes, bodies;
  for (int i = 0; i < 8; ++i) {
    std::string vertices;
    for (int k = 0; k < 12; ++k) {
      const Vec3 p = 0.2 * random.direction();
      vertices += fmt::format("{:.9g} {:.9g} {:.9g} ", p.x(), p.y(), p.z());
    }
    meshes += fmt::format("<mesh name='m{}' vertex='{}'/>", i, vertices);
    bodies += fmt::format(
        "<body pos='{} {} {}'><freejoint/><geom type='mesh' mesh='m{}' mass='1'/></body>",
        i & 1 ? 0.4 : -0.4, i & 2 ? 0.4 : -0.4, i & 4 ? 0.4 : -0.4, i);
  }
  Scene s(fmt::format("<mujoco><option timestep='0.001' gravity='0 0 0'/><custom><numeric "
                      "name='abut.restitution' data='0.3'/></custom><asset>{}</asset><worldbody>{}"
                      "</worldbody></mujoco>",
                      meshes, bodies),
          baraff("post"));
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      s.state.v[6 * i + k] = -3 * s.state.q[7 * i + k];
      s.state.v[6 * i + 3 + k] = random.uniform(-5, 5);
    }
  const double first = test::kinetic(s);
  double last = first, most = 0;
  for (int i = 0; i < 600; ++i) {
    s.step();
    const double now = test::kinetic(s);
    most = std::max(most, now - last);
    last = now;
  }
  EXPECT_LT(last, 0.9 * first) << "they have met";
  EXPECT_LT(most, 1e-12 * first);
}

TEST(Baraff, RefusesWhatHasNoPlaceAmongAccelerations) {
  EXPECT_EQ(why_not({.contact = "baraff", .friction = "cone"}), "");
  EXPECT_THAT(why_not({.contact = "baraff", .friction = "cone", .integrator = "rk4"}),
              HasSubstr("use euler"));
  EXPECT_THAT(why_not({.contact = "baraff", .friction = "anchor"}), HasSubstr("use cone"));
  EXPECT_THAT(why_not({.contact = "baraff", .friction = "none", .stabilize = "gamma"}),
              HasSubstr("use post"));
  EXPECT_EQ(why_not({.contact = "baraff", .friction = "none", .integrator = "rk4"}), "");
  EXPECT_THAT(why_not({.contact = "none", .stabilize = "baumgarte", .integrator = "rk4"}),
              HasSubstr("baumgarte-acc"));
}

// A loop under rk4, without contacts: the joint's own error is of fourth order.
TEST(Baraff, RungeKuttaHasLoopsNow) {
  const auto error = [](double h) {
    ContactSettings s = test::settings("none");
    set_stabilize(s, "none");
    Scene scene(
        fmt::format("<mujoco><option timestep='{}' integrator='RK4'/><worldbody>"
                    "<body name='bob' pos='0.5 0 0'><freejoint/>"
                    "<geom type='sphere' size='0.1' mass='1'/></body></worldbody>"
                    "<equality><connect body1='bob' anchor='-0.5 0 0'/></equality></mujoco>",
                    h),
        s);
    scene.run(1);
    return std::abs(scene.position().norm() - 0.5);
  };
  const double coarse = error(0.02), fine = error(0.01);
  EXPECT_GT(coarse / fine, 12);
  EXPECT_LT(fine, 1e-7);
}

// Static and dynamic friction (Baraff 1994): a block of mu 0.4 on a slope stays, or slides at
// g (sin a - mu cos a).
TEST(Baraff, FrictionHoldsBelowTheAngleAndSlidesAbove) {
  const auto slide = [](double angle) {
    ContactSettings s = test::settings("baraff");
    s.friction = FrictionKind::cone;
    Scene scene(fmt::format("<mujoco><option timestep='0.001' gravity='{} 0 {}'/><worldbody>"
                            "<geom type='plane' size='9 9 1' friction='.4'/><body pos='0 0 .05'>"
                            "<freejoint/><geom type='box' size='.1 .1 .05' mass='2' friction='0'/>"
                            "</body></worldbody></mujoco>",
                            9.81 * std::sin(angle), -9.81 * std::cos(angle)),
                s);
    scene.run(1);
    return scene.velocity().x();
  };
  EXPECT_LT(std::abs(slide(0.36)), 1e-9);
  EXPECT_NEAR(slide(0.55), 9.81 * (std::sin(0.55) - 0.4 * std::cos(0.55)), 1e-3);
}

// D-15: the ways to A of Kokkevis and of Ruspini and Khatib move a robot as factors of M do.
TEST(Baraff, WaysToTheMatrixMoveARobotAlike) {
  const Model model = load_model(test::in_tree("/worlds/humanoid.xml"));
  std::vector<std::vector<double>> ends;
  for (const char* way : {"factors", "unit-forces", "operational-space"}) {
    Model with = model;
    with.custom["abut.baraff.matrix"].text = way;
    ContactSettings s = contact_settings(with);
    set_contact(s, "baraff");
    Simulator simulator(with, s);
    State state(with);
    const Input input(with);
    for (int i = 0; i < 100; ++i) simulator.step(state, input);
    ends.push_back(state.q);
  }
  for (std::size_t i = 0; i < ends[0].size(); ++i) {
    EXPECT_NEAR(ends[1][i], ends[0][i], 1e-8);
    EXPECT_NEAR(ends[2][i], ends[0][i], 1e-8);
  }
}

}  // namespace
}  // namespace abut
