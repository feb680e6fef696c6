// volumetric: the integrals over the common volume, what they do in worlds, friction and its memory
// (Hasegawa and Fujii; H-T3, H-T6 .. H-T10, F-5, F-6).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "abut/collide/volume/clip_volume.h"
#include "abut/contact/penalty/stiffness/mobility.h"
#include "abut/contact/penalty/surface/contact_pieces.h"
#include "abut/contact/penalty/surface/contact_surface.h"
#include "abut/dynamics/energy.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "abut/shape/primitives.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"
#include "tests/support/allocations.h"

namespace abut {
namespace {

using test::Scene;
using testing::HasSubstr;

ContactSettings volumetric(FrictionKind friction = FrictionKind::natural) {
  ContactSettings s = test::settings("volumetric");
  s.friction = friction;
  return s;
}

std::string gains(double kp, double kv) {
  return fmt::format(
      "<numeric name='abut.volumetric.kp' data='{}'/><numeric name='abut.volumetric.kv' "
      "data='{}'/>",
      kp, kv);
}

std::string pose(const Vec3& p, const Quat& q) {
  return fmt::format("pos='{:.17g} {:.17g} {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'", p[0],
                     p[1], p[2], q.w(), q.x(), q.y(), q.z());
}

// A cube of 2 m and 1 kg (H-X1), `depth` deep in the ground.
std::string cube(const std::string& custom, double depth, const Quat& q = Quat::Identity(),
                 double gravity = 9.8, double h = 0.01, const char* integrator = "Euler",
                 double mass = 1) {
  return fmt::format(
      "<mujoco><option timestep='{}' integrator='{}' gravity='0 0 {}'/><custom>{}</custom>"
      "<worldbody><geom name='floor' type='plane' size='5 5 1'/><body name='cube' {}>"
      "<freejoint/><geom name='cube' type='box' size='1 1 1' mass='{}'/></body></worldbody>"
      "</mujoco>",
      h, integrator, -gravity, custom, pose({0, 0, 1 - depth}, q), mass);
}

PairForce only_force(const Scene& s) {
  const ContactForces f = s.simulator.contact_forces();
  EXPECT_EQ(f.pairs.size(), 1u);
  return f.pairs.empty() ? PairForce{} : f.pairs[0];
}

// H-E2, F-5: the force of the model is that of eqs 2 to 5 summed over the
// triangles of the surface, to rounding; a model that samples points is off by parts.
TEST(Volumetric, ForceIsTheIntegralOverTheSurface) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 40; ++i) {
    const auto turn = [&] { return exp_rotation(Vec3(unit(random), unit(random), unit(random))); };

    const Pose A{Vec3::Zero(), turn()};
    const Pose B{0.45 * Vec3(unit(random), unit(random), unit(random)), turn()};
    Scene s(fmt::format("<mujoco><option gravity='0 0 0'/><custom>{}</custom><worldbody>"
                        "<body {}><freejoint/><geom type='box' size='.5 .4 .3' mass='1'/></body>"
                        "<body {}><freejoint/><geom type='box' size='.3 .5 .4' mass='1'/></body>"
                        "</worldbody></mujoco>",
                        gains(100, 0), pose(A.p, A.q), pose(B.p, B.q)),
            volumetric(FrictionKind::none));
    s.step();
    const PairForce f = only_force(s);

    ClipBuffers buffers;
    Intersection common;
    const ConvexSet& solids = s.simulator.contact().collider().solids();
    clip_volume(solids[0], solids[1], relative(A, B), buffers, common);
    ASSERT_EQ(common.overlap, OverlapKind::solid);
    place(common, A);
    // the area vectors of A, which point to B (H-E3 in our convention)
    Vec3 n = common.area_A.normalized();
    if (n.dot(f.force) < 0) n = -n;  // past the middle
    const HeightIntegral sum = surface_integral(common, n);
    const double scale = 100 / projected_area(common, n);
    EXPECT_LT((f.force - scale * sum.force).norm(), 1e-12 * f.force.norm());
    const Vec3 moment = f.torque + (f.point - common.origin).cross(f.force);
    EXPECT_LT((moment - scale * sum.moment).norm(), 1e-12 * f.force.norm());
  }
}

