// Masses of bodies, against closed forms and MuJoCo.
#include <gmock/gmock.h>

#include <numbers>

#include "abut/model/model.h"
#include "abut/model/principal_inertia.h"
#include "refusal.h"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

double largest_difference(const Mat3& a, const Mat3& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(CompileInertia, BoxOfADensity) {
  World world;
  world.body("box").box({0.1, 0.2, 0.3}).density = 500;
  const Model m = compile(world);
  const double mass = 500 * 8 * 0.006;
  EXPECT_NEAR(m.bodies[1].mass.mass, mass, 1e-12);
  EXPECT_NEAR(m.bodies[1].mass.inertia(0, 0), mass * (0.04 + 0.09) / 3, 1e-12);
  EXPECT_NEAR(m.bodies[1].mass.inertia(2, 2), mass * (0.01 + 0.04) / 3, 1e-12);
  EXPECT_NEAR(m.mass(), mass, 1e-12);
}

TEST(CompileInertia, MassOverridesDensityAndZeroCountsForNothing) {
  World world;
  auto& body = world.body("b");
  body.sphere(0.1).mass = 3;
  body.sphere(5, {1, 0, 0}).mass = 0;
  const Model m = compile(world);
  EXPECT_DOUBLE_EQ(m.bodies[1].mass.mass, 3);
  EXPECT_NEAR(m.bodies[1].mass.inertia(0, 0), 0.4 * 3 * 0.01, 1e-15);
}

TEST(CompileInertia, TwoGeomsAddUpAboutTheirCommonCentre) {
  World world;
  auto& body = world.body("dumbbell");
  body.sphere(0.1, {0.5, 0, 0}).mass = 1;
  body.sphere(0.1, {-0.5, 0, 0}).mass = 3;
  const MassProperties mass = compile(world).bodies[1].mass;
  EXPECT_DOUBLE_EQ(mass.mass, 4);
  EXPECT_NEAR(mass.com.x(), -0.25, 1e-15);
  EXPECT_NEAR(mass.inertia(0, 0), 4 * 0.4 * 0.01, 1e-14);
  EXPECT_NEAR(mass.inertia(1, 1), 4 * 0.4 * 0.01 + 1 * 0.75 * 0.75 + 3 * 0.25 * 0.25, 1e-14);
}

TEST(CompileInertia, CapsuleBetweenTwoPoints) {
  World world;
  auto& g = world.body("rod").capsule({0, 0, 0}, {0, 0.6, 0.8}, 0.1);
  g.density = 1000;
  const Model m = compile(world);
  EXPECT_NEAR(m.geoms[0].shape.size[1], 0.5, 1e-15);
  EXPECT_NEAR((m.geoms[0].pose.p - Vec3(0, 0.3, 0.4)).norm(), 0, 1e-15);
  EXPECT_NEAR(std::abs((m.geoms[0].pose.q * Vec3(0, 0, 1)).dot(Vec3(0, 0.6, 0.8))), 1, 1e-15);
  EXPECT_NEAR(m.mass(), 1000 * kPi * (0.01 * 1 + 4 * 0.001 / 3), 1e-9);
}

TEST(CompileInertia, WrittenInertiaWinsUnlessGeomsAreInsistedOn) {
  World world;
  auto& body = world.body("b");
  body.sphere(0.1).mass = 1;
  body.inertial = InertialDesc{2, {{0.1, 0, 0}, Quat::Identity()}, {1, 2, 2.5}, {}, {}};
  EXPECT_DOUBLE_EQ(compile(world).bodies[1].mass.mass, 2);
  world.compiler.inertia_from_geom = InertiaFromGeom::yes;
  EXPECT_DOUBLE_EQ(compile(world).bodies[1].mass.mass, 1);
}

TEST(CompileInertia, GroupsOutsideTheRangeWeighNothing) {
  World world;
  auto& body = world.body("b");
  body.sphere(0.1).mass = 1;
  auto& shell = body.sphere(0.2);
  shell.mass = 5;
  shell.group = 3;
  world.compiler.inertia_group_range = {0, 2};
  EXPECT_DOUBLE_EQ(compile(world).bodies[1].mass.mass, 1);
}

TEST(CompileInertia, FullInertiaIsInTheAxesOfTheBody) {
  World world;
  auto& body = world.body("b");
  InertialDesc inertial;
  inertial.mass = 1;
  inertial.fullinertia = {3, 2.5, 2.8, 0.3, -0.2, 0.4};
  body.inertial = inertial;
  Mat3 full;
  full << 3, 0.3, -0.2, 0.3, 2.5, 0.4, -0.2, 0.4, 2.8;
  EXPECT_LT(largest_difference(compile(world).bodies[1].mass.inertia, full), 1e-14);
}

TEST(CompileInertia, PrincipalAxesAreMuJoCos) {
  Mat3 full;
  full << 3, 0.3, -0.2, 0.3, 2.5, 0.4, -0.2, 0.4, 2.8;
  for (const double scale : {1.0, 1e-6, 1e-11}) {
    const Quat q = principal_inertia({1, Vec3::Zero(), scale * full}).pose.q;
    // body_iquat of MuJoCo 3.14
    const Quat theirs(0.8649647939245103, 0.46401424861351337, 0.14337441758901595,
                      0.12637428035711082);
    EXPECT_LT((q.coeffs() - theirs.coeffs()).norm(), 1e-13);
  }
}

TEST(CompileInertia, AxesOfNearlyEqualMomentsStay) {
  const auto quarter_turn = [](double difference) {
    const Mat3 I = Vec3(1, 1 + difference, 0.5).asDiagonal();
    return std::abs(principal_inertia({1, Vec3::Zero(), I}).pose.q.w()) < 0.9;
  };
  EXPECT_FALSE(quarter_turn(5e-13));
  EXPECT_TRUE(quarter_turn(1e-11));
}

TEST(CompileInertia, BoundsBalanceAndTotal) {
  World world;
  auto& body = world.body("b");
  body.inertial = InertialDesc{1, {}, {1, 1, 3}, {}, {}};
  EXPECT_REFUSED(world, "none may exceed the sum of the others");
  EXPECT_REFUSED(world, "balanceinertia");
  world.compiler.balance_inertia = true;
  EXPECT_NEAR(compile(world).bodies[1].mass.inertia(0, 0), 5.0 / 3, 1e-15);
  world.compiler.bound_mass = 4;
  world.compiler.bound_inertia = 2;
  EXPECT_DOUBLE_EQ(compile(world).bodies[1].mass.mass, 4);
  EXPECT_NEAR(compile(world).bodies[1].mass.inertia(0, 0), 2, 1e-15);
  world.compiler.set_total_mass = 8;
  EXPECT_NEAR(compile(world).mass(), 8, 1e-15);
  EXPECT_NEAR(compile(world).bodies[1].mass.inertia(0, 0), 4, 1e-14);
}

TEST(CompileInertia, MovingBodiesMustWeighSomething) {
  World world;
  auto& arm = world.body("arm");
  arm.hinge("j", {0, 0, 1});
  EXPECT_REFUSED(world, "body 'arm': it has joints but its mass is 0 kg");
  arm.body("lump").sphere(0.1);  // welded to it: that will do
  EXPECT_EQ(test::refusal(world), "");
}

TEST(CompileInertia, AlignedFreeJointStartsAtTheCentreOfMass) {
  World world;
  auto& body = world.body("b", {1, 2, 3});
  body.free().align = true;
  body.box({0.1, 0.2, 0.3}, {{0.5, 0, 0}, Quat(0, 1, 0, 0)});
  body.site("s");
  const Model m = compile(world);
  EXPECT_NEAR((m.bodies[1].pose.p - Vec3(1.5, 2, 3)).norm(), 0, 1e-15);
  EXPECT_NEAR(m.bodies[1].mass.com.norm(), 0, 1e-15);
  EXPECT_NEAR(m.qpos0[0], 1.5, 1e-15);
  EXPECT_NEAR(m.geoms[0].pose.p.norm(), 0, 1e-15);
  EXPECT_NEAR((m.bodies[1].pose * m.sites[0].pose.p - Vec3(1, 2, 3)).norm(), 0, 1e-15);

  world.compiler.align_free = true;
  world.worldbody.bodies[0].joints[0].align = false;
  EXPECT_NEAR(compile(world).qpos0[0], 1, 1e-15);
}

TEST(CompileInertia, FluidBoxIsTheBoxItself) {
  World world;
  world.body("b").box({0.1, 0.2, 0.3});
  EXPECT_NEAR((compile(world).bodies[1].fluid_box - Vec3(0.2, 0.4, 0.6)).norm(), 0, 1e-14);
}

MeshDesc cube_mesh() {
  MeshDesc mesh;
  mesh.name = "cube";
  for (const double x : {0.0, 1.0})
    for (const double y : {0.0, 1.0})
      for (const double z : {0.0, 1.0}) mesh.vertices.emplace_back(x, y, z);
  return mesh;
}

TEST(CompileInertia, MeshIsMovedTurnedThenScaled) {
  World world;
  MeshDesc& mesh = world.meshes.emplace_back(cube_mesh());
  mesh.refpos = {1, 0, 0};
  mesh.refquat = Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5));  // +x of the file becomes -y
  mesh.scale = {2, -1, 0.5};
  world.body("b").mesh("cube");
  const MassProperties mass = compile(world).bodies[1].mass;
  EXPECT_NEAR(mass.mass, 1000 * 2 * 1 * 0.5, 1e-9);
  // centre (0.5, 0.5, 0.5) - refpos = (-0.5, 0.5, 0.5) -> (0.5, 0.5, 0.5) -> scaled
  EXPECT_NEAR((mass.com - Vec3(1, -0.5, 0.25)).norm(), 0, 1e-12);
}

