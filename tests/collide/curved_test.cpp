// Cylinders and ellipsoids against a search over directions (separation.h), and pairs
// whose answer is known.
#include "abut/collide/proximity/cold/curved.h"

#include <gtest/gtest.h>

#include "abut/collide/proximity/cold/primitive_pairs.h"
#include "abut/shape/hull.h"
#include "collide/separation.h"
#include "support/soak.h"

namespace abut {
namespace {

using test::Random;

struct Solids {
  ConvexSet set;
  ShapeAssets none;

  int add(ShapeKind kind, const Vec3& size) { return set.add({kind, size}, none); }
};

const Mat3 kLying = (Mat3() << 1, 0, 0, 0, 0, -1, 0, 1, 0).finished();  // z to -y

TEST(Curved, NoDirectionSeparatesMore) {
  const ShapeKind kinds[] = {ShapeKind::cylinder, ShapeKind::ellipsoid, ShapeKind::box,
                             ShapeKind::sphere, ShapeKind::capsule};
  unsigned seed = 1;
  for (const test::Soak soak(1); soak.goes_on(); ++seed) {
    Random r(seed);
    const double scale = std::pow(10, r.uniform(-3, 3));
    const auto size = [&]() -> Vec3 {
      return scale * Vec3(r.uniform(0.1, 1), r.uniform(0.1, 1), r.uniform(0.1, 1));
    };
    Solids s;
    s.add(kinds[seed % 2], size());
    s.add(kinds[seed / 2 % 5], size());
    int i = 0, j = 1;
    if (r.integer(0, 1) == 0) std::swap(i, j);
    const Convex &A = s.set[i], &B = s.set[j];
    const double L = pair_size(A, B);
    for (int k = 0; k < 3; ++k) {
      const Mat3 R = r.integer(0, 3) == 0 ? kLying : r.quat().toRotationMatrix();
      Transform X(r.integer(0, 3) == 0 ? Mat3(Mat3::Identity()) : R, r.vec(0.4 * L));
      if (r.integer(0, 2) == 0) X.p[r.integer(0, 2)] = 0;
      SCOPED_TRACE("seed " + std::to_string(seed) + " pair " + std::to_string(k) + " " +
                   name(A.kind) + " and " + name(B.kind));
      const Proximity d = curved_proximity(A, B, X);
      test::expect_right(A, B, X, d, 1e-8 * L, r, 100);
      const Proximity back = curved_proximity(B, A, X.inverse());
      EXPECT_NEAR(back.distance, d.distance, 1e-8 * L);
      ASSERT_FALSE(::testing::Test::HasFailure());
    }
  }
}

TEST(Curved, AgreesWithClosedForms) {
  Random r(2);
  Solids s;
  s.add(ShapeKind::cylinder, {0.5, 0.8, 0});
  s.add(ShapeKind::sphere, {0.3, 0, 0});
  s.add(ShapeKind::ellipsoid, {0.4, 0.4, 0.4});
  s.add(ShapeKind::sphere, {0.4, 0, 0});
  for (int k = 0; k < 300; ++k) {
    const Transform X(r.quat().toRotationMatrix(), r.vec(1.2));
    Proximity exact;
    // the solids asked about, and those with the closed form: an ellipsoid can be a ball
    const int pairs[][4] = {{0, 1, 0, 1}, {2, 1, 3, 1}, {0, 2, 0, 3}};
    for (const auto& [a, b, exact_a, exact_b] : pairs) {
      ASSERT_TRUE(analytic_proximity(s.set[exact_a], s.set[exact_b], X, exact));
      EXPECT_NEAR(curved_proximity(s.set[a], s.set[b], X).distance, exact.distance,
                  1e-8 * pair_size(s.set[a], s.set[b]));
    }
  }
}

TEST(Curved, CylindersParallelCrossedAndCoaxial) {
  Random r(3);
  Solids s;
  s.add(ShapeKind::cylinder, {0.5, 1, 0});
  s.add(ShapeKind::cylinder, {0.25, 2, 0});
  const double tolerance = 1e-8 * pair_size(s.set[0], s.set[1]);
  const auto expect = [&](const Mat3& R, const Vec3& p, double distance) {
    const Transform X(R, p);
    SCOPED_TRACE(testing::PrintToString(p.x()) + " " + testing::PrintToString(p.z()));
    const Proximity d = curved_proximity(s.set[0], s.set[1], X);
    EXPECT_NEAR(d.distance, distance, tolerance);
    test::expect_right(s.set[0], s.set[1], X, d, tolerance, r, 50);
  };
  const Mat3 same = Mat3::Identity();
  for (const double gap : {0.5, 1e-3, 1e-6, 1e-9, 0.0, -1e-9, -1e-6, -1e-3, -0.1}) {
    expect(same, {0.75 + gap, 0, 0.3}, gap);      // side by side
    expect(same, {0.1, 0, 3 + gap}, gap);         // cap to cap
    expect(kLying, {0.75 + gap, 0.1, 0.2}, gap);  // crossed
    expect(kLying, {0, 0.1, 1.25 + gap}, gap);    // lying on the cap
  }
  expect(same, {0, 0, 0}, -0.75);  // one in the other, every way out as near
  expect(kLying, {0, 0, 0}, -0.75);
}

TEST(Curved, CylinderOnABox) {
  Random r(4);
  Solids s;
  s.add(ShapeKind::box, {1, 1, 0.5});
  s.add(ShapeKind::cylinder, {0.25, 0.5, 0});
  for (const double gap : {0.1, 1e-6, 1e-9, 0.0, -1e-9, -1e-6, -0.1}) {
    const Transform X(Mat3::Identity(), {0.3, -0.2, 1 + gap});
    const Proximity d = curved_proximity(s.set[0], s.set[1], X);
    EXPECT_NEAR(d.distance, gap, 1e-8) << gap;
    EXPECT_LT((d.normal - Vec3::UnitZ()).norm(), 1e-3) << gap;
    EXPECT_EQ(d.a.kind, FeatureKind::face) << gap;
    test::expect_right(s.set[0], s.set[1], X, d, 1e-7, r, 50);
  }
}

TEST(Curved, StopsAtTheLimit) {
  Solids s;
  s.add(ShapeKind::cylinder, {0.5, 1, 0});
  s.add(ShapeKind::ellipsoid, {0.5, 1, 0.2});
  const Transform X(Mat3::Identity(), {3, 0, 0});
  const Proximity d = curved_proximity(s.set[0], s.set[1], X, 0.5);
  EXPECT_TRUE(d.beyond_limit);
  EXPECT_GT(d.distance, 0.5);
  EXPECT_LE(d.distance, 2 + 1e-12);
  EXPECT_FALSE(curved_proximity(s.set[0], s.set[1], X, 2.5).beyond_limit);
}

}  // namespace
}  // namespace abut
