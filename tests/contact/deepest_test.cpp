// deepest: the law of the force, its memory, and what it does in worlds (Drumwright; D-4 .. D-7,
// D-12, D-N2).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/dynamics/energy.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

using test::Scene;
using testing::HasSubstr;

ContactSettings deepest(FrictionKind friction = FrictionKind::natural) {
  ContactSettings s = test::settings("deepest");
  s.friction = friction;
  return s;
}

// A ball of 10 kg and radius 0.5 m, `depth` deep in the ground.
std::string ball(const std::string& custom, double depth = 0, const char* integrator = "Euler",
                 double h = 1e-3, double gravity = 9.81) {
  return fmt::format(
      "<mujoco><option timestep='{}' integrator='{}' gravity='0 0 {}'/><custom>{}</custom>"
      "<worldbody><geom name='floor' type='plane' size='5 5 1'/><body name='ball' pos='0 0 {}'>"
      "<freejoint/><geom name='ball' type='sphere' size='0.5' mass='10'/></body></worldbody>"
      "</mujoco>",
      h, integrator, -gravity, custom, 0.5 - depth);
}

std::string law(const char* form, double kp, double kv, double ki) {
  return fmt::format(
      "<text name='abut.deepest.law' data='{}'/><numeric name='abut.deepest.kp' data='{}'/>"
      "<numeric name='abut.deepest.kv' data='{}'/><numeric name='abut.deepest.ki' data='{}'/>",
      form, kp, kv, ki);
}

double depth_of(const Scene& s) { return 0.5 - s.state.q[2]; }

TEST(Deepest, ComesToRestWhereTheSpringsCarryTheWeight) {
  Scene pid(ball(law("pid", 5000, 2500, 100)), deepest());
  pid.run(6);
  EXPECT_NEAR(depth_of(pid), 98.1 / (5000 + 100 / 0.15), 1e-7);
  Scene pd(ball(law("pd", 5000, 2500, 100)), deepest());
  pd.run(8);
  EXPECT_NEAR(depth_of(pd), 98.1 / 5000, 1e-7) << "no integral term";
  const ContactForces forces = pid.simulator.contact_forces();
  ASSERT_EQ(forces.pairs.size(), 1u);
  EXPECT_NEAR(forces.pairs[0].force.z(), 98.1, 1e-6);
  EXPECT_NEAR(forces.on_body(pid.model, 1, Vec3::Zero()).lin.z(), 98.1, 1e-6);
}

// Drumwright's gains (D-14): the same sag whatever the body, 87 mm.
TEST(Deepest, GainsOfThePaper) {
  Scene s(ball("<text name='abut.deepest.gains' data='paper'/>"), deepest());
  s.run(8);
  EXPECT_NEAR(depth_of(s), 9.81 / (100 + 2 / 0.15), 1e-5);
}

TEST(Deepest, DefaultGainsFollowStepAndMass) {
  for (const double h : {1e-3, 1.0 / 240}) {
    Scene s(ball("", 0, "Euler", h), deepest());
    s.run(2);
    // eq. 8 of Hasegawa and Fujii, and the integral term
    const double k = M_PI * M_PI * 10 / (64 * h * h) * (1 + 0.02 / 0.15);
    EXPECT_NEAR(depth_of(s), 98.1 / k, 1e-3 * 98.1 / k) << h;
    EXPECT_TRUE(s.simulator.contact().warnings().empty());
  }
}

TEST(Deepest, SumForgetsAndStartsAnewAfterParting) {
  // springs of no strength: the depth stays
  Scene s(ball(law("pid", 0, 0, 0), 0.02, "Euler", 1e-3, 0), deepest());
  for (int t = 1; t <= 60; ++t) {
    s.step();
    const double sum = 0.02 * (1 - std::pow(0.85, t)) / 0.15;
    ASSERT_NEAR(s.state.contacts.pair_values(0)[0], sum, 1e-12) << t;
  }
  s.state.q[2] = 0.6;
  s.step();
  EXPECT_TRUE(s.state.contacts.pairs().empty());
  s.state.q[2] = 0.48;
  s.step();
  EXPECT_NEAR(s.state.contacts.pair_values(0)[0], 0.02, 1e-15);
}

double force_at(Scene& s, double speed) {
  s.state = State(s.model);
  s.state.v[2] = speed;
  s.step();
  const ContactForces f = s.simulator.contact_forces();
  return f.pairs.empty() ? 0 : f.pairs[0].normal_force();
}

