#include "abut/shape/mass_properties.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "abut/shape/primitives.h"
#include "testing.h"

namespace abut {
namespace {

using testing::expect_same;
using testing::Random;

// Fine tessellations, integrated exactly, are the oracle of the closed forms: both are
// off by about the chord tolerance.
constexpr double kFine = 1e-4;

TEST(MassProperties, ClosedFormsOfSolidsAgreeWithTessellations) {
  expect_same(solid_sphere(0.3), solid_polyhedron(sphere_polyhedron(0.3, kFine)), 5 * kFine, 0.3);
  expect_same(solid_capsule(0.2, 0.7), solid_polyhedron(capsule_polyhedron(0.2, 0.7, kFine)),
              5 * kFine, 0.9);
  expect_same(solid_cylinder(0.4, 0.1), solid_polyhedron(cylinder_polyhedron(0.4, 0.1, kFine)),
              5 * kFine, 0.4);
  expect_same(solid_ellipsoid({1, 2, 0.5}),
              solid_polyhedron(ellipsoid_polyhedron({1, 2, 0.5}, kFine)), 5 * kFine, 2);
  expect_same(solid_box({1, 2, 3}), solid_polyhedron(box_polyhedron({1, 2, 3})), 1e-14, 3);
}

TEST(MassProperties, ClosedFormsOfShellsAgreeWithTessellations) {
  expect_same(shell_sphere(0.3), shell_polyhedron(sphere_polyhedron(0.3, kFine)), 5 * kFine, 0.3);
  expect_same(shell_capsule(0.2, 0.7), shell_polyhedron(capsule_polyhedron(0.2, 0.7, kFine)),
              5 * kFine, 0.9);
  expect_same(shell_cylinder(0.4, 0.1), shell_polyhedron(cylinder_polyhedron(0.4, 0.1, kFine)),
              5 * kFine, 0.4);
  expect_same(shell_box({1, 2, 3}), shell_polyhedron(box_polyhedron({1, 2, 3})), 1e-14, 3);
}

TEST(MassProperties, EllipsoidShellIsExactForASphereAndItsAreaIsThomsens) {
  expect_same(shell_ellipsoid(Vec3::Constant(0.3)), shell_sphere(0.3), 1e-14, 0.3);
  const Vec3 axes(1, 2, 0.5);
  EXPECT_NEAR(shell_ellipsoid(axes).mass / shell_polyhedron(ellipsoid_polyhedron(axes, kFine)).mass,
              1, 0.012);
}

TEST(MassProperties, EllipsoidShellIsTheLimitOfALayer) {
  const Vec3 a(0.1, 0.2, 0.3);
  const double eps = 1e-6;  // m, MuJoCo's
  const MassProperties inner = solid_ellipsoid(a), outer = solid_ellipsoid(a.array() + eps);
  const Mat3 layer = (outer.inertia - inner.inertia) / (outer.mass - inner.mass);
  const MassProperties shell = shell_ellipsoid(a);
  EXPECT_LT((shell.inertia / shell.mass - layer).norm() / layer.norm(), 2e-5);
}

TEST(MassProperties, TextbookNumbers) {
  EXPECT_DOUBLE_EQ(solid_box({0.5, 0.5, 0.5}).inertia(0, 0), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(solid_sphere(2).inertia(1, 1), 0.4 * solid_sphere(2).mass * 4);
  EXPECT_DOUBLE_EQ(shell_sphere(2).inertia(2, 2), 2.0 / 3.0 * shell_sphere(2).mass * 4);
  // a capsule without length is a ball, a box of flat halves a square's two faces
  expect_same(solid_capsule(0.5, 0), solid_sphere(0.5), 1e-15, 0.5);
}

TEST(MassProperties, ABoxIsItsTwoHalves) {
  const MassProperties half = solid_box({0.5, 1, 1});
  const MassProperties sum = combined(transformed(half, {{-0.5, 0, 0}, Quat::Identity()}),
                                      transformed(half, {{0.5, 0, 0}, Quat::Identity()}));
  expect_same(sum, solid_box({1, 1, 1}), 1e-15, 1);
}

TEST(MassProperties, NothingWeighsNothing) {
  const MassProperties nothing = combined(std::span<const MassProperties>{});
  EXPECT_EQ(nothing.mass, 0);
  EXPECT_EQ(nothing.com, Vec3::Zero());
  const MassProperties point{0, {1, 2, 3}, Mat3::Zero()};
  EXPECT_EQ(combined(point, point).com, Vec3::Zero());
  // a massless part leaves the others alone
  expect_same(combined(solid_sphere(1), point), solid_sphere(1), 1e-15, 1);
}

RC_GTEST_PROP(MassProperties, MovingThenCombiningIsCombiningThenMoving, ()) {
  Random random(*rc::gen::arbitrary<unsigned>());
  const std::array parts{transformed(solid_box({1, 2, 3}), random.pose(2)),
                         transformed(solid_cylinder(1, 2), random.pose(2)),
                         scaled(transformed(solid_sphere(1), random.pose(2)), 0.1)};
  const Pose X = random.pose(5);
  std::array<MassProperties, 3> there;
  for (int k = 0; k < 3; ++k) there[k] = transformed(parts[k], X);
  expect_same(combined(there), transformed(combined(parts), X), 1e-13, 5);
  // and there and back again
  expect_same(transformed(there[1], X.inverse()), parts[1], 1e-13, 5);
}

}  // namespace
}  // namespace abut
