#include "abut/collide/volume/dual_volume.h"

#include <gtest/gtest.h>

#include "support/soak.h"
#include "volume_testing.h"

namespace abut {
namespace {

using namespace abut::testing;
using test::Soak;

Transform shift(double x, double y, double z) { return {Mat3::Identity(), {x, y, z}}; }
const Polyhedron kUnitBox = box_polyhedron({0.5, 0.5, 0.5});

TEST(InteriorPoint, OfTwoBoxes) {
  const SolidPair s(kUnitBox, kUnitBox, shift(0.4, 0.3, 0.2));
  EXPECT_NEAR(interior_point(s.A(), s.B(), s.X_AB).radius, 0.3, 1e-15);  // K-E3
  for (const double gap : {-1e-3, -1e-9, -1e-13, 0.0, 1e-13, 1e-6, 1.0}) {
    const Transform X = shift(0.2, 0.1, 1 + gap);
    const InteriorPoint at = interior_point(s.A(), s.B(), X);
    EXPECT_NEAR(at.radius, -0.5 * (X.p.z() - 1), 1e-15);  // half, whichever sign
    EXPECT_NEAR(at.point.z(), 0.5 * X.p.z(), 1e-15);
    EXPECT_LT((X * at.point_B - at.point).norm(), 1e-15);
  }
}

TEST(InteriorPoint, BallTouchesFourPlanesAndCrossesNone) {
  Random random(21);
  for (int k = 0; k < 100; ++k) {
    const Polyhedron a = volume_solid(random, k % kVolumeKinds, 60),
                     b = volume_solid(random, k % 5, 60);
    const SolidPair s(a, b, Transform(volume_placement(random, a, b)));
    const InteriorPoint at = interior_point(s.A(), s.B(), s.X_AB);
    int touched = 0;
    for (const auto& plane : wide_planes<long double>(s.A(), s.B(), s.X_AB)) {
      const double room =
          static_cast<double>(plane.d - plane.n.dot(wide<long double>(at.point))) - at.radius;
      EXPECT_GE(room, -1e-14 * s.L());
      touched += room < 1e-13 * s.L();
    }
    EXPECT_GE(touched, 2);
  }
}

TEST(DualVolume, TwoBoxes) {
  const SolidPair s(kUnitBox, kUnitBox, shift(0.4, 0.3, 0.2));
  const Intersection common = dual_volume(s.A(), s.B(), s.X_AB);
  expect_valid(common, s.A(), s.B(), s.X_AB, 1e-14);
  EXPECT_EQ(common.overlap, OverlapKind::solid);
  EXPECT_EQ(common.vertex_count(), 8);
  EXPECT_EQ(common.face_count(), 6);
  EXPECT_NEAR(common.volume, 0.336, 1e-14);
  EXPECT_LT((common.origin + common.centroid - Vec3(0.2, 0.15, 0.1)).norm(), 1e-14);
  EXPECT_LT((common.area_A - Vec3(0.7 * 0.8, 0.6 * 0.8, 0.6 * 0.7)).norm(), 1e-14);
}

// K-T12, far below where plain duality ends; the rest of the error is the stretching of
// 1e-16 over the thickness.
TEST(DualVolume, ThinOverlaps) {
  Random random(22);
  for (double t = 1e-2; t > 1e-13; t /= 10)
    for (int k = 0; k < 5; ++k) {
      const Transform X = shift(0.2, 0.1, 1 - t);
      const double V = 0.8 * 0.9 * (0.5 - (X.p.z() - 0.5));
      // seen from frames that are turned
      const Quat q = k == 0 ? Quat(1, 0, 0, 0) : random.rotation();
      const Polyhedron box = transformed(kUnitBox, Pose{Vec3::Zero(), q});
      const Mat3 R = q.toRotationMatrix();
      const SolidPair s(box, box, Transform(Mat3::Identity(), R * X.p));
      const Intersection common = dual_volume(s.A(), s.B(), s.X_AB);
      ASSERT_FALSE(common.faces.empty()) << t;
      EXPECT_NEAR(common.volume / V, 1, 1e-13 + 2e-15 / t) << t;
      EXPECT_GT(common.area_A.normalized().dot(R.col(2)), 0.99);
      EXPECT_EQ(common.overlap, 0.5 * t < 1e-7 * s.L() ? OverlapKind::touching : OverlapKind::solid)
          << t;
    }
}

TEST(DualVolume, TouchingApartAndPlanes) {
  ConvexSet set;
  set.add(kUnitBox);
  set.add(Shape{ShapeKind::plane, {0, 0, 0}}, {});
  const Convex &box = set[0], &floor = set[1];
  EXPECT_EQ(dual_volume(box, box, shift(0, 0, 1 + 1e-9)).overlap, OverlapKind::none);
  EXPECT_EQ(dual_volume(box, box, shift(0.3, 0, 5)).overlap, OverlapKind::none);
  // exactly touching: said so, never silently nothing
  for (const Vec3& p : {Vec3(0.2, 0.1, 1), Vec3(0, 1, 1), Vec3(1, 1, 1)})
    EXPECT_EQ(dual_volume(box, box, {Mat3::Identity(), p}).overlap, OverlapKind::touching);
  for (const double depth : {1e-9, 1e-6, 0.01, 0.5, 0.99}) {
    const Transform X_AB = shift(3, -2, 0.5 - depth);
    const Intersection common = dual_volume(floor, box, X_AB);
    expect_valid(common, floor, box, X_AB, 1e-14);
    EXPECT_NEAR(common.volume, depth, 1e-14);
    EXPECT_NEAR(common.area_A.z(), 1, 1e-13);
    EXPECT_NEAR(dual_volume(box, floor, X_AB.inverse()).volume, depth, 1e-14);
  }
  EXPECT_NEAR(dual_volume(floor, box, shift(0, 0, -7)).volume, 1, 1e-14);
  EXPECT_EQ(dual_volume(floor, floor, {}).overlap, OverlapKind::none);
}

TEST(DualVolume, SameSolid) {
  Random random(23);
  for (int k = 0; k < 40; ++k) {
    const Polyhedron p = volume_solid(random, k % kVolumeKinds, 40);
    const SolidPair same(p, p, {});
    const Intersection common = dual_volume(same.A(), same.B(), {});
    const double V = solid_polyhedron(p).mass;
    expect_valid(common, same.A(), same.B(), {}, 1e-12);
    EXPECT_NEAR(common.volume, V, 1e-9 * V + volume_tolerance(common, V, same.L()));
    for (const auto& f : common.faces) EXPECT_EQ(f.side, Side::a);
  }
}

TEST(DualVolume, AgreesWithTheReference) {
  Random random(24);
  int solid = 0, pairs = 0;
  for (const Soak soak(0.7); soak.goes_on() || pairs < 60; ++pairs) {
    const SolidPair s = random_volume_pair(random, pairs);
    const Intersection common = dual_volume(s.A(), s.B(), s.X_AB);
    expect_valid(common, s.A(), s.B(), s.X_AB, 1e-11);
    // thinner than 1e-7 L, duality loses a digit more than the planes have
    expect_reference_volume(common, s.A(), s.B(), s.X_AB,
                            common.overlap == OverlapKind::touching ? 10 : 1);
    if (HasFatalFailure()) FAIL() << "pair " << pairs;
    solid += common.overlap == OverlapKind::solid;
  }
  EXPECT_GT(solid, pairs / 3);
}

// K-T13
TEST(DualVolume, ThousandsOfVertices) {
  Random random(25);
  std::vector<Vec3> cloud;
  for (int i = 0; i < 2500; ++i) cloud.push_back(0.5 * random.direction());
  const Polyhedron ball = convex_hull(cloud);
  ASSERT_GT(ball.vertex_count(), 2000);
  const SolidPair s(
      ball, ball, Transform(random.rotation().toRotationMatrix(), (1 - 1e-2) * random.direction()));
  const Intersection common = dual_volume(s.A(), s.B(), s.X_AB);
  expect_valid(common, s.A(), s.B(), s.X_AB, 1e-12);
  expect_reference_volume(common, s.A(), s.B(), s.X_AB);
  EXPECT_GT(common.face_count(), 20);
}

}  // namespace
}  // namespace abut