TEST(Deepest, NeverPulls) {
  Scene s(ball(law("pd", 1000, 100, 0), 0.01), deepest());
  EXPECT_NEAR(force_at(s, 0), 10, 1e-9);
  EXPECT_NEAR(force_at(s, -0.5), 60, 1e-9);
  EXPECT_NEAR(force_at(s, 0.05), 5, 1e-9);
  EXPECT_EQ(force_at(s, 0.2), 0);
}

TEST(Deepest, MooreAndWilhelmsLetGoAsSoonAsTheTwoPart) {
  Scene s(ball(law("moore-wilhelms", 1000, 100, 10), 0.01), deepest());
  EXPECT_NEAR(force_at(s, -1e-9), 10, 1e-9);
  EXPECT_EQ(force_at(s, 1e-9), 0);
  // so what falls in does not come out as fast
  Scene drop(ball(law("moore-wilhelms", 1e5, 0, 0), -0.1), deepest());
  double deepest_seen = 0, highest = -1;
  for (int i = 0; i < 1500; ++i) {
    drop.step();
    deepest_seen = std::max(deepest_seen, depth_of(drop));
    if (deepest_seen > 0) highest = std::max(highest, -depth_of(drop));
  }
  EXPECT_GT(deepest_seen, 1e-3);
  EXPECT_LT(highest, 0.01);
}

// A spring that is never left: x = x_s + (x_0 - x_s) cos(w t).
double error_after(const char* integrator, double h) {
  Scene s(ball(law("p", 4000, 0, 0), 0.03, integrator, h), deepest());
  s.run(0.4);
  const double w = std::sqrt(400.0), sag = 98.1 / 4000;
  return std::abs(depth_of(s) - (sag + (0.03 - sag) * std::cos(0.4 * w)));
}

TEST(Deepest, StagesOfRungeKuttaSeeTheContact) {
  const double coarse = error_after("RK4", 0.01), fine = error_after("RK4", 0.005);
  EXPECT_GT(coarse / fine, 13);
  EXPECT_LT(coarse / fine, 20);
  EXPECT_LT(fine, 1e-7);
  EXPECT_NEAR(error_after("Euler", 0.002) / error_after("Euler", 0.001), 2, 0.2);
}

TEST(Deepest, MemoryMovesOnceAStepInRungeKuttaToo) {
  Scene s(ball(law("pid", 4000, 100, 100), 0.03, "RK4"), deepest());
  double sum = 0;
  for (int i = 0; i < 20; ++i) {
    sum = 0.85 * sum + depth_of(s);
    s.step();
    ASSERT_NEAR(s.state.contacts.pair_values(0)[0], sum, 1e-12);
  }
}

// Two balls and a box meet in mid-air, off centre, with friction.
std::string collision(const char* integrator, const Quat& turn = Quat::Identity(),
                      const Vec3& shift = Vec3::Zero(), bool reversed = false) {
  const auto body = [&](const char* name, const Vec3& p, const char* geom) {
    const Vec3 x = shift + turn * p;
    const Quat q = turn * exp_rotation({0.3, 0.5, -0.2});
    return fmt::format(
        "<body name='{}' pos='{:.17g} {:.17g} {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'>"
        "<freejoint/>{}</body>",
        name, x[0], x[1], x[2], q.w(), q.x(), q.y(), q.z(), geom);
  };
  const std::string bodies[] = {
      body("one", {0, 0, 0}, "<geom type='sphere' size='0.1' mass='1'/>"),
      body("two", {0.21, 0.06, 0}, "<geom type='sphere' size='0.1' mass='2'/>"),
      body("three", {-0.1, 0.3, 0.02}, "<geom type='box' size='0.1 0.15 0.08' mass='3'/>")};
  std::string s = fmt::format(
      "<mujoco><option timestep='0.0005' integrator='{}' gravity='0 0 0'/><default>"
      "<geom friction='0.4'/></default><worldbody>",
      integrator);
  for (int i = 0; i < 3; ++i) s += bodies[reversed ? 2 - i : i];
  return s + "</worldbody></mujoco>";
}

void throw_together(Scene& s, const Quat& turn = Quat::Identity()) {
  const auto set = [&](const char* name, const Vec3& v) {
    const int i = 6 * (s.model.find_body(name) - 1);
    const Vec3 w = turn * v;
    for (int k = 0; k < 3; ++k) s.state.v[static_cast<std::size_t>(i + k)] = w[k];
  };
  set("two", {-1.5, 0, 0.1});
  set("three", {0.2, -1, 0});
}

