// quasirigid: layers, what is sampled and what is integrated, explicit and implicit (Cheng Yi and
// Drumwright, III-A and appendix; K-7, K-20, K-E5).
#include "abut/contact/penalty/quasirigid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/dynamics/energy.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"
#include "tests/support/allocations.h"

namespace abut {
namespace {

using test::Scene;
using testing::HasSubstr;

ContactSettings quasirigid(bool explicit_step = false, ContactSource data = ContactSource::natural,
                           FrictionKind friction = FrictionKind::natural) {
  ContactSettings s = test::settings("quasirigid");
  s.own_words["quasirigid.step"] = explicit_step ? "explicit" : "implicit";
  s.data = data;
  s.friction = friction;
  return s;
}

// A block of 2 x 1 x 0.4 m and 8 kg in a half-space, which has the layer.
std::string block(const std::string& custom, double depth, const Vec3& turn = Vec3::Zero(),
                  double gravity = 9.81, double h = 1e-3, const char* integrator = "Euler") {
  const Quat q = exp_rotation(turn);
  return fmt::format(
      "<mujoco><option timestep='{}' integrator='{}' gravity='0 0 {}'/><custom>{}</custom>"
      "<worldbody><geom name='floor' type='plane' size='5 5 1' friction='0.5'/>"
      "<body name='block' pos='0 0 {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'><freejoint/>"
      "<geom name='block' type='box' size='1 .5 .2' mass='8' friction='0.5'/></body></worldbody>"
      "</mujoco>",
      h, integrator, -gravity, custom, 0.2 - depth, q.w(), q.x(), q.y(), q.z());
}

std::string layer(double thickness, double K, double D, const char* geom = "floor") {
  return fmt::format("<numeric name='abut.layer.{}' data='{} {} {}'/>", geom, thickness, K, D);
}

PairForce only_force(const Scene& s) {
  const ContactForces f = s.simulator.contact_forces();
  EXPECT_EQ(f.pairs.size(), 1u);
  return f.pairs.empty() ? PairForce{} : f.pairs[0];
}

// Pressure times area, whatever the way.
TEST(QuasiRigid, AFlatBlockIsPressedOverItsArea) {
  for (const ContactSource data : {ContactSource::volume, ContactSource::vertices}) {
    Scene s(block(layer(0.1, 1e4, 300), 0.01, Vec3::Zero(), 0), quasirigid(true, data));
    s.state.v[2] = -0.2;
    s.step();
    EXPECT_NEAR(only_force(s).force.z(), 2 * (1e4 * 0.01 + 300 * 0.2), 1e-9);
  }
}

// K-E5: sampling the ends of a face resists tilting three times as much as all of the face does.
TEST(QuasiRigid, VerticesResistTiltingThreeTimesAsMuch) {
  const double eps = 1e-4;
  const auto moment = [&](ContactSource data) {
    Scene s(block(layer(0.1, 1e4, 0), 0.02, {0, eps, 0}, 0), quasirigid(true, data));
    s.step();
    const PairForce f = only_force(s);
    const Vec3 middle = Vec3(0, 0, 0.18) - exp_rotation({0, eps, 0}) * Vec3(0, 0, 0.2);
    return (f.torque + (f.point - middle).cross(f.force)).y();
  };
  const double exact = -1e4 * (2 * 2 * 2 / 12.0) * eps;  // K times the second moment of area
  EXPECT_NEAR(moment(ContactSource::volume), exact, 1e-3 * std::abs(exact));
  EXPECT_NEAR(moment(ContactSource::vertices), 3 * exact, 0.1 * std::abs(exact));
}

// The points of `volume` have force, moment and resistance of the whole, tilted or not.
TEST(QuasiRigid, FewPointsStandForTheVolume) {
  ConvexSet solids;
  ContactSurface s;
  s.normal = Vec3(0.2, -0.3, 0.9).normalized();
  const Vec3 t = s.normal.unitOrthogonal(), u = s.normal.cross(t);
  s.center = {0.3, 0.2, 0.1};
  s.area = 0.7;
  s.volume = 0.01;
  s.first = 0.02 * t - 0.05 * u;
  s.second = 0.06 * t * t.transpose() + 0.03 * u * u.transpose() +
             0.01 * (t * u.transpose() + u * t.transpose());
  for (const bool at_rim : {false, true}) {
    std::vector<LayerSample> samples;
    sample_moments(s, at_rim, samples);
    ASSERT_EQ(samples.size(), at_rim ? 5u : 4u);
    double area = 0, volume = 0, damped = 0;
    Vec3 first = Vec3::Zero(), moment = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (const LayerSample& p : samples) {
      const Vec3 y = p.point - s.center;
      area += p.area;
      damped += p.rim;
      volume += p.area * p.depth;
      first += p.area / s.area * y;
      second += p.area / s.area * y * y.transpose();
      moment += p.area * p.depth * y;
      EXPECT_GE(p.depth, 0);
    }
    EXPECT_NEAR(area, s.area, 1e-15);
    EXPECT_NEAR(damped, s.area, 1e-15);
    EXPECT_NEAR(volume, s.volume, 1e-15);
    EXPECT_LT((first - s.first).norm(), 1e-15);
    EXPECT_LT((second - s.second).norm(), 1e-15);
    EXPECT_LT(moment.norm(), 1e-15) << "through the centroid of the volume";
  }
}

// K-20: the row is implicit Euler of the spring and damper, to rounding, bounces and all.
TEST(QuasiRigid, ImplicitRowsAreImplicitEuler) {
  const double K = 3e5, D = 2e3, A = 2, m = 8, h = 1e-3;
  Scene s(block(layer(0.2, K, D), -0.001, Vec3::Zero(), 9.81, h),
          quasirigid(false, ContactSource::volume, FrictionKind::none));
  const double k = K * A, b = D * A;
  double z = -0.001, v = 0;  // depth and its rate
  for (int i = 0; i < 400; ++i) {
    s.step();
    // m (v' - v) = h (m g - max(0, k (z + h v') + b v'))
    const double pressed = (m * v + h * (m * 9.81 - k * z)) / (m + h * h * k + h * b);
    const bool touches = z > 0 && k * (z + h * pressed) + b * pressed > 0;
    const double before = v;
    v = touches ? pressed : v + h * 9.81;
    z += z > 0 ? h * v : h * 0.5 * (before + v);  // out of the layer it flies
    ASSERT_NEAR(0.2 - s.state.q[2], z, 1e-12) << i;
  }
  EXPECT_NEAR(z, m * 9.81 / k, 1e-9) << "static depth m g / k";
}

// Stiff layers at 1 ms: h^2 k / m of 250, where forces would fly apart.
TEST(QuasiRigid, StiffLayersRunAtOneMillisecond) {
  for (const ContactSource data : {ContactSource::volume, ContactSource::vertices}) {
    Scene s(block(layer(0.01, 1e9, 1e6), -0.3, {0.1, 0.2, 0.3}), quasirigid(false, data));
    s.run(3);
    EXPECT_EQ(s.unsolved, 0);
    EXPECT_NEAR(s.simulator.contact_forces().total(), 8 * 9.81, 1e-3);
    EXPECT_LT(s.velocity().norm(), 1e-4);
    EXPECT_NEAR(0.2 - s.state.q[2], 8 * 9.81 / 2e9, 1e-7);
  }
}

// Deeper than the layer there is the core.
TEST(QuasiRigid, TheCoreIsMetBelowTheLayer) {
  Scene soft(block(layer(0.001, 1e4, 1e3), 0), quasirigid());
  soft.run(2);
  const double depth = 0.2 - soft.state.q[2], alone = 8 * 9.81 / 2e4;
  EXPECT_GT(depth, 0.001);
  EXPECT_NEAR(depth, 0.001 + (alone - 0.001) / 1000, 1e-6) << "a thousand times as stiff";
}

TEST(QuasiRigid, LayersOfBothAreInSeries) {
  const std::string both = layer(0.1, 3e4, 300) + layer(0.05, 6e4, 600, "block");
  Scene s(block(both, 0.01, Vec3::Zero(), 0), quasirigid(true));
  s.state.v[2] = -0.1;
  s.step();
  EXPECT_NEAR(only_force(s).force.z(), 2 * (2e4 * 0.01 + 200 * 0.1), 1e-9);
}

// Nothing said: the lighter body has a layer that sags by 1e-3 of its size under four times its
// weight, on the smallest face it can stand on.
TEST(QuasiRigid, DefaultLayersCarry) {
  const double L = 2 * std::sqrt(1 + 0.25 + 0.04);
  Scene s(block("", 0), quasirigid());
  s.run(2);
  const double sag = 0.2 - s.state.q[2];
  EXPECT_GT(sag, 0);
  EXPECT_LT(sag, 1e-3 * L);
  EXPECT_LT(s.velocity().norm(), 1e-9);
  for (const double size : {0.01, 10.0}) {
    Scene stack(test::stack_of_boxes(3, size, 0.01 * size), quasirigid());
    stack.run(3);
    for (int i = 0; i < 3; ++i) {
      const double off = stack.state.q[static_cast<std::size_t>(7 * i + 2)] - size * (i + 0.5);
      EXPECT_LT(off, 0) << size;
      EXPECT_GT(off, -2e-3 * size * std::sqrt(3) * (i + 1)) << size;
    }
  }
}

TEST(QuasiRigid, HoldsAndSlidesOnInclines) {
  const auto slope = [](double angle) {
    return fmt::format(
        "<mujoco><option timestep='0.001' gravity='{:.17g} 0 {:.17g}'/><worldbody>"
        "<geom type='plane' size='5 5 1' friction='0.4'/><body pos='0 0 0.05'><freejoint/>"
        "<geom type='box' size='.1 .1 .05' mass='2' friction='0'/></body></worldbody></mujoco>",
        9.81 * std::sin(angle), -9.81 * std::cos(angle));
  };
  for (const bool forces : {false, true}) {
    Scene holds(slope(0.36), quasirigid(forces));  // tan 0.36 = 0.376
    holds.run(1);
    const double early = holds.state.q[0];
    holds.run(1.5);
    EXPECT_LT(std::abs(holds.state.q[0] - early), 1e-8) << forces;
    Scene slides(slope(0.45), quasirigid(forces));
    slides.run(0.3);
    const double v = slides.state.v[0];
    slides.run(0.3);
    const double rate = 9.81 * (std::sin(0.45) - 0.4 * std::cos(0.45));
    EXPECT_NEAR((slides.state.v[0] - v) / 0.3, rate, 5e-3 * rate) << forces;
  }
}

TEST(QuasiRigid, RungeKuttaTakesForces) {
  Scene s(block("", -0.01, {0.02, 0.01, 0}, 9.81, 1e-3, "RK4"),
          quasirigid(false, ContactSource::natural, FrictionKind::anchor));
  ASSERT_NE(s.simulator.contact().forces(), nullptr);
  s.run(2);
  EXPECT_LT(s.velocity().norm(), 1e-3);
  Model model = compile(parse_mjcf(block("", 0, Vec3::Zero(), 9.81, 1e-3, "RK4")));
  EXPECT_EQ(Simulator(model, quasirigid()).integrator(), Integrator::euler);
  model.custom.erase("abut.integrator.else");
  EXPECT_THROW(Simulator(model, quasirigid()), WorldError);
}

TEST(QuasiRigid, MomentumIsKeptAndCopiesHaveTheSameFuture) {
  const char* world =
      "<mujoco><option timestep='0.0005' gravity='0 0 0'/><default><geom friction='.4'/></default>"
      "<worldbody><body name='one'><freejoint/><geom type='box' size='.1 .12 .08' mass='1'/></body>"
      "<body name='two' pos='.26 .06 0' euler='20 30 10'><freejoint/><geom type='box' "
      "size='.1 .1 .1' mass='2'/></body></worldbody></mujoco>";
  for (const bool forces : {false, true}) {
    Scene s(world, quasirigid(forces));
    s.state.v[6] = -1.5;
    Derived d(s.model);
    const auto now = [&] {
      positions(s.model, s.state, s.input, d);
      velocities(s.model, s.state, d);
      return momentum(s.model, d);
    };
    const Momentum before = now();
    s.run(0.06);
    State two = s.state;
    Simulator cold(s.model, quasirigid(forces));
    int touching = 0;
    for (int i = 0; i < 100; ++i) {
      s.step();
      cold.step(two, s.input);
      ASSERT_EQ(s.state.hash(), two.hash()) << forces << ' ' << i;
      touching += static_cast<int>(s.simulator.contact_forces().pairs.size());
    }
    const Momentum after = now();
    EXPECT_GT(s.velocity(0).norm(), 0.5) << "it was hit";
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12);
  }
}

TEST(QuasiRigid, WarmStepsAllocateNothing) {
  for (const bool forces : {false, true})
    for (const ContactSource data : {ContactSource::volume, ContactSource::vertices}) {
      Scene s(test::stack_of_boxes(3, 0.2), quasirigid(forces, data));
      s.run(1);
      const long before = test::allocation_count();
      s.run(0.2);
      EXPECT_EQ(test::allocation_count() - before, 0) << forces << int(data);
    }
}

TEST(QuasiRigid, RobotsStand) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body name='hip' pos='0 0 1'><joint type='slide' axis='0 0 1'/>"
      "<geom type='sphere' size='0.1' mass='5'/><body name='knee' pos='0 0 -0.4'>"
      "<joint type='slide' axis='0 0 1' stiffness='2000' damping='50'/>"
      "<geom type='box' size='.05 .05 .05' mass='0.5' pos='0 0 -0.4'/></body></body></worldbody>"
      "</mujoco>",
      quasirigid());
  s.run(3);
  EXPECT_NEAR(s.simulator.contact_forces().total(), 5.5 * 9.81, 1e-3);
}

