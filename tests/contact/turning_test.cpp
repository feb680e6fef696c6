// Torsional and rolling friction (condim 4 and 6): rates that can be derived by hand, rest, energy,
// symmetry, and that worlds without them stay what they were.
//
// A ball that rolls on a level floor, with I = 2/5 m r^2, F friction along the floor:
//   m a = -F,  I a / r = F r - mu_r m g  =>  a = -mu_r g / (r (1 + 2/5))
// and on an incline, a (1 + 2/5) = g sin - mu_r g cos / r: at rest while tan < mu_r / r.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "abut/constrain/rows/material.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

constexpr double kG = 9.81, kRadius = 0.02;
constexpr double kFine = 0.0005;  // s: at 2 ms deepest warns that this ball sags too much

struct Case {
  const char* name;
  ContactSettings settings;
};

ContactSettings with(const std::string& model, FrictionKind friction = FrictionKind::natural,
                     const std::string& solver = "auto") {
  ContactSettings s;
  s.model = model;
  s.friction = friction;
  s.solver = solver;
  return s;
}

std::vector<Case> impulse_models() {
  return {{"st", with("st")},
          {"st nsgs", with("st", FrictionKind::natural, "nsgs")},
          {"st bodies", with("st", FrictionKind::natural, "bodies")},
          {"st pyramid", with("st", FrictionKind::pyramid)},
          {"ap", with("ap")},
          {"fast", with("fast")},
          {"peg", with("peg")},
          {"lnc", with("lnc")},
          {"baraff", with("baraff", FrictionKind::cone)}};
}

std::vector<Case> penalty_models() {
  return {{"multipoint", with("multipoint")},
          {"deepest", with("deepest")},
          {"volumetric", with("volumetric")},
          {"quasirigid", with("quasirigid")},
          {"quasirigid anchor", with("quasirigid", FrictionKind::anchor)}};
}

// A ball on a floor; gravity leans towards +x by `tilt`. friction: torsional, rolling (m).
std::string ball(double torsion, double rolling, double tilt = 0, int condim = 6,
                 double step = 0.002) {
  const std::string f =
      fmt::format("condim='{}' friction='0.8 {:.17g} {:.17g}'", condim, torsion, rolling);
  return fmt::format(
      "<mujoco><option timestep='{}' gravity='{:.17g} 0 {:.17g}'/><worldbody>"
      "<geom name='floor' type='plane' size='9 9 1' {}/><body name='ball' pos='0 0 {}'><freejoint/>"
      "<geom name='ball' type='sphere' size='{}' mass='0.1' {}/></body></worldbody></mujoco>",
      step, kG * std::sin(tilt), -kG * std::cos(tilt), f, kRadius, kRadius, f);
}

double spin(const Scene& s) { return s.state.v[5]; }

void roll(Scene& s, double speed) {
  s.state.v[0] = speed;
  s.state.v[4] = speed / kRadius;
}

TEST(Turning, ARollingBallSlowsStopsAndStays) {
  const double mu = 0.001, a = mu * kG / (1.4 * kRadius), speed = 0.2;
  for (const Case& c : impulse_models()) {
    Scene s(ball(0.002, mu), c.settings);
    roll(s, speed);
    s.run(0.3);
    EXPECT_NEAR(s.velocity().x(), speed - a * s.state.time, 1e-8) << c.name;
    EXPECT_NEAR(s.state.v[4] * kRadius, s.velocity().x(), 1e-8) << c.name;
    s.run(0.5);
    const double stopped = s.position().x();
    EXPECT_NEAR(stopped, speed * speed / (2 * a), 0.5 * speed * 0.002) << c.name;
    s.run(1);
    EXPECT_NEAR(s.position().x(), stopped, 1e-9) << c.name;
    EXPECT_LE(s.residual, 1e-8) << c.name;
    EXPECT_EQ(s.unsolved, 0) << c.name;
  }
}

// Penalty models have some resistance of their own, by their area: the difference that mu_r makes.
TEST(Turning, ARollingBallSlowsUnderPenalties) {
  const double mu = 0.001, a = mu * kG / (1.4 * kRadius), speed = 0.2;
  for (const Case& c : penalty_models()) {
    Scene without(ball(0, 0, 0, 6, kFine), c.settings), s(ball(0, mu, 0, 6, kFine), c.settings);
    for (Scene* of : {&without, &s}) {
      roll(*of, speed);
      of->run(0.3);
    }
    EXPECT_NEAR((without.velocity().x() - s.velocity().x()) / (a * s.state.time), 1, 0.02)
        << c.name;
    s.run(1);
    const double stopped = s.position().x();
    s.run(1);
    EXPECT_NEAR(s.position().x(), stopped, 1e-6) << c.name;
    EXPECT_LT(test::kinetic(s), 1e-12) << c.name;
  }
}