TEST(Deepest, MomentumIsKept) {
  for (const char* integrator : {"Euler", "RK4"}) {
    Scene s(collision(integrator), deepest());
    throw_together(s);
    Derived d(s.model);
    const auto now = [&] {
      positions(s.model, s.state, s.input, d);
      velocities(s.model, s.state, d);
      return momentum(s.model, d);
    };
    const Momentum before = now();
    int touching = 0;
    for (int i = 0; i < 600; ++i) {
      s.step();
      touching += static_cast<int>(s.simulator.contact_forces().pairs.size());
    }
    const Momentum after = now();
    EXPECT_GT(touching, 20) << integrator;
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12) << integrator;
    // the first-order steppers turn a step's torque with the body
    EXPECT_LT((after.angular - before.angular).norm(),
              before.angular.norm() * (integrator[0] == 'E' ? 2e-4 : 2e-6))
        << integrator;
  }
}

// What falls on an undamped spring comes back; on the way the spring has it.
TEST(Deepest, EnergyIsInTheSpring) {
  Scene s(ball(law("p", 1e5, 0, 0), -0.05, "RK4", 1e-4), deepest());
  Derived d(s.model);
  double work = 0, most_stored = 0, worst = 0;
  const auto mechanical = [&] {
    positions(s.model, s.state, s.input, d);
    velocities(s.model, s.state, d);
    const Energy e = energy(s.model, s.state, d);
    return e.kinetic + e.potential;
  };
  const double start = mechanical();
  for (int i = 0; i < 2500; ++i) {
    const double before = mechanical();
    s.step();
    work += s.simulator.contact().work();
    // stored at the start of the step
    const double stored = s.simulator.contact().stored_energy();
    most_stored = std::max(most_stored, stored);
    worst = std::max(worst, std::abs(before + stored - start));
  }
  EXPECT_GT(most_stored, 4.9);
  EXPECT_LT(worst, 1e-3);
  EXPECT_NEAR(mechanical() - start, work, 1e-5);
}

struct End {
  std::vector<Pose> poses;
};

End fly(const Quat& turn, const Vec3& shift, bool reversed) {
  Scene s(collision("Euler", turn, shift, reversed), deepest());
  throw_together(s, turn);
  s.run(0.15);
  Derived d(s.model);
  positions(s.model, s.state, s.input, d);
  End end;
  for (const char* name : {"one", "two", "three"}) {
    const Pose& X = d.body_pose[static_cast<std::size_t>(s.model.find_body(name))];
    end.poses.push_back({turn.conjugate() * (X.p - shift), turn.conjugate() * X.q});
  }
  return end;
}

double difference(const End& a, const End& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.poses.size(); ++i) {
    most = std::max(most, (a.poses[i].p - b.poses[i].p).norm());
    most = std::max(most, (a.poses[i].q.conjugate() * b.poses[i].q).vec().norm());
  }
  return most;
}

TEST(Deepest, TurningShiftingAndRenumberingChangeNothing) {
  const Quat id = Quat::Identity();
  const End plain = fly(id, Vec3::Zero(), false);
  EXPECT_GT((plain.poses[0].p).norm(), 0.02) << "it was hit";
  EXPECT_LT(difference(plain, fly(exp_rotation({0.4, -1, 0.8}), Vec3::Zero(), false)), 1e-9);
  EXPECT_LT(difference(plain, fly(id, {1000, -500, 300}, false)), 1e-6);
  EXPECT_LT(difference(plain, fly(id, Vec3::Zero(), true)), 1e-9);
}

TEST(Deepest, CopiesOfAStateHaveTheSameFuture) {
  for (const char* integrator : {"Euler", "RK4"}) {
    Scene s(collision(integrator), deepest());
    throw_together(s);
    s.run(0.05);
    State two = s.state;
    Simulator cold(s.model, deepest());
    for (int i = 0; i < 100; ++i) {
      s.step();
      cold.step(two, s.input);
      ASSERT_EQ(s.state.hash(), two.hash()) << integrator << ' ' << i;
    }
  }
}

// A block that cannot turn, on a ramp: three slides.
std::string ramp(double angle, double mu, const char* integrator = "Euler") {
  return fmt::format(
      "<mujoco><compiler angle='radian'/><option timestep='0.001' integrator='{}' "
      "gravity='{:.17g} 0 {:.17g}'/><custom><numeric name='abut.friction.static' data='1.2'/>"
      "</custom><worldbody><geom type='plane' size='5 5 1' friction='{}'/><body name='b' "
      "pos='0 0 0.1'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
      "<joint type='slide' axis='0 0 1'/><geom type='sphere' size='0.1' mass='2' friction='0'/>"
      "</body></worldbody></mujoco>",
      integrator, 9.81 * std::sin(angle), -9.81 * std::cos(angle), mu);
}