// Area, first and second moments and mean distance of a shadow, against many small pieces.
TEST(Volumetric, ShadowHasTheMomentsOfItsPolygon) {
  ConvexSet solids;
  const int a = solids.add(box_polyhedron({0.5, 0.4, 0.3}));
  const int b = solids.add(box_polyhedron({0.5, 0.5, 0.5}));
  ClipBuffers buffers;
  Intersection common;
  clip_volume(solids[a], solids[b],
              {exp_rotation({0.2, 0.5, 0.3}).toRotationMatrix(), Vec3(0.5, 0.3, 0.4)}, buffers,
              common);
  const Vec3 n = common.area_A.normalized();
  ContactSurface s;
  measure_shadow(common, n, common.centroid, s);
  EXPECT_NEAR(s.area, projected_area(common, n), 1e-15);
  // a fine grid over the shadow: a point is in it if a line along n meets the solid
  const Vec3 t = n.unitOrthogonal(), u = n.cross(t);
  double area = 0, arm = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  constexpr int kGrid = 500;
  const double reach = 0.8, cell = 2 * reach / kGrid;
  for (int i = 0; i < kGrid; ++i)
    for (int j = 0; j < kGrid; ++j) {
      const Vec3 y = (-reach + (i + 0.5) * cell) * t + (-reach + (j + 0.5) * cell) * u;
      double low = -10, high = 10;
      for (const Intersection::Face& f : common.faces) {
        const Vec3 eta = f.area.normalized();
        const double slope = eta.dot(n);
        const double gap = eta.dot(common.vertices[static_cast<std::size_t>(common.loop(f)[0])]) -
                           eta.dot(common.centroid + y);
        if (slope > 1e-12)
          high = std::min(high, gap / slope);
        else if (slope < -1e-12)
          low = std::max(low, gap / slope);
        else if (gap < 0)
          high = -20;
      }
      if (low >= high) continue;
      area += cell * cell;
      first += cell * cell * y;
      second += cell * cell * y * y.transpose();
      arm += cell * cell * y.norm();
    }
  EXPECT_NEAR(area / s.area, 1, 5e-3);
  EXPECT_LT((first / area - s.first).norm(), 1e-3);
  EXPECT_LT((second / area - s.second).norm(), 1e-2 * s.second.norm());
  EXPECT_NEAR(arm / area, s.arm, 5e-3 * s.arm);
}

// The mean distance of a square's points from its middle is a (sqrt(2) + asinh(1)) / 3, and of a
// rectangle's from a corner by the same integral over two triangles.
TEST(Volumetric, ArmOfASquare) {
  ConvexSet solids;
  const int box = solids.add(box_polyhedron({0.5, 0.5, 0.5}));
  ClipBuffers buffers;
  Intersection common;
  for (const double thick : {1e-2, 1e-9}) {
    clip_volume(solids[box], solids[box], {Mat3::Identity(), Vec3(0, 0, 1 - thick)}, buffers,
                common);
    ContactSurface s;
    measure_shadow(common, Vec3::UnitZ(), common.centroid, s);
    EXPECT_NEAR(s.arm, 0.5 * (M_SQRT2 + std::asinh(1)) / 3, 1e-14);
    measure_shadow(common, Vec3::UnitZ(), common.centroid + Vec3(0.5, 0.5, 0), s);
    EXPECT_NEAR(s.arm, (M_SQRT2 + std::asinh(1)) / 3, 1e-14);
    // far away the distance is that to the middle
    measure_shadow(common, Vec3::UnitZ(), common.centroid + Vec3(1e6, 0, 0), s);
    EXPECT_NEAR(s.arm / 1e6, 1, 1e-9);
  }
}