TEST(Turning, ASpinAboutTheVerticalSlowsAndStops) {
  const double mu = 0.003, rate = mu * kG / (0.4 * kRadius * kRadius);
  for (const Case& c : impulse_models()) {
    Scene s(ball(mu, 0, 0, 4), c.settings);
    s.state.v[5] = 100;
    s.run(0.3);
    EXPECT_NEAR(spin(s), 100 - rate * s.state.time, 1e-6) << c.name;
    s.run(0.5);
    EXPECT_NEAR(spin(s), 0, 1e-9) << c.name;
    EXPECT_EQ(s.unsolved, 0) << c.name;
  }
  for (const Case& c : penalty_models()) {
    Scene without(ball(0, 0, 0, 4, kFine), c.settings), s(ball(mu, 0, 0, 4, kFine), c.settings);
    for (Scene* of : {&without, &s}) {
      of->state.v[5] = 100;
      of->run(0.2);
    }
    EXPECT_NEAR((spin(without) - spin(s)) / (rate * s.state.time), 1, 0.02) << c.name;
    s.run(1.3);
    EXPECT_NEAR(spin(s), 0, 1e-4) << c.name;  // the layer of multipoint relaxes
  }
}

TEST(Turning, OnAnInclineABallHoldsBelowItsAngleAndRollsAboveIt) {
  const double mu = 0.002, limit = std::atan(mu / kRadius);
  std::vector<Case> all = impulse_models();
  for (const Case& c : penalty_models()) all.push_back(c);
  for (const Case& c : all) {
    const bool exact = &c - all.data() < std::ssize(impulse_models());
    const double step = exact ? 0.002 : kFine;
    Scene holds(ball(0, mu, 0.9 * limit, 6, step), c.settings);
    holds.run(0.2);
    const double settled = holds.position().x();
    holds.run(1);
    EXPECT_NEAR(holds.position().x(), settled, exact ? 1e-9 : 1e-5) << c.name;

    const double tilt = 1.5 * limit;
    Scene rolls(ball(0, mu, tilt, 6, step), c.settings);
    rolls.run(0.5);
    const double expected =
        (kG * std::sin(tilt) - mu * kG * std::cos(tilt) / kRadius) / 1.4 * rolls.state.time;
    if (exact)
      EXPECT_NEAR(rolls.velocity().x(), expected, 1e-7) << c.name;
    else
      EXPECT_NEAR(rolls.velocity().x() / expected, 1, 0.05) << c.name;
  }
}

// A cone of a ball's tip: slows by mu_t m g / I about its axis, as long as it stands.
TEST(Turning, ATopSlows) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody>"
      "<geom type='plane' size='1 1 1' condim='4' friction='1 0.0005 0'/>"
      "<body pos='0 0 0.005'><freejoint/><inertial pos='0 0 0.03' mass='0.05' "
      "diaginertia='1e-5 1e-5 2e-5'/><geom type='sphere' "
      "size='0.005' friction='1 0.0005 0'/></body></worldbody></mujoco>",
      with("st"));
  s.state.v[5] = 300;
  s.run(1);
  EXPECT_NEAR(s.state.v[5], 300 - 0.0005 * 0.05 * kG / 2e-5 * s.state.time, 1e-6);
}

// Four corners slide in circles of r, and each has a couple: (mu m g r + mu_t m g) / I. The loads of the
// corners are redundant.
TEST(Turning, ASpinningBoxIsBrakedBySlidingAndByTorsion) {
  const double mu = 0.4, torsion = 0.02, half = 0.1;
  const std::string f = fmt::format("condim='6' friction='{} {} 0.0005'", mu, torsion);
  const std::string world = fmt::format(
      "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='9 9 1' {0}/>"
      "<body pos='0 0 0.05'><freejoint/><geom type='box' size='.1 .1 .05' mass='1' {0}/></body>"
      "</worldbody></mujoco>",
      f);
  const double rate = (mu * std::sqrt(2.0) * half + torsion) * kG / (2 * 4 * half * half / 12);
  for (const Case& c : impulse_models()) {
    if (c.settings.friction == FrictionKind::pyramid) continue;  // friction of its eight directions
    Scene s(world, c.settings);
    s.state.v[5] = 30;
    s.run(0.1);
    EXPECT_NEAR(spin(s), 30 - rate * s.state.time, 1e-3) << c.name;
    EXPECT_LE(s.residual, 1e-8) << c.name;
    EXPECT_EQ(s.unsolved, 0) << c.name;
  }
}