TEST(QuasiRigid, RefusesWhatThereIsNot) {
  const auto why = [](const std::string& custom, bool explicit_step = false) -> std::string {
    try {
      Scene s(block(custom, 0), quasirigid(explicit_step));
      const auto lines = s.simulator.contact().warnings();
      return lines.empty() ? "" : lines[0];
    } catch (const WorldError& e) {
      return e.what();
    }
  };
  EXPECT_EQ(why("<numeric name='abut.layer' data='.01 1e6'/>"), "");
  EXPECT_THAT(why("<numeric name='abut.layer' data='.01'/>"), HasSubstr("thickness (m)"));
  EXPECT_THAT(why("<numeric name='abut.layer' data='.01 -1e6'/>"), HasSubstr("positive"));
  EXPECT_THAT(why("<numeric name='abut.layer.tyre' data='.01 1e6'/>"), HasSubstr("'tyre'"));
  EXPECT_THAT(why("<numeric name='abut.quasirigid.kp' data='1'/>"), HasSubstr("kp"));
  EXPECT_THAT(why("<text name='abut.plane' data='zx'/>"), HasSubstr("abut.plane"));
  EXPECT_THAT(why(layer(0.01, 1e9, 0), true), HasSubstr("use abut.quasirigid.step implicit"));
  EXPECT_EQ(why(layer(0.01, 1e9, 0), false), "");
}