// An edge that grazes a face has hardly a shadow, and the points of the patch stand for it; they
// are the same if the pair came with its witnesses alone.
TEST(Volumetric, AThinContactFindsItsPoints) {
  const Scene scene(
      "<mujoco><worldbody><geom type='box' size='.5 .5 .5'/>"
      "<body pos='.1 0 1.2071067811855475'><freejoint/>"  // less 1e-12
      "<geom type='box' size='.5 .5 .5' euler='45 0 0'/></body></worldbody></mujoco>",
      volumetric());
  Collider collider(scene.model);
  Derived d(scene.model);
  positions(scene.model, scene.state, scene.input, d);
  velocities(scene.model, scene.state, d);
  const Materials materials(scene.model);
  ContactSurface found[2];
  for (const int most : {0, 1}) {
    ContactData data;
    std::vector<PairQuery> queries;
    collider.find(scene.model, d, {}, {.reach = {}, .max_points = most}, data, queries);
    ASSERT_EQ(data.patches.size(), 1u);
    EXPECT_EQ(data.points.count(), most == 1 ? 1 : 2);
    EXPECT_NEAR(data.patches[0].distance, -1e-12, 1e-15);
    ContactPieces pieces(scene.model, {});
    pieces.find({scene.model, collider.solids(), materials, scene.input, d, data}, {});
    found[most] = pieces.all()[0].surface;
  }
  EXPECT_TRUE(found[1].thin);
  EXPECT_EQ(found[0].center, found[1].center);
  EXPECT_EQ(found[0].second, found[1].second);
  EXPECT_EQ(found[0].arm, found[1].arm);
  // from 0.1 - 0.5 to 0.5 along the edge
  EXPECT_LT((found[1].center - Vec3(0.05, 0, 0.5)).norm(), 1e-11);
  EXPECT_NEAR(found[1].second(0, 0), 0.45 * 0.45 / 3, 1e-12);
}

// H-T7: a flat contact pushes through the middle; tilted, it is turned back by k (2^2/12) eps,
// where sampling the corners would give three times that.
TEST(Volumetric, FlatContactTurnsBackByTheSecondMoment) {
  Scene flat(cube(gains(1500, 0), 0.02), volumetric());
  flat.step();
  const PairForce f = only_force(flat);
  EXPECT_NEAR(f.force.z(), 1500 * 0.02, 1e-10);
  EXPECT_LT(f.torque.norm() + (f.point - Vec3(0, 0, f.point.z())).norm(), 1e-12);

  const double eps = 1e-3;
  Scene tilted(cube(gains(1500, 0), 0.02, exp_rotation({0, eps, 0})), volumetric());
  tilted.step();
  const PairForce g = only_force(tilted);
  // about the middle of the face that lies in the ground
  const Vec3 middle = Vec3(0, 0, 0.98) - exp_rotation({0, eps, 0}) * Vec3::UnitZ();
  const double moment = (g.torque + (g.point - middle).cross(g.force)).y();
  EXPECT_NEAR(moment, -1500 * (4.0 / 12) * eps, 0.01 * 1500 / 3 * eps);
}

// H-E6: dampers over a square, against translation and against tilting.
TEST(Volumetric, DampersAreSpreadToo) {
  Scene s(cube(gains(1500, 30), 0.02, Quat::Identity(), 0), volumetric(FrictionKind::none));
  s.state.v[2] = -0.1;
  s.state.v[4] = 0.2;
  s.step();
  const PairForce f = only_force(s);
  EXPECT_NEAR(f.force.z(), 1500 * 0.02 + 30 * 0.1, 1e-10);
  const double moment = (f.torque + f.point.cross(f.force)).y();
  EXPECT_NEAR(moment, -30 * 0.2 / 3, 1e-10);
}

TEST(Volumetric, NeverPulls) {
  Scene s(cube(gains(1500, 30), 0.02, Quat::Identity(), 0), volumetric());
  s.state.v[2] = 1.5;
  s.state.v[4] = 0.3;
  s.step();
  EXPECT_TRUE(s.simulator.contact_forces().pairs.empty()) << "force and moment are dropped";
  EXPECT_NEAR(s.state.v[2], 1.5, 1e-15);
  EXPECT_NEAR(s.state.v[4], 0.3, 1e-12);
}

