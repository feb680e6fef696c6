// Worlds that begin in overlap: solids come apart no faster than initial_overlap.h says.
#include "abut/contact/penalty/initial_overlap.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/random.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

constexpr double kT = InitialOverlap::kRecovery;

// Springs lag behind what they are given, and swing past it: a spring without a damper whose end
// begins to move at v moves what hangs on it by 2 v at most. (Measured: 1.05 to 1.63.)
constexpr double kSwing = 2;

std::string text(const std::vector<Vec3>& points) {
  std::string out;
  for (const Vec3& p : points) out += fmt::format("{} {} {} ", p.x(), p.y(), p.z());
  return out;
}

// A hull about `size` across: deep in a plane by a part of its size, or in another hull.
struct DeepStart {
  double size = 0, part = 0;
  std::string world;
  bool on_plane = false;

  DeepStart(unsigned seed, double g) {
    test::Random r(seed);
    size = r.magnitude(0.03, 3);
    part = r.uniform(0.1, 0.5);
    on_plane = seed % 2 == 0;
    const auto points = [&] {
      std::vector<Vec3> all;
      for (int i = 0; i < 16; ++i) all.push_back(0.5 * size * r.uniform(0.7, 1) * r.direction());
      return all;
    };
    const std::vector<Vec3> a = points(), b = points();
    double lowest = 0, highest = 0;
    for (const Vec3& p : a) lowest = std::min(lowest, p.z());
    for (const Vec3& p : b) highest = std::max(highest, p.z());
    const double at = -lowest + (on_plane ? 0 : highest) - part * size;
    const std::string under =
        on_plane ? "<geom type='plane' size='9 9 1'/>"
                 : "<body><freejoint/><geom type='mesh' mesh='b' density='1000'/></body>";
    world = fmt::format(
        "<mujoco><option timestep='0.001' gravity='0 0 {}'/><asset><mesh name='a' vertex='{}'/>"
        "<mesh name='b' vertex='{}'/></asset><worldbody><body pos='0 0 {}'><freejoint/>"
        "<geom type='mesh' mesh='a' density='1000'/></body>{}</worldbody></mujoco>",
        -g, text(a), text(b), at, under);
  }
};

class InitialOverlaps : public testing::TestWithParam<std::string> {};

// Where nothing else pulls: no centre of mass is ever faster than twice the depth over T.
TEST_P(InitialOverlaps, RandomHullsComeApartNoFasterThanTheRule) {
  double fastest = 0, left = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const DeepStart start(seed, 0);
    Scene s(start.world, test::settings(GetParam()));
    s.step();
    const double depth = test::deepest(s);
    EXPECT_GT(depth, 0.02 * start.size);
    for (int i = 0; i < 1500; ++i) {
      s.step();
      Vec3 v = s.velocity(0);
      if (!start.on_plane) v -= s.velocity(1);
      fastest = std::max(fastest, v.norm() * kT / depth);
    }
    left = std::max(left, test::deepest(s) / depth);
  }
  fmt::print("{}: fastest {:.3g} of depth / T, at the end {:.3g} of the depth is left\n",
             GetParam(), fastest, left);
  EXPECT_LE(fastest, kSwing);
  EXPECT_LE(left, 0.1);
}

// A cube of 3 m that begins 0.28 m deep was thrown up by 20 to 200 m.
TEST_P(InitialOverlaps, ALargeCubeIsLifted) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='9 9 1'/>"
      "<body pos='0 0 1.22'><freejoint/><geom type='box' size='1.5 1.5 1.5'/></body>"
      "</worldbody></mujoco>",
      test::settings(GetParam()));
  double highest = 0;
  for (int i = 0; i < 3000; ++i) {
    s.step();
    highest = std::max(highest, s.position().z());
  }
  const double speed = kSwing * 0.28 / kT;
  EXPECT_LE(highest, 1.5 + speed * speed / (2 * 9.81));
  EXPECT_NEAR(s.position().z(), 1.5, 0.01);
}

// What was put into another solid in the midst of a run, and not moved there, is lifted as well.
TEST_P(InitialOverlaps, SoIsWhatIsPutSomewhereElse) {
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='9 9 1'/>"
      "<body pos='0 0 0.7'><freejoint/><geom type='box' size='.5 .5 .5'/></body>"
      "</worldbody></mujoco>",
      test::settings(GetParam()));
  s.run(0.01);
  s.state.q[2] = 0.3;
  double highest = 0;
  for (int i = 0; i < 1500; ++i) {
    s.step();
    highest = std::max(highest, s.position().z());
  }
  const double speed = kSwing * 0.2 / kT;
  EXPECT_LE(highest, 0.5 + speed * speed / (2 * 9.81));
}

INSTANTIATE_TEST_SUITE_P(All, InitialOverlaps,
                         testing::Values("deepest", "multipoint", "volumetric", "quasirigid",
                                         "baraff"),
                         [](const auto& info) { return info.param; });

// Under models of impulses post-steps move solids apart, and leave their velocities alone.
class OverlapsOfImpulses : public testing::TestWithParam<std::string> {};

TEST_P(OverlapsOfImpulses, RandomHullsComeApartWithoutVelocity) {
  double fastest = 0, left = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const DeepStart start(seed, 0);
    Scene s(start.world, test::settings(GetParam()));
    for (int i = 0; i < 60; ++i) {
      s.step();
      Vec3 v = s.velocity(0);
      if (!start.on_plane) v -= s.velocity(1);
      fastest = std::max(fastest, v.norm() * kT / (start.part * start.size));
    }
    left = std::max(left, test::deepest(s) / (start.part * start.size));
  }
  fmt::print("{}: fastest {:.3g} of depth / T, at the end {:.3g} of the depth is left\n",
             GetParam(), fastest, left);
  EXPECT_LE(fastest, 1e-6);
  EXPECT_LE(left, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, OverlapsOfImpulses, testing::Values("st", "ap", "peg", "fast"),
                         [](const auto& info) { return info.param; });

// Who asks for a stiffness gets it: a cube that begins 0.2 m deep jumps.
TEST(InitialOverlap, GivenGainsDoWhatTheirLawSays) {
  const auto speed = [](const std::string& custom) {
    Scene s("<mujoco><option timestep='0.001' gravity='0 0 0'/>" + custom +
                "<worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 .3'>"
                "<freejoint/><geom type='box' size='.5 .5 .5' mass='1'/></body>"
                "</worldbody></mujoco>",
            test::settings("deepest"));
    s.run(0.01);
    return s.velocity().z();
  };
  EXPECT_GT(speed("<custom><numeric name='abut.deepest.kp' data='1e5'/></custom>"), 10);
  EXPECT_LE(speed(""), kSwing * 0.2 / kT);
}

}  // namespace
}  // namespace abut