// Fig. 1: layers over faces alone (surface/face_layers.h).
ContactSettings over_faces(FrictionKind friction = FrictionKind::natural) {
  ContactSettings s = quasirigid(false, ContactSource::vertices, friction);
  s.own_words["quasirigid.layers"] = "faces";
  return s;
}

// The floor is the core, and the block floats in the layer over it: m g = K A depth.
TEST(QuasiRigid, ABlockFloatsInTheLayerOverAFace) {
  Scene s(block(layer(0.1, 1e4, 3e3), -0.08), over_faces());
  s.run(5);  // 17 times D / K
  EXPECT_EQ(s.unsolved, 0);
  EXPECT_NEAR(s.state.q[2], 0.2 + 0.1 - 8 * 9.81 / 2e4, 1e-6);
  EXPECT_LT(s.velocity().norm(), 1e-6);
  EXPECT_NEAR(s.simulator.contact_forces().total(), 8 * 9.81, 1e-4);
}

// A cube of 2 cm in the layer of a core of 1 m: at `place` (m) from its middle, turned.
Vec3 push_by_core(const Vec3& place, const Vec3& turn, double depth_step = 1e-4) {
  const Quat q = exp_rotation(turn);
  Scene s(
      fmt::format("<mujoco><option timestep='{}' gravity='0 0 0'/><custom>{}</custom><worldbody>"
                  "<geom name='core' type='box' size='.5 .5 .5'/>"
                  "<body pos='{} {} {}' quat='{} {} {} {}'><freejoint/>"
                  "<geom type='box' size='.01 .01 .01' mass='1'/></body></worldbody></mujoco>",
                  depth_step, layer(0.1, 1e6, 0, "core"), place.x(), place.y(), place.z(), q.w(),
                  q.x(), q.y(), q.z()),
      over_faces(FrictionKind::none));
  s.step();
  return s.simulator.contact_forces().on_body(s.model, 1, place).lin;
}