// H-T3, F-6: it rests at m g / k because springs hold it there, and a push moves it.
TEST(Volumetric, RestsAtTheDepthOfItsWeightAndAnswersToAPush) {
  Scene s(
      cube("<text name='abut.volumetric.gains' data='paper'/>", -0.1, exp_rotation({0, 0, 0.1})),
      volumetric());
  s.run(6);
  const double k = M_PI * M_PI / (64 * 1e-4);
  EXPECT_NEAR(k, 1542.13, 0.01);
  EXPECT_NEAR(1 - s.state.q[2], 9.8 / k, 1e-6 * 9.8 / k);
  for (const double v : s.state.v) EXPECT_LT(std::abs(v), 1e-9);
  const double before = s.state.q[0];
  s.state.v[0] += 1e-3;
  s.step();
  EXPECT_GT(s.state.q[0], before + 1e-6);
}

// H-T8: an L of two boxes, cut this way or that, is pushed by one and the same force. Where it is
// tilted the shadows of its pieces overlap by depth times tilt, as the cut between them leans.
TEST(Volumetric, HowABodyIsCutDoesNotShow) {
  const auto wrench = [](const char* geoms, bool floor_in_tiles, const char* quat) {
    // of one moment: a first step has many parts
    Scene s(fmt::format("<mujoco><option timestep='0.001'/><custom><numeric "
                        "name='abut.volumetric.parts' data='1'/></custom><worldbody>{}<body "
                        "name='L' "
                        "pos='0.1 0.05 0.298' quat='{}'><freejoint/><inertial pos='0 0 0' mass='3' "
                        "diaginertia='.1 .1 .1'/>{}</body></worldbody></mujoco>",
                        floor_in_tiles ? "<geom type='box' size='1 1 .5' pos='-1 0 -.5'/>"
                                         "<geom type='box' size='1 1 .5' pos='1 0 -.5'/>"
                                       : "<geom type='box' size='2 1 .5' pos='0 0 -.5'/>",
                        quat, geoms),
            volumetric());
    s.step();
    return s.simulator.contact_forces().on_body(s.model, s.model.find_body("L"), Vec3::Zero());
  };
  const char* one =
      "<geom type='box' size='.1 .3 .3' pos='-.2 0 0'/><geom type='box' size='.2 .3 .1' "
      "pos='.1 0 -.2'/>";
  const char* other =
      "<geom type='box' size='.3 .3 .1' pos='0 0 -.2'/><geom type='box' size='.1 .3 .2' "
      "pos='-.2 0 .1'/>";
  const auto difference = [](const Spatial& a, const Spatial& b) {
    return ((a.lin - b.lin).norm() + (a.ang - b.ang).norm()) / a.lin.norm();
  };
  const char *upright = "0.98 0 0 0.2", *tilted = "0.999 0.01 0.012 0.2";
  const Spatial whole = wrench(one, false, upright);
  EXPECT_GT(whole.lin.z(), 1);
  EXPECT_LT(difference(whole, wrench(other, false, upright)), 1e-9);
  EXPECT_LT(difference(whole, wrench(one, true, upright)), 1e-9) << "nor where the floor is cut";
  EXPECT_LT(difference(wrench(one, false, tilted), wrench(other, false, tilted)), 2e-4);
}

// H-N2: past the middle of a plate eq. 1 points the other way; the side it came from is remembered.
TEST(Volumetric, PastTheMiddleItIsPushedBackTheWayItCame) {
  const auto world = [](double z) {
    return fmt::format(
        "<mujoco><option timestep='0.001' gravity='0 0 0'/><custom>{}</custom><worldbody>"
        "<geom type='box' size='1 1 .05' pos='0 0 0'/><body pos='0 0 {}'><freejoint/>"
        "<geom type='box' size='.2 .2 .2' mass='1'/></body></worldbody></mujoco>",
        gains(1000, 0), z);
  };
  Scene s(world(0.24), volumetric());
  s.step();
  for (const double z : {0.2, 0.15, 0.06, 0.0, -0.06}) {
    s.state.q[2] = z;
    for (double& v : s.state.v) v = 0;
    s.step();
    EXPECT_GT(s.state.v[2], 0) << z;
  }
  // who has not seen it come takes the least translation
  Scene fresh(world(-0.06), volumetric());
  fresh.step();
  EXPECT_LT(fresh.state.v[2], 0);
}