// What a turntable loses the ball on it gains, until both turn alike.
TEST(Turning, CouplesAreEqualAndOpposite) {
  Scene s(
      "<mujoco><option timestep='0.002'/><worldbody><body><joint type='hinge' axis='0 0 1'/>"
      "<geom type='cylinder' size='0.2 0.01' mass='0.1' condim='4' friction='1 .005 0'/></body>"
      "<body pos='0 0 0.03'><freejoint/><geom type='sphere' size='0.02' mass='0.1' condim='4' "
      "friction='1 .005 0'/></body></worldbody></mujoco>",
      with("st"));
  const double table = 0.5 * 0.1 * 0.04, rider = 0.4 * 0.1 * kRadius * kRadius;
  s.state.v[0] = 10;
  s.run(1);
  EXPECT_NEAR(s.state.v[6], s.state.v[0], 1e-8);
  EXPECT_NEAR(table * s.state.v[0] + rider * s.state.v[6], table * 10, 1e-9);
}

double total_energy(const Scene& s) {
  Derived d(s.model);
  positions(s.model, s.state, s.input, d);
  velocities(s.model, s.state, d);
  const Energy e = energy(s.model, s.state, d);
  return e.kinetic + e.potential;
}

std::string tumblers(const std::string& friction) {
  return fmt::format(
      "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='9 9 1' {0}/>"
      "<body pos='0 0 0.2' euler='30 20 10'><freejoint/><geom type='box' size='.05 .04 .03' "
      "{0}/></body>"
      "<body pos='0.3 0 0.2' euler='70 20 10'><freejoint/><geom type='capsule' size='.03 .05' "
      "{0}/></body>"
      "<body pos='0.32 0 0.35'><freejoint/><geom type='sphere' size='.04' {0}/></body>"
      "<body pos='0.7 0 0.2' euler='40 0 10'><freejoint/><geom type='cylinder' size='.04 .02' "
      "{0}/></body>"
      "</worldbody></mujoco>",
      friction);
}

TEST(Turning, EnergyNeverGrows) {
  for (const std::string model : {"st", "ap", "fast"}) {
    Scene s(tumblers("condim='6' friction='0.5 0.01 0.004'"), with(model));
    for (std::size_t i = 0; i < s.state.v.size(); ++i) s.state.v[i] = std::sin(1.0 + i);
    double before = total_energy(s);
    for (int i = 0; i < 1500; ++i) {
      s.step();
      ASSERT_LE(s.simulator.contact().stepping().work_on_free(), 1e-9) << model << s.state.time;
      const double now = total_energy(s);
      // the error of a step of free flight, m g h |v|; ap lifts what overlaps
      if (model != "ap") {
        ASSERT_LE(now, before + 1e-4) << model << " at " << s.state.time;
      }
      before = now;
    }
    EXPECT_LT(test::kinetic(s), 1e-9) << model;
    EXPECT_LE(s.residual, 1e-8) << model;
    EXPECT_EQ(s.unsolved, 0) << model;
  }
}