TEST(QuasiRigid, OverAFaceTheNormalIsTheFaces) {
  // wholly in the layer, its lowest face 0.04 m over the core: K A (0.1 - 0.04)
  const Vec3 flat = push_by_core({0.2, 0.1, 0.55}, Vec3::Zero());
  EXPECT_NEAR(flat.z(), 1e6 * 4e-4 * 0.06, 1e-2 * flat.z());
  const Vec3 turned = push_by_core({0.2, -0.55, 0.1}, {0.3, 0.5, -0.2});
  EXPECT_LT(turned.y(), 0);
  EXPECT_LT(std::hypot(turned.x(), turned.z()), 1e-9 * turned.norm());
}

TEST(QuasiRigid, InTheRegionsOfEdgesAndVerticesThereIsNoLayer) {
  EXPECT_EQ(push_by_core({0.54, 0, 0.54}, {0.1, 0.2, 0.3}).norm(), 0);
  EXPECT_EQ(push_by_core({0.54, 0.54, 0.54}, {0.1, 0.2, 0.3}).norm(), 0);
  EXPECT_EQ(push_by_core({0, 0, 0.62}, Vec3::Zero()).norm(), 0) << "above the layer";
}

// What has gone through the layer meets the core, a thousand times as stiff.
TEST(QuasiRigid, BelowTheLayerOverAFaceIsTheCore) {
  const Vec3 in = push_by_core({0, 0, 0.5101}, Vec3::Zero()),
             below = push_by_core({0, 0, 0.5099}, Vec3::Zero());
  EXPECT_NEAR(in.z(), 1e6 * 4e-4 * 0.1, 0.02 * in.z());
  EXPECT_GT(below.z(), 1.5 * in.z());
}

TEST(QuasiRigid, LayersOverFacesAreRefusedWhereTheyCannotBe) {
  const auto why = [](const std::string& world, const ContactSettings& settings) {
    try {
      Scene s(world, settings);
    } catch (const WorldError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(why(block("", 0), over_faces()), HasSubstr("describe the layer"));
  ContactSettings integrated = over_faces();
  integrated.data = ContactSource::volume;
  EXPECT_THAT(why(block(layer(0.1, 1e4, 3e3), 0), integrated), HasSubstr("--data vertices"));
  ContactSettings forces = over_faces();
  forces.own_words["quasirigid.step"] = "explicit";
  forces.friction = FrictionKind::none;
  EXPECT_THAT(why(block(layer(0.1, 1e4, 3e3), 0), forces), HasSubstr("implicit"));
  EXPECT_THAT(why("<mujoco><custom>" + layer(0.1, 1e4, 0, "ball") +
                      "</custom><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'>"
                      "<freejoint/><geom name='ball' type='sphere' size='.1'/></body></worldbody>"
                      "</mujoco>",
                  over_faces()),
              HasSubstr("'ball' has a layer and no faces"));
}

}  // namespace
}  // namespace abut