// H-N1, H-N3: however thin the volume, there is a force.
TEST(Volumetric, ThinContactsPush) {
  for (double depth = 1e-3; depth > 1e-15; depth /= 10) {
    Scene s(cube(gains(1e6, 0), depth, Quat::Identity(), 0), volumetric());
    const double exact = 1 - s.state.q[2];  // as rounding has it
    s.step();
    EXPECT_NEAR(s.simulator.contact_forces().total() / (1e6 * exact), 1, 1e-3) << depth;
  }
}

// H-T9 and the friction of 4.6: holds below mu_0, slides above at the rate of mu.
TEST(Volumetric, HoldsAndSlidesOnInclines) {
  const auto slope = [](double angle, const char* custom = "") {
    return fmt::format(
        "<mujoco><option timestep='0.001' gravity='{:.17g} 0 {:.17g}'/><custom>{}</custom>"
        "<worldbody><geom type='plane' size='5 5 1' friction='0.4'/><body pos='0 0 0.05'>"
        "<freejoint/><geom type='box' size='.1 .1 .05' mass='2' friction='0'/></body></worldbody>"
        "</mujoco>",
        9.81 * std::sin(angle), -9.81 * std::cos(angle), custom);
  };
  Scene holds(slope(0.36), volumetric());  // tan 0.36 = 0.376
  holds.run(0.5);
  const double early = holds.state.q[0];
  holds.run(2);
  EXPECT_LT(std::abs(holds.state.q[0] - early), 1e-9);
  EXPECT_GT(early, 1e-7) << "the springs give";

  Scene slides(slope(0.45), volumetric());
  slides.run(0.3);
  const double v = slides.state.v[0];
  slides.run(0.3);
  const double rate = 9.81 * (std::sin(0.45) - 0.4 * std::cos(0.45));
  EXPECT_NEAR((slides.state.v[0] - v) / 0.3, rate, 2e-3 * rate);

  // static friction is larger until it slides
  const char* more = "<numeric name='abut.friction.static' data='1.4'/>";
  Scene sticks(slope(0.45, more), volumetric());  // tan 0.45 = 0.483 < 0.56
  sticks.state = holds.state;                     // at rest, so that it does not slip at first
  sticks.run(1);
  EXPECT_LT(sticks.state.q[0] - early, 1e-4);
  sticks.state.v[0] = 0.3;
  sticks.run(0.5);
  EXPECT_GT(sticks.state.v[0], 0.3);
}

// A square of side 2a that spins on the ground slows down by mu g times the mean distance from its
// middle over its radius of gyration squared; and stays turned against a small torque.
TEST(Volumetric, TorsionStopsASpinAtTheRateOfCoulomb) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1' "
      "friction='0.3'/><body pos='0 0 0.05'><freejoint/><geom type='box' size='.1 .1 .05' mass='2' "
      "friction='0'/></body></worldbody></mujoco>",
      volumetric());
  s.run(0.2);
  s.state.v[5] = 20;
  s.run(0.1);
  const double before = s.state.v[5];
  s.run(0.2);
  const double arm = 0.1 * 2 * 0.38259785823;  // (sqrt 2 + asinh 1) / 6 of the side
  const double rate = 0.3 * 9.81 * arm / ((0.04 + 0.04) / 12);
  EXPECT_NEAR((before - s.state.v[5]) / 0.2, rate, 5e-3 * rate);
  s.run(1);
  EXPECT_LT(std::abs(s.state.v[5]), 1e-6);
  EXPECT_LT(s.velocity().norm(), 1e-6);

  const auto heading = [&] { return 2 * std::atan2(s.state.q[6], s.state.q[3]); };
  const double at_rest = heading();
  s.input.wrench[1] << 0, 0, 0, 0, 0, 0.3 * 2 * 9.81 * arm * 0.8;
  s.run(0.5);
  const double twisted = heading();
  EXPECT_GT(std::abs(twisted - at_rest), 1e-8) << "the spring gives";
  s.run(1);
  EXPECT_LT(std::abs(heading() - twisted), 1e-7) << "and holds";
  s.input.wrench[1] << 0, 0, 0, 0, 0, 0.3 * 2 * 9.81 * arm * 1.2;
  s.run(0.5);
  EXPECT_GT(std::abs(heading() - twisted), 0.1) << "more than friction has";
}

