// Rays: distances in closed form for every kind of shape, and what a ray of a world sees.
#include "abut/collide/ray.h"

#include <gtest/gtest.h>

#include "abut/load/load.h"
#include "abut/model/kinematics.h"

namespace abut {
namespace {

const ShapeAssets kNone;

double distance(ShapeKind kind, const Vec3& size, const Vec3& from, const Vec3& along) {
  const auto t = ray_distance({kind, size}, kNone, from, along);
  return t ? *t : -1;
}

TEST(Ray, MeetsEveryPrimitiveWhereItsEquationSays) {
  const Vec3 down = -Vec3::UnitZ(), left = -Vec3::UnitX();
  EXPECT_NEAR(distance(ShapeKind::sphere, {0.5, 0, 0}, {0.3, 0, 2}, down), 1.6, 1e-14);
  EXPECT_NEAR(distance(ShapeKind::box, {1, 2, 3}, {0.3, 0.2, 5}, down), 2, 1e-14);
  EXPECT_NEAR(distance(ShapeKind::ellipsoid, {1, 2, 3}, {0.6, 0, 5}, down), 5 - 2.4, 1e-14);
  EXPECT_NEAR(distance(ShapeKind::cylinder, {0.5, 1, 0}, {0.3, 0, 5}, down), 4, 1e-14);
  EXPECT_NEAR(distance(ShapeKind::cylinder, {0.5, 1, 0}, {3, 0.3, 0.9}, left), 2.6, 1e-14);
  EXPECT_NEAR(distance(ShapeKind::capsule, {0.5, 1, 0}, {0.3, 0, 5}, down), 3.6, 1e-14);
  EXPECT_NEAR(distance(ShapeKind::capsule, {0.5, 1, 0}, {3, 0.3, 0.9}, left), 2.6, 1e-14);
  EXPECT_NEAR(distance(ShapeKind::plane, Vec3::Zero(), {9, 9, 2}, down), 2, 1e-14);
}

TEST(Ray, MissesWhatIsBesideOrBehind) {
  const Vec3 up = Vec3::UnitZ(), down = -up;
  for (const ShapeKind kind : {ShapeKind::sphere, ShapeKind::box, ShapeKind::ellipsoid,
                               ShapeKind::cylinder, ShapeKind::capsule}) {
    EXPECT_EQ(distance(kind, {0.5, 0.5, 0.5}, {0.6, 0, 3}, down), -1);
    EXPECT_EQ(distance(kind, {0.5, 0.5, 0.5}, {0, 0, 3}, up), -1);
    EXPECT_GT(distance(kind, {0.5, 0.5, 0.5}, {0, 0, 0}, up), 0);  // the far side, from inside
  }
  EXPECT_EQ(distance(ShapeKind::plane, {1, 1, 0}, {1.1, 0, 2}, down), -1);
  EXPECT_EQ(distance(ShapeKind::plane, {1, 1, 0}, {0, 0, -2}, up), -1);
}

TEST(Ray, MeetsTheTrianglesOfAFieldAndOfAMesh) {
  ShapeAssets assets;
  assets.hfields.push_back({2, 2, {1, 1}, 0.5, 0.1, {0, 1, 0, 1}});
  const auto t = ray_distance({ShapeKind::hfield, {}, 0}, assets, {0.5, 0.3, 2}, -Vec3::UnitZ());
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, 2 - 0.375, 1e-14);
  TriangleMesh tent;
  tent.vertices = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, 0, 1}};
  tent.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const int mesh = add_mesh(assets, tent);
  const auto top = ray_distance({ShapeKind::mesh, {}, mesh}, assets, {0, 0.1, 5}, -Vec3::UnitZ());
  ASSERT_TRUE(top);
  EXPECT_NEAR(*top, 5 - 0.9, 1e-14);
}

TEST(Ray, SeesTheNearestGeomOfAWorld) {
  const Model model = compile(parse_mjcf(R"(<mujoco><worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <geom name="glass" type="box" size="1 1 0.1" pos="0 0 3" rgba="1 1 1 0"/>
    <body name="b" pos="0 0 2"><freejoint/><geom name="ball" size="0.5" mass="1"/></body>
    </worldbody></mujoco>)"));
  const State state(model);
  Derived d(model);
  positions(model, state, Input(model), d);
  const Vec3 down = -3 * Vec3::UnitZ();
  const RayHit ball = cast_ray(model, d, {0, 0, 5}, down);
  EXPECT_EQ(ball.geom, model.find_geom("ball"));
  EXPECT_NEAR(ball.distance, 2.5, 1e-14);
  const RayHit floor = cast_ray(model, d, {0, 0, 5}, down, model.find_body("b"));
  EXPECT_EQ(floor.geom, model.find_geom("floor"));
  EXPECT_EQ(cast_ray(model, d, {0, 0, 5}, Vec3::UnitX()).geom, -1);
}

}  // namespace
}  // namespace abut
