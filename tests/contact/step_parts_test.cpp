// Penalty models with default gains at 1 ms: bodies that are too small for springs of that step are
// stepped in parts, and rocking ends as inelastic impacts say.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/dynamics/energy.h"
#include "abut/model/kinematics.h"
#include "tests/contact/scene.h"
#include "tests/support/allocations.h"

namespace abut {
namespace {

using test::deepest;
using test::kinetic;
using test::Scene;
using testing::HasSubstr;

// Four cubes of this edge on each other.
std::string tower(double edge, double mass, const std::string& custom = "") {
  std::string s = "<mujoco><option timestep='0.001'/><custom>" + custom +
                  "</custom><worldbody><geom name='floor' type='plane' size='1 1 1'/>";
  for (int i = 0; i < 4; ++i)
    s += fmt::format(
        "<body pos='0 0 {:.17g}'><freejoint/><geom name='cube{}' type='box' size='{:.17g} {:.17g} "
        "{:.17g}' mass='{:.17g}'/></body>",
        (i + 0.5) * edge, i, edge / 2, edge / 2, edge / 2, mass);
  return s + "</worldbody></mujoco>";
}

class InParts : public testing::TestWithParam<std::string> {};

// Issue 8: sags of 2e-3 of the size at most, from 1 cm on, at rest within 5 s.
TEST_P(InParts, SmallTowersDoNotSag) {
  for (const double edge : {0.006, 0.012, 0.03}) {
    const double L = std::sqrt(3) * edge;
    Scene s(tower(edge, 0.01), test::settings(GetParam()));
    s.run(2);
    EXPECT_LT(deepest(s), 2e-3 * L) << edge;
    EXPECT_GT(deepest(s), 0) << edge;
    EXPECT_LT(kinetic(s), 1e-6 * 0.01 * 9.81 * L) << edge;
  }
}

TEST_P(InParts, LargeBodiesHaveTheStepAsItIs) {
  Scene small(tower(0.006, 1), test::settings(GetParam()));
  EXPECT_GE(small.simulator.contact().parts(), 3);
  EXPECT_TRUE(small.simulator.contact().warnings().empty());
  Scene large(tower(0.2, 1), test::settings(GetParam()));
  EXPECT_EQ(large.simulator.contact().parts(), 1);
}

TEST_P(InParts, TheWorldDecidesHowMany) {
  const std::string key = fmt::format("abut.{}.parts", GetParam());
  Scene one(tower(0.006, 1, fmt::format("<numeric name='{}' data='1'/>", key)),
            test::settings(GetParam()));
  EXPECT_EQ(one.simulator.contact().parts(), 1);
  EXPECT_THAT(one.simulator.contact().warnings(),
              testing::Contains(HasSubstr("sag by more than 0.002 of their size in a stack of 4")));
  Scene ten(tower(0.2, 1, fmt::format("<numeric name='{}' data='10'/>", key)),
            test::settings(GetParam()));
  EXPECT_EQ(ten.simulator.contact().parts(), 10);
  try {
    Scene s(tower(0.2, 1, fmt::format("<numeric name='{}' data='0.5'/>", key)),
            test::settings(GetParam()));
    ADD_FAILURE();
  } catch (const WorldError& e) {
    EXPECT_THAT(e.what(), HasSubstr("in how many parts"));
  }
  // gains that somebody gave are for the step
  Scene given(tower(0.006, 1, fmt::format("<numeric name='abut.{}.kp' data='1000'/>", GetParam())),
              test::settings(GetParam()));
  EXPECT_EQ(given.simulator.contact().parts(), 1);
}

// What gains are for without a load is four times a body's weight: ten cubes sagged by 2.2e-3 L.
// The load that is really there makes springs stiffer, and goes again when the tower is gone.
TEST_P(InParts, SpringsFollowTheLoadThatIsThere) {
  std::string world = tower(0.2, 1);
  const std::size_t end = world.find("</worldbody>");
  std::string more;
  for (int i = 4; i < 10; ++i)
    more += fmt::format(
        "<body pos='0 0 {}'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>",
        (i + 0.5) * 0.2);
  Scene s(world.insert(end, more), test::settings(GetParam()));
  s.run(3);
  const double L = 0.2 * std::sqrt(3);
  EXPECT_LT(deepest(s), 1.2e-3 * L);
  EXPECT_LT(kinetic(s), 1e-6 * 9.81 * L);
  EXPECT_NEAR(s.simulator.contact_forces().on_body(s.model, 1, Vec3::Zero()).lin.z(), 9.81, 0.02);
  // a copy has the same future: loads are memory
  State copy = s.state;
  s.step();
  const std::vector<double> q = s.state.q;
  Simulator fresh(s.model, test::settings(GetParam()));
  fresh.step(copy, s.input);
  EXPECT_EQ(copy.q, q);
}

// A step in parts is those steps: time, state and work.
TEST_P(InParts, AStepInPartsIsSoManySteps) {
  const std::string key = fmt::format("abut.{}.parts", GetParam());
  std::string world = tower(0.2, 1, fmt::format("<numeric name='{}' data='4'/>", key));
  std::string fine = tower(0.2, 1, fmt::format("<numeric name='{}' data='1'/>", key));
  fine.replace(fine.find("0.001"), 5, "0.00025");
  Scene parts(world, test::settings(GetParam())), steps(fine, test::settings(GetParam()));
  double work = 0;
  for (int i = 0; i < 50; ++i) {
    parts.step();
    for (int k = 0; k < 4; ++k) {
      steps.step();
      work += steps.simulator.contact().work();
    }
    work -= parts.simulator.contact().work();
  }
  EXPECT_NEAR(parts.state.time, 0.05, 1e-15);
  for (std::size_t i = 0; i < parts.state.q.size(); ++i)
    EXPECT_NEAR(parts.state.q[i], steps.state.q[i], 1e-15);
  EXPECT_NEAR(work, 0, 1e-12);
  const long before = test::allocation_count();
  parts.run(0.02);
  EXPECT_EQ(test::allocation_count(), before);
}

INSTANTIATE_TEST_SUITE_P(Models, InParts, testing::Values("volumetric", "multipoint"),
                         [](const auto& info) { return info.param; });

// A block that rocks on its edges. Where an edge lands without a bounce, the block goes on with
// 1 - 3/2 sin^2(a) of its turning, a the angle of its diagonal (Housner, 1963). The mean ratio of
// the energies between hits: dampers that are spread over the face lose less, since what stops the
// block acts inside the edge.
double lost_by_rocking(const ContactSettings& settings, double size,
                       const std::string& custom = "") {
  const double a = 25 * M_PI / 180, lean = a / 2;
  const double b = 0.5 * size * std::sin(a), h = 0.5 * size * std::cos(a);
  Scene s(fmt::format(
              "<mujoco><option timestep='0.001'/><custom>{}</custom><worldbody><geom type='plane' "
              "size='1 1 1' friction='5'/><body pos='0 0 {:.17g}' quat='{:.17g} 0 {:.17g} "
              "0'><freejoint/><geom type='box' size='{:.17g} {:.17g} {:.17g}' mass='1' "
              "friction='5'/></body></worldbody></mujoco>",
              custom, b * std::sin(lean) + h * std::cos(lean), std::cos(lean / 2),
              std::sin(lean / 2), b, 0.4 * size, h),
          settings);
  // heights between hits
  std::vector<double> tops{s.position().z() - h};
  double before = s.position().z(), last = before;
  for (int i = 0; i < 8000 && tops.size() < 5; ++i) {
    s.step();
    const double z = s.position().z();
    if (last > before && last >= z && last - h > 1e-4 * size) tops.push_back(last - h);
    before = last;
    last = z;
  }
  // the first swing begins from nowhere
  if (tops.size() < 4) return 1;
  return 1 - std::pow(tops.back() / tops[1], 1.0 / static_cast<double>(tops.size() - 2));
}

TEST(RockingBlock, LosesWhatInelasticLandingsTake) {
  const double a = 25 * M_PI / 180, kept = 1 - 1.5 * std::sin(a) * std::sin(a);
  const double housner = 1 - kept * kept;
  for (const double size : {0.1, 1.0, 8.0}) {
    EXPECT_NEAR(lost_by_rocking(test::settings("multipoint"), size), housner, 0.1) << size;
    EXPECT_NEAR(lost_by_rocking(test::settings("volumetric"), size), housner, 0.1) << size;
    EXPECT_NEAR(lost_by_rocking(test::settings("quasirigid"), size), housner, 0.1) << size;
    // as forces: 0.24 to 0.30 with dampers that are spread evenly
    ContactSettings forces = test::settings("quasirigid");
    forces.friction = FrictionKind::anchor;
    EXPECT_NEAR(lost_by_rocking(forces, size), housner, 0.1) << size;
    // Hasegawa and Fujii's dampers, spread evenly
    const double even = lost_by_rocking(test::settings("volumetric"), size,
                                        "<text name='abut.volumetric.gains' data='paper'/>");
    EXPECT_LT(even, 0.6 * housner) << size;
    EXPECT_GT(even, 0.3 * housner) << size;
  }
}

}  // namespace
}  // namespace abut