// H-T10: masses a thousand times as large and a tenth of the step need no new gains.
TEST(Volumetric, GainsFollowMassAndStep) {
  for (const auto& [mass, h] : {std::pair{1.0, 0.01}, {1000.0, 0.001}, {1e-3, 0.01}, {1e6, 1e-3}}) {
    Scene s(cube("", -0.2, exp_rotation({0.05, 0.1, 0}), 9.8, h, "Euler", mass), volumetric());
    s.run(3);
    const double sag = 1 - s.state.q[2];
    EXPECT_GT(sag, 0);
    EXPECT_LT(sag, 2e-3 * 2 * std::sqrt(3)) << mass;
    EXPECT_LT(s.velocity().norm(), 1e-6) << mass;
    EXPECT_TRUE(s.simulator.contact().warnings().empty());
  }
}

// A rod turns easily about its own axis, but no corner is far from that: it must not be taken for
// light there, or it would be held by weak springs.
// The rod begins 3 mm above the floor: what begins in overlap still comes out of it after 3 s, by the
// rule of initial_overlap.h.
TEST(Volumetric, ThinRodsAreHeldAsWellAsCubes) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 0.04' euler='5 3 0'><freejoint/><geom type='box' size='.5 .01 .01' "
      "mass='1'/></body></worldbody></mujoco>",
      volumetric());
  const Mobility mobility(s.model, s.simulator.contact().collider());
  EXPECT_LT(mobility.worst(0, 1), 12);
  s.run(3);
  EXPECT_LT(s.velocity().norm(), 1e-6);
  EXPECT_GT(s.state.q[2], 0.01 - 1e-3);
}

// Boxes meet in mid-air, off centre, with friction.
std::string collision(const char* integrator, const Quat& turn = Quat::Identity(),
                      const Vec3& shift = Vec3::Zero(), bool reversed = false) {
  const auto body = [&](const char* name, const Vec3& p, const char* geom) {
    return fmt::format("<body name='{}' {}><freejoint/>{}</body>", name,
                       pose(shift + turn * p, turn * exp_rotation({0.3, 0.5, -0.2})), geom);
  };
  const std::string bodies[] = {
      body("one", {0, 0, 0}, "<geom type='box' size='0.1 .12 .08' mass='1'/>"),
      body("two", {0.26, 0.06, 0}, "<geom type='box' size='0.1 .1 .1' mass='2'/>"),
      body("three", {-0.1, 0.33, 0.02}, "<geom type='box' size='0.1 0.15 0.08' mass='3'/>")};
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

TEST(Volumetric, MomentumIsKept) {
  for (const char* integrator : {"Euler", "RK4"}) {
    Scene s(collision(integrator), volumetric());
    throw_together(s);
    Derived d(s.model);
    const auto now = [&] {
      positions(s.model, s.state, s.input, d);
      velocities(s.model, s.state, d);
      return momentum(s.model, d);
    };
    const Momentum before = now();
    int touching = 0;
    for (int i = 0; i < 500; ++i) {
      s.step();
      touching += static_cast<int>(s.simulator.contact_forces().pairs.size());
    }
    const Momentum after = now();
    EXPECT_GT(touching, 20) << integrator;
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12) << integrator;
    EXPECT_LT((after.angular - before.angular).norm(),
              before.angular.norm() * (integrator[0] == 'E' ? 1e-3 : 1e-5))
        << integrator;
  }
}

