// --data kissing: the contact pipeline of Cheng Yi and Drumwright feeds a step.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "abut/collide/manifold/manifold.h"
#include "abut/reproduce/pair.h"
#include "abut/shape/primitives.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

ContactSettings kissing(const std::string& model) {
  ContactSettings s = test::settings(model);
  s.data = ContactSource::kissing;
  return s;
}

class KissingData : public testing::TestWithParam<std::string> {};

// A ball under deepest, whose one point lets a face rock.
TEST_P(KissingData, ABoxFallsAndLies) {
  const std::string shape =
      GetParam() == "deepest" ? "type='sphere' size='.5'" : "type='box' size='.5 .5 .5'";
  Scene s(
      "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 0.52'><freejoint/><geom " +
          shape + "/></body></worldbody></mujoco>",
      kissing(GetParam()));
  s.run(2);
  EXPECT_NEAR(s.position().z(), 0.5, 2e-3);
  EXPECT_LT(s.velocity().norm(), 1e-3);
}

TEST_P(KissingData, PointsAreThoseOfTheManifoldAndHaveTheDistanceForTheirGap) {
  Scene s(
      "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody>"
      "<body><freejoint/><geom type='box' size='.5 .5 .5'/></body>"
      "<body pos='.1 .2 .99' euler='0 0 30'><freejoint/><geom type='box' size='.5 .5 .5'/></body>"
      "</worldbody></mujoco>",
      kissing(GetParam()));
  const Polyhedron box = box_polyhedron({0.5, 0.5, 0.5});
  const reproduce::Pair two(box, Pose(), box,
                            {{0.1, 0.2, 0.99}, Quat(Eigen::AngleAxisd(M_PI / 6, Vec3::UnitZ()))});
  s.step();
  const ContactData& data = s.simulator.contact().data();
  ASSERT_EQ(data.patches.size(), 1u);
  ManifoldScratch scratch;
  KissingManifold m;
  kissing_manifold(two.A(), two.X_WA, two.B(), two.X_WB, two.distance(), {}, scratch, m);
  EXPECT_EQ(data.points.count(), m.count());
  EXPECT_GE(m.count(), 4);
  for (int i = 0; i < data.points.count(); ++i) {
    EXPECT_NEAR(data.points.psi[i], -0.01, 1e-12);
    const Vec3 p = 0.5 * (data.points.p_A[i] + data.points.p_B[i]);
    EXPECT_TRUE(std::any_of(m.points.begin(), m.points.end(),
                            [&](const Vec3& q) { return (p - q).norm() < 1e-9; }));
  }
}

// Corner on corner: many normals, and no contact, as the paper has it.
TEST_P(KissingData, AnIndeterminateNormalIsNoContact) {
  const std::string world =
      "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody>"
      "<body><freejoint/><geom type='box' size='.5 .5 .5'/></body>"
      "<body pos='1 1 1'><freejoint/><geom type='box' size='.5 .5 .5'/></body>"
      "</worldbody></mujoco>";
  Scene with(world, test::settings("st")), without(world, kissing(GetParam()));
  with.step();
  without.step();
  EXPECT_EQ(with.simulator.contact().data().patches.size(), 1u);
  EXPECT_TRUE(without.simulator.contact().data().patches.empty());
}

INSTANTIATE_TEST_SUITE_P(All, KissingData, testing::Values("st", "ap", "deepest", "multipoint"),
                         [](const auto& info) { return info.param; });

TEST(KissingData, IsRefusedInPlanarWorlds) {
  const std::string world =
      "<mujoco><custom><text name='abut.plane' data='zx'/></custom><worldbody>"
      "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
      "<joint axis='0 1 0'/><geom type='box' size='.5 .5 .5'/></body></worldbody></mujoco>";
  EXPECT_NO_THROW(Scene(world, test::settings("st")));
  EXPECT_THROW(Scene(world, kissing("st")), WorldError);
}

}  // namespace
}  // namespace abut