TEST(CompileInertia, FlatMeshNeedsAShell) {
  World world;
  MeshDesc& mesh = world.meshes.emplace_back();
  mesh.name = "sheet";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.faces = {{0, 1, 2}, {0, 2, 3}};
  GeomDesc& geom = world.body("b").mesh("sheet");
  EXPECT_REFUSED(world, "it has no convex hull");
  geom.contype = geom.conaffinity = 0;
  EXPECT_REFUSED(world, "write inertia=\"shell\"");
  mesh.inertia = MeshInertia::shell;
  geom.mass = 6;
  const MassProperties mass = compile(world).bodies[1].mass;
  EXPECT_NEAR(mass.inertia(2, 2), 6 * 2.0 / 12, 1e-12);
}

TEST(CompileInertia, HullsAreMadeForWhatCanTouch) {
  World world;
  world.meshes.push_back(cube_mesh());
  world.meshes[0].faces = {{0, 1, 2}};
  auto& geom = world.body("b").mesh("cube");
  geom.mass = 0;
  EXPECT_EQ(compile(world).assets.hulls[0].vertex_count(), 8);
  geom.contype = geom.conaffinity = 0;
  EXPECT_EQ(compile(world).assets.hulls[0].vertex_count(), 0);
  geom.name = "a";
  world.worldbody.plane().name = "floor";
  world.pairs.push_back({"", "floor", "a", {}, {}, {}, {}, {}});
  EXPECT_EQ(compile(world).assets.hulls[0].vertex_count(), 8);
}

TEST(CompileInertia, PrimitiveFittedToAMesh) {
  World world;
  world.meshes.push_back(cube_mesh());
  GeomDesc& geom =
      world.body("b").geom(ShapeKind::box, Vec3::Zero(), {{1, 0, 0}, Quat::Identity()});
  geom.mesh = "cube";
  const Model m = compile(world);
  EXPECT_NEAR((m.geoms[0].shape.size - Vec3(0.5, 0.5, 0.5)).norm(), 0, 1e-12);
  EXPECT_NEAR((m.geoms[0].pose.p - Vec3(1.5, 0.5, 0.5)).norm(), 0, 1e-12);
  world.compiler.fit_aabb = true;
  EXPECT_NEAR((compile(world).geoms[0].shape.size - Vec3(0.5, 0.5, 0.5)).norm(), 0, 1e-6);
}

}  // namespace
}  // namespace abut