std::vector<Pose> fly(const Quat& turn, const Vec3& shift, bool reversed) {
  Scene s(collision("Euler", turn, shift, reversed), volumetric());
  throw_together(s, turn);
  s.run(0.12);
  Derived d(s.model);
  positions(s.model, s.state, s.input, d);
  std::vector<Pose> end;
  for (const char* name : {"one", "two", "three"}) {
    const Pose& X = d.body_pose[static_cast<std::size_t>(s.model.find_body(name))];
    end.push_back({turn.conjugate() * (X.p - shift), turn.conjugate() * X.q});
  }
  return end;
}

double difference(const std::vector<Pose>& a, const std::vector<Pose>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, (a[i].p - b[i].p).norm());
    most = std::max(most, (a[i].q.conjugate() * b[i].q).vec().norm());
  }
  return most;
}

TEST(Volumetric, TurningShiftingAndRenumberingChangeNothing) {
  const Quat id = Quat::Identity();
  const std::vector<Pose> plain = fly(id, Vec3::Zero(), false);
  EXPECT_GT(plain[0].p.norm(), 0.01) << "it was hit";
  EXPECT_LT(difference(plain, fly(exp_rotation({0.4, -1, 0.8}), Vec3::Zero(), false)), 1e-9);
  EXPECT_LT(difference(plain, fly(id, {1000, -500, 300}, false)), 1e-6);
  EXPECT_LT(difference(plain, fly(id, Vec3::Zero(), true)), 1e-9);
}

TEST(Volumetric, CopiesOfAStateHaveTheSameFuture) {
  for (const char* integrator : {"Euler", "RK4"}) {
    Scene s(collision(integrator), volumetric());
    throw_together(s);
    s.run(0.05);
    State two = s.state;
    Simulator cold(s.model, volumetric());
    for (int i = 0; i < 60; ++i) {
      s.step();
      cold.step(two, s.input);
      ASSERT_EQ(s.state.hash(), two.hash()) << integrator << ' ' << i;
    }
  }
}

// A flat cube on springs that are never left: x = x_s + (x_0 - x_s) cos(w t).
double error_after(const char* integrator, double h) {
  Scene s(cube(gains(400, 0), 0.03, Quat::Identity(), 9.8, h, integrator), volumetric());
  s.run(0.4);
  const double sag = 9.8 / 400;
  return std::abs(1 - s.state.q[2] - (sag + (0.03 - sag) * std::cos(0.4 * 20)));
}

TEST(Volumetric, StagesOfRungeKuttaSeeTheContact) {
  const double ratio = error_after("RK4", 0.01) / error_after("RK4", 0.005);
  EXPECT_GT(ratio, 13);
  EXPECT_LT(ratio, 20);
  EXPECT_NEAR(error_after("Euler", 0.002) / error_after("Euler", 0.001), 2, 0.3);
}

TEST(Volumetric, WarmStepsAllocateNothing) {
  for (const char* integrator : {"Euler", "RK4"}) {
    std::string world = test::stack_of_boxes(4, 0.2);
    world.replace(world.find("timestep"), 0, fmt::format("integrator='{}' ", integrator));
    Scene s(world, volumetric());
    s.run(0.5);
    const auto before = test::allocation_count();
    s.run(0.2);
    EXPECT_EQ(test::allocation_count() - before, 0) << integrator;
  }
}

// A polygon in a planar world falls as the prism does in space, whatever its thickness.
TEST(Volumetric, PlanarWorldsMoveAsSolidsDo) {
  const auto world = [](const char* custom, double thick, double aside) {
    return fmt::format(
        "<mujoco><option timestep='0.001'/><custom>{}{}</custom><worldbody>"
        "<geom type='plane' size='5 5 1'/><geom type='box' size='.3 .1 .05' pos='.2 0 .05'/>"
        "<body name='b' pos='0 {} 0.35'>"
        "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
        "<joint type='hinge' axis='0 1 0'/>"
        "<geom type='box' size='0.1 {} 0.1' euler='0 20 0' mass='1' friction='0.5'/></body>"
        "</worldbody></mujoco>",
        gains(20000, 50), custom, aside, thick);
  };
  Scene solid(world("", 0.1, 0), volumetric());
  const char* flat = "<text name='abut.plane' data='zx'/>";
  Scene thick(world(flat, 0.1, 0), volumetric()), thin(world(flat, 0.01, 0.07), volumetric());
  for (int i = 0; i < 300; ++i) {
    solid.step();
    thick.step();
    thin.step();
  }
  EXPECT_GT(std::abs(thick.state.v[2]), 0.1) << "it was hit on a corner";
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(solid.state.q[k], thick.state.q[k], 1e-7);
    EXPECT_NEAR(thin.state.q[k], thick.state.q[k], 1e-7);
  }
}