// The world and its gravity turned as one.
TEST(Turning, DoesNotDependOnTheAxes) {
  const Quat turn = Quat(0.3, -0.5, 0.7, 0.2).normalized();
  const auto world = [&](const Quat& q, const char* shape) {
    const Vec3 g = q * Vec3(0.3, 0.2, -kG), p = q * Vec3(0, 0, 0.03);
    return fmt::format(
        "<mujoco><option timestep='0.002' gravity='{:.17g} {:.17g} {:.17g}'/><worldbody>"
        "<geom type='plane' size='9 9 1' quat='{:.17g} {:.17g} {:.17g} {:.17g}' condim='6' "
        "friction='.6 .004 .0008'/><body pos='{:.17g} {:.17g} {:.17g}' quat='{:.17g} {:.17g} "
        "{:.17g} "
        "{:.17g}'><freejoint/><geom {} condim='6' friction='.6 .004 "
        ".0008'/></body></worldbody></mujoco>",
        g.x(), g.y(), g.z(), q.w(), q.x(), q.y(), q.z(), p.x(), p.y(), p.z(), q.w(), q.x(), q.y(),
        q.z(), shape);
  };
  for (const std::string model : {"st", "multipoint"}) {
    // multipoint cuts an ellipsoid into facets by axes of the world
    const char* shape = model == "st" ? "type='ellipsoid' size='.04 .035 .03'" : "size='.03'";
    Scene a(world(Quat::Identity(), shape), with(model)), b(world(turn, shape), with(model));
    const Vec3 v = turn * Vec3(0.2, 0.1, 0);
    a.state.v[0] = 0.2, a.state.v[1] = 0.1, a.state.v[5] = b.state.v[5] = 20;
    for (int k = 0; k < 3; ++k) b.state.v[at(k)] = v[k];
    a.run(0.2);
    b.run(0.2);
    EXPECT_LT((turn * a.position() - b.position()).norm(), 1e-7) << model;
    EXPECT_NEAR(a.state.v[5], b.state.v[5], 1e-4) << model;  // in the axes of the body
  }
}

TEST(Turning, CoefficientsOfZeroGiveTheBitsOfSlidingAlone) {
  for (const std::string model :
       {"st", "ap", "fast", "multipoint", "deepest", "volumetric", "quasirigid"}) {
    Scene three(tumblers("condim='3' friction='0.5 0 0'"), with(model)),
        six(tumblers("condim='6' friction='0.5 0 0'"), with(model));
    three.run(0.1);
    six.run(0.1);
    EXPECT_EQ(three.state.hash(), six.state.hash()) << model;
  }
}

TEST(Turning, NoFrictionIsNoTorsionEither) {
  Scene s(ball(0.01, 0.01), with("st", FrictionKind::none));
  s.state.v[5] = 10;
  s.run(0.1);
  EXPECT_EQ(spin(s), 10);
}

// condim 4 has torsion alone, and a pair's own numbers come first.
TEST(Turning, MaterialsFollowTheWorld) {
  const Model m = compile(parse_mjcf(
      "<mujoco><worldbody><geom name='a' type='plane' size='1 1 1' condim='4' friction='1 .02 "
      ".03'/>"
      "<body pos='0 0 1'><freejoint/><geom name='b' size='.1' friction='1 .01 .05'/>"
      "<geom name='c' size='.1' condim='6'/><geom name='d' size='.1' priority='1'/></body>"
      "</worldbody><contact><pair geom1='a' geom2='c' condim='6' friction='1 1 .1 .2 "
      ".3'/></contact>"
      "</mujoco>"));
  const Materials materials(m);
  EXPECT_TRUE(materials.any_turns());
  EXPECT_EQ(materials.of(0, 1).torsion, 0.02);
  EXPECT_EQ(materials.of(0, 1).rolling, 0);
  EXPECT_EQ(materials.of(1, 2).torsion, 0.01);
  EXPECT_EQ(materials.of(1, 2).rolling, 0.05);
  EXPECT_EQ(materials.of(0, 2).torsion, 0.1);
  EXPECT_EQ(materials.of(0, 2).rolling, 0.3);
  EXPECT_FALSE(materials.of(0, 3).turns());
}

// Islands that go to the solver in the velocities of bodies.
TEST(Turning, APileOfFortyMarbles) {
  std::string bodies;
  for (int i = 0; i < 40; ++i)
    bodies += fmt::format(
        "<body pos='{} {} {}'><freejoint/><geom type='sphere' size='.01' condim='6' "
        "friction='.5 .001 .0005'/></body>",
        0.0199 * (i % 4) + 1e-4 * (i % 7), 0.0199 * (i / 4 % 2) + 1e-4 * (i % 5),
        0.01 + 0.02 * (i / 8));
  for (const std::string model : {"st", "fast"}) {
    Scene s(
        "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='1 1 1' "
        "condim='6' friction='.5 .001 .0005'/>" +
            bodies + "</worldbody></mujoco>",
        with(model));
    s.run(0.1);
    EXPECT_LE(s.residual, 1e-7) << model;
    EXPECT_LE(s.unsolved, 1) << model;
    EXPECT_LT(test::deepest(s), 2e-4) << model;
  }
}

}  // namespace
}  // namespace abut