class Frictions : public testing::TestWithParam<FrictionKind> {};

TEST_P(Frictions, SlideAtTheRateOfCoulomb) {
  for (const char* integrator : {"Euler", "RK4"}) {
    Scene s(ramp(0.5, 0.3, integrator), deepest(GetParam()));
    s.run(0.5);
    const double before = s.state.v[0];
    s.run(0.5);
    const double expected = GetParam() == FrictionKind::none
                                ? 9.81 * std::sin(0.5)
                                : 9.81 * (std::sin(0.5) - 0.3 * std::cos(0.5));
    EXPECT_NEAR((s.state.v[0] - before) / 0.5, expected, 1e-3 * expected) << integrator;
    EXPECT_NEAR(s.state.v[1], 0, 1e-12);
  }
}

TEST_P(Frictions, HoldBelowTheAngleOfFriction) {
  Scene s(ramp(0.25, 0.3), deepest(GetParam()));  // tan 0.25 = 0.255
  s.run(2);
  const double at2 = s.state.q[0];
  s.run(2);
  const double creep = s.state.q[0] - at2;
  switch (GetParam()) {
    case FrictionKind::anchor:
    case FrictionKind::springs:
      EXPECT_LT(std::abs(creep), 1e-9);
      EXPECT_GT(at2, 1e-6) << "the springs give";
      EXPECT_LT(at2, 1e-4);
      break;
    case FrictionKind::slip:
    case FrictionKind::viscous:
      EXPECT_GT(creep, 1e-3) << "these hold nothing for good";
      EXPECT_LT(creep, 0.2);
      break;
    default:
      EXPECT_GT(creep, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Frictions,
                         testing::Values(FrictionKind::none, FrictionKind::slip,
                                         FrictionKind::viscous, FrictionKind::springs,
                                         FrictionKind::anchor),
                         [](const auto& info) { return std::string(name(info.param)); });

// mu_0 = 0.36 holds where mu = 0.3 would not; pushed, it slides and does not stop.
TEST(Deepest, StaticFrictionIsLargerUntilItSlides) {
  Scene s(ramp(0.32, 0.3), deepest());  // tan 0.32 = 0.331
  s.run(1);
  EXPECT_LT(s.state.q[0], 1e-4);
  s.state.v[0] = 0.2;
  s.run(1);
  EXPECT_GT(s.state.q[0], 0.2);
  EXPECT_GT(s.state.v[0], 0.2);
}

// A driven belt takes along what lies on it.
TEST(Deepest, DrivenBodiesDrag) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><body name='belt' mocap='true'>"
      "<geom type='box' size='5 5 0.1' friction='0.5'/></body><body name='b' pos='0 0 0.2'>"
      "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
      "<geom type='sphere' size='0.1' mass='1'/></body></worldbody></mujoco>",
      deepest());
  s.input.mocap_velocity[0] << 0.5, 0, 0, 0, 0, 0;
  for (int i = 0; i < 1000; ++i) {
    s.input.mocap[0].p.x() = 0.5e-3 * i;
    s.step();
  }
  EXPECT_NEAR(s.state.v[0], 0.5, 1e-3);
}

// A pendulum that closes a loop hits a wall: the joint holds, the wall is not passed.
TEST(Deepest, RunsBesideJoints) {
  for (const char* stabilize : {"post", "baumgarte", "baumgarte-acc", "none"}) {
    ContactSettings settings = deepest();
    set_stabilize(settings, stabilize);
    Scene s(
        "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='1 1 1'/>"
        "<body name='bob' pos='0.5 0 0.5'><freejoint/><geom type='sphere' size='0.1' mass='1'/>"
        "</body></worldbody><equality><connect body1='bob' anchor='-0.5 0 0'/></equality>"
        "</mujoco>",
        settings);
    double lowest = 1, error = 0;
    for (int i = 0; i < 1500; ++i) {
      s.step();
      lowest = std::min(lowest, s.state.q[2]);
      error = std::max(error, std::abs((Vec3(s.position() - Vec3(0, 0, 0.5))).norm() - 0.5));
    }
    EXPECT_LT(lowest, 0.1) << stabilize;
    EXPECT_GT(lowest, 0.09) << stabilize;
    EXPECT_LT(error, std::string(stabilize) == "none" ? 1e-2 : 1e-3) << stabilize;
    EXPECT_GT(error, 0);
  }
}