// The foot of a leg in generalized coordinates carries all of it; a ball is its inscribed
// polyhedron.
TEST(Volumetric, RobotsStand) {
  for (const char* foot : {"<geom type='box' size='.05 .05 .05' mass='0.5' pos='0 0 -0.4'/>",
                           "<geom type='sphere' size='.05' mass='0.5' pos='0 0 -0.4'/>"}) {
    Scene s(fmt::format(
                "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
                "<body name='hip' pos='0 0 1'><joint type='slide' axis='0 0 1'/>"
                "<geom type='sphere' size='0.1' mass='5'/><body name='knee' pos='0 0 -0.4'>"
                "<joint type='slide' axis='0 0 1' stiffness='2000' damping='50'/>{}</body></body>"
                "</worldbody></mujoco>",
                foot),
            volumetric());
    s.run(3);
    EXPECT_EQ(s.state.q.size(), 2u);
    EXPECT_NEAR(s.simulator.contact_forces().total(), 5.5 * 9.81, 1e-3);
    const double bottom = 1 + s.state.q[0] + s.state.q[1] - 0.8 - 0.05;
    EXPECT_LT(bottom, 0);
    EXPECT_GT(bottom, -2e-3);
  }
}

// A driven belt takes along what lies on it.
TEST(Volumetric, DrivenBodiesDrag) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><body name='belt' mocap='true'>"
      "<geom type='box' size='5 5 0.1' friction='0.5'/></body><body name='b' pos='0 0 0.15'>"
      "<freejoint/><geom type='box' size='0.1 .1 .05' mass='1'/></body></worldbody></mujoco>",
      volumetric());
  s.input.mocap_velocity[0] << 0.5, 0, 0, 0, 0, 0;
  for (int i = 0; i < 800; ++i) {
    s.input.mocap[0].p.x() = 0.5e-3 * i;
    s.step();
  }
  EXPECT_NEAR(s.state.v[0], 0.5, 1e-3);
}

TEST(Volumetric, WarnsWhereTheStepIsTooLong) {
  const auto warning = [](const std::string& custom) {
    Scene s(cube(custom, 0), volumetric());
    const std::vector<std::string> lines = s.simulator.contact().warnings();
    return lines.empty() ? std::string() : lines[0];
  };
  EXPECT_EQ(warning(""), "");
  EXPECT_THAT(warning(gains(1e6, 0)), HasSubstr("the step is too long for the gains"));
  EXPECT_THAT(warning(gains(100, 1)), HasSubstr("sag by more than"));
}

TEST(Volumetric, RefusesWhatThereIsNot) {
  const auto why = [](const std::string& custom) -> std::string {
    try {
      Scene s(cube(custom, 0), volumetric());
    } catch (const WorldError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(why("<text name='abut.volumetric.normal' data='up'/>"),
              HasSubstr("there are area, translation"));
  EXPECT_THAT(why("<numeric name='abut.volumetric.stiffness' data='1'/>"), HasSubstr("stiffness"));
  EXPECT_THAT(why("<numeric name='abut.volumetric.ki' data='1'/>"), HasSubstr("ki"));
  EXPECT_THAT(why("<text name='abut.volumetric.gains' data='mine'/>"), HasSubstr("auto, paper"));
  EXPECT_EQ(why("<text name='abut.volumetric.normal' data='translation'/>"), "");
}

}  // namespace
}  // namespace abut