// A polygon in a planar world falls as the prism does in space.
TEST(Deepest, PlanarWorldsMoveAsSolidsDo) {
  const auto world = [](const char* custom) {
    return fmt::format(
        "<mujoco><option timestep='0.001'/><custom>{}</custom><worldbody>"
        "<geom type='plane' size='5 5 1'/><body name='b' pos='0 0 0.3'>"
        "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
        "<joint type='hinge' axis='0 1 0'/>"
        "<geom type='box' size='0.1 0.1 0.1' euler='0 20 0' mass='1' friction='0.5'/></body>"
        "</worldbody></mujoco>",
        custom);
  };
  const char* gains =
      "<numeric name='abut.deepest.kp' data='20000'/><numeric name='abut.deepest.kv' data='50'/>";
  Scene solid(world(gains), deepest());
  Scene flat(world((std::string(gains) + "<text name='abut.plane' data='zx'/>").c_str()),
             deepest());
  for (int i = 0; i < 250; ++i) {
    solid.step();
    flat.step();
  }
  EXPECT_GT(std::abs(flat.state.v[2]), 0.1) << "it was hit on a corner";
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(solid.state.q[k], flat.state.q[k], 1e-9);
}

// The foot of a leg in generalized coordinates carries all of it.
TEST(Deepest, RobotsStand) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body name='hip' pos='0 0 1'><joint type='slide' axis='0 0 1'/>"
      "<geom type='sphere' size='0.1' mass='5'/><body name='knee' pos='0 0 -0.4'>"
      "<joint type='slide' axis='0 0 1' stiffness='2000' damping='50'/>"
      "<geom type='sphere' size='0.05' mass='0.5' pos='0 0 -0.4'/></body></body></worldbody>"
      "</mujoco>",
      deepest());
  s.run(3);
  EXPECT_EQ(s.state.q.size(), 2u);
  EXPECT_NEAR(s.simulator.contact_forces().total(), 5.5 * 9.81, 1e-3);
  const double foot = 1 + s.state.q[0] + s.state.q[1] - 0.8;
  EXPECT_LT(foot, 0.05);
  EXPECT_GT(foot, 0.05 - 2e-3);
}

TEST(Deepest, WarnsWhereTheStepIsTooLongForTheGains) {
  const auto warnings = [](const std::string& custom, double h) {
    Scene s(ball(custom, 0, "Euler", h), deepest());
    const std::vector<std::string> lines = s.simulator.contact().warnings();
    return lines.empty() ? std::string() : lines[0];
  };
  EXPECT_THAT(warnings("<numeric name='abut.deepest.kp' data='1e9'/>", 1e-3),
              HasSubstr("the step is too long for the gains of 1 pairs, the worst 'floor' and "
                        "'ball'"));
  EXPECT_THAT(warnings("<numeric name='abut.deepest.kv' data='3e4'/>", 1e-3), HasSubstr("rattles"));
  EXPECT_THAT(warnings("<text name='abut.deepest.gains' data='paper'/>", 1e-3),
              HasSubstr("sag by more than"));
  EXPECT_EQ(warnings("", 1e-3), "");
}

TEST(Deepest, SettingsOfAPairWinOverThoseOfTheWorld) {
  Scene s(ball("<numeric name='abut.deepest.kp' data='1000'/>"
               "<text name='abut.deepest.law' data='p'/>"
               "<tuple name='abut.deepest.kp'><element objtype='geom' objname='floor' prm='1'/>"
               "<element objtype='geom' objname='ball' prm='3000'/></tuple>",
               0.01),
          deepest());
  s.step();
  EXPECT_NEAR(s.simulator.contact_forces().total(), 30, 1e-9);
}

TEST(Deepest, RefusesWhatThereIsNot) {
  const auto why = [](const std::string& custom) -> std::string {
    try {
      Scene s(ball(custom), deepest());
    } catch (const WorldError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(why("<text name='abut.deepest.law' data='pip'/>"),
              HasSubstr("there are p, pd, pid, moore-wilhelms"));
  EXPECT_THAT(why("<text name='abut.deepest.gains' data='best'/>"), HasSubstr("auto, paper"));
  EXPECT_THAT(why("<numeric name='abut.deepest.kp' data='-1'/>"), HasSubstr("0 or more"));
  EXPECT_THAT(why("<numeric name='abut.deepest.lambda' data='1.5'/>"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(why("<text name='abut.deepest.kp' data='7'/>"), HasSubstr("write a number"));
  EXPECT_THAT(why("<numeric name='abut.deepest.kpp' data='7'/>"), HasSubstr("abut.deepest.kpp"));
  EXPECT_THAT(why("<numeric name='abut.friction.static' data='0.5'/>"), HasSubstr("1 or more"));
}

}  // namespace
}  // namespace abut
