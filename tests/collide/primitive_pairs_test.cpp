// Closed forms against a search over directions (separation.h), and degenerate pairs
// whose answer is known.
#include "abut/collide/proximity/cold/primitive_pairs.h"

#include <gtest/gtest.h>

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

const ShapeKind kKinds[] = {ShapeKind::plane,    ShapeKind::sphere,    ShapeKind::capsule,
                            ShapeKind::cylinder, ShapeKind::ellipsoid, ShapeKind::box};

bool has_closed_form(ShapeKind a, ShapeKind b) {
  using enum ShapeKind;
  if (a == plane || b == plane) return a != b;
  if (a == sphere || b == sphere) return a != ellipsoid && b != ellipsoid;
  return a == capsule && b == capsule;
}

Vec3 random_size(Random& r, double scale) {
  return scale * Vec3(r.uniform(0.1, 1), r.uniform(0.1, 1), r.uniform(0.1, 1));
}

// Rotations that keep axes parallel are as likely as others.
Mat3 random_rotation(Random& r) {
  if (r.integer(0, 2) > 0) return r.quat().toRotationMatrix();
  Mat3 R = Mat3::Identity();
  const int shift = r.integer(0, 2);
  for (int k = 0; k < 3; ++k) R.col(k) = Vec3::Unit((k + shift) % 3);
  return R;
}

TEST(PrimitivePairs, NoDirectionSeparatesMore) {
  unsigned seed = 1;
  for (const test::Soak soak(0.8); soak.goes_on(); ++seed) {
    Random r(seed);
    const ShapeKind a = kKinds[seed % 6], b = kKinds[seed / 6 % 6];
    const double scale = std::pow(10, r.uniform(-3, 3));
    Solids s;
    const int i = s.add(a, random_size(r, scale));
    const int j = s.add(b, random_size(r, scale));
    const Convex &A = s.set[i], &B = s.set[j];
    const double L = pair_size(A, B);
    for (int k = 0; k < 3; ++k) {
      Vec3 p = r.vec(0.5 * L);
      if (r.integer(0, 2) == 0) p[r.integer(0, 2)] = 0;  // in a plane of symmetry
      const Transform X(random_rotation(r), p);
      Proximity d;
      SCOPED_TRACE("seed " + std::to_string(seed) + " " + name(a) + " and " + name(b));
      ASSERT_EQ(analytic_proximity(A, B, X, d), has_closed_form(a, b));
      if (!has_closed_form(a, b)) break;
      test::expect_right(A, B, X, d, 1e-12 * L, r);
      // swapped
      Proximity back;
      ASSERT_TRUE(analytic_proximity(B, A, X.inverse(), back));
      EXPECT_NEAR(back.distance, d.distance, 1e-14 * L);
      if (!d.indeterminate) {
        EXPECT_LT((X.R * back.normal + d.normal).norm(), 1e-9);
      }
      ASSERT_FALSE(::testing::Test::HasFailure());
    }
  }
}

TEST(PrimitivePairs, HalfSpaceAndHulls) {
  Random r(2);
  for (int k = 0; k < 50; ++k) {
    Solids s;
    s.add(ShapeKind::plane, Vec3::Zero());
    std::vector<Vec3> points;
    for (int i = 0; i < r.integer(4, 60); ++i) points.push_back(test::random_direction(r));
    s.set.add(convex_hull(points));
    const Transform X(r.quat().toRotationMatrix(), r.vec(2));
    Proximity d;
    ASSERT_TRUE(analytic_proximity(s.set[0], s.set[1], X, d));
    double lowest = 1e9;
    for (const Vec3& v : s.set[1].polyhedron->vertices) lowest = std::min(lowest, (X * v).z());
    EXPECT_NEAR(d.distance, lowest, 1e-15);
    EXPECT_EQ(d.normal, Vec3::UnitZ());
    EXPECT_EQ(d.b.kind, FeatureKind::vertex);
    EXPECT_EQ(d.a, (Feature{FeatureKind::face, 0}));
    EXPECT_EQ(X * s.set[1].polyhedron->vertices[d.b.index], d.p_B);
  }
}

// The feature of the box is the one under the nearest point.
TEST(PrimitivePairs, SphereAndBoxNameTheFeature) {
  Solids s;
  s.add(ShapeKind::box, {1, 2, 3});
  s.add(ShapeKind::sphere, {0.5, 0, 0});
  const Polyhedron& box = *s.set[0].polyhedron;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3 side(x, y, z);
        Proximity d;
        const Vec3 p = Vec3(2 * x, 4 * y, 6 * z) + Vec3(0.1, 0.2, 0.3);
        ASSERT_TRUE(analytic_proximity(s.set[0], s.set[1], {Mat3::Identity(), p}, d));
        const int sides = std::abs(x) + std::abs(y) + std::abs(z);
        if (sides == 1) {
          ASSERT_EQ(d.a.kind, FeatureKind::face);
          EXPECT_LT((box.faces[d.a.index].eta - side).norm(), 1e-15);
        } else if (sides == 2) {
          ASSERT_EQ(d.a.kind, FeatureKind::edge);
          const Polyhedron::Edge& e = box.edges[d.a.index];
          EXPECT_LT((box.faces[e.f1].eta + box.faces[e.f2].eta - side).norm(), 1e-15);
        } else {
          ASSERT_EQ(d.a.kind, FeatureKind::vertex);
          EXPECT_LT((box.vertices[d.a.index] - d.p_A).norm(), 1e-15);
        }
      }
}

TEST(PrimitivePairs, CentresOnEachOther) {
  Random r(3);
  Solids s;
  const auto depth_at = [&](int i, int j, const Transform& X, double depth) {
    Proximity d;
    ASSERT_TRUE(analytic_proximity(s.set[i], s.set[j], X, d));
    EXPECT_NEAR(d.distance, -depth, 1e-14);
    EXPECT_TRUE(d.indeterminate);
    test::expect_right(s.set[i], s.set[j], X, d, 1e-13, r);
  };
  s.add(ShapeKind::sphere, {0.5, 0, 0});
  s.add(ShapeKind::sphere, {0.2, 0, 0});
  s.add(ShapeKind::capsule, {0.3, 1, 0});
  s.add(ShapeKind::capsule, {0.1, 0.5, 0});
  s.add(ShapeKind::box, {1, 1, 1});
  s.add(ShapeKind::cylinder, {0.4, 2, 0});
  const Transform same;
  depth_at(0, 1, same, 0.7);
  depth_at(2, 0, same, 0.8);
  depth_at(2, 0, {Mat3::Identity(), {0, 0, 1}}, 0.8);  // at the end of the axis
  depth_at(2, 3, same, 0.4);                           // one axis in the other
  depth_at(2, 2, same, 0.6);
  depth_at(2, 3, {Mat3::Identity(), {0, 0, 1.5}}, 0.4);  // end to end
  depth_at(4, 0, same, 1.5);
  depth_at(5, 0, same, 0.9);
  const Mat3 lying = Eigen::AngleAxisd(0.5 * 3.141592653589793, Vec3::UnitX()).toRotationMatrix();
  depth_at(2, 3, {lying, {0, 0, 0.2}}, 0.4);    // crossing
  depth_at(2, 3, {lying, {0, 0.5, 0.2}}, 0.4);  // an end on the other's axis
  depth_at(2, 3, {lying, {0, 0.5, 1}}, 0.4);    // the ends of both
}

// Axes that nearly cross: the difference of the points is mostly rounding.
TEST(PrimitivePairs, CapsulesThatNearlyCross) {
  Random r(4);
  Solids s;
  s.add(ShapeKind::capsule, {0.3, 1, 0});
  s.add(ShapeKind::capsule, {0.1, 0.5, 0});
  for (int k = 0; k < 2000; ++k) {
    const double angle = std::pow(10, r.uniform(-12, 0)), apart = std::pow(10, r.uniform(-18, -4));
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitX()).toRotationMatrix();
    const Vec3 p(apart, 0, r.uniform(-1.7, 1.7));
    // seen along other axes, so that nothing is exact
    const Transform X(R * Eigen::AngleAxisd(r.uniform(0, 6), Vec3::UnitZ()).toRotationMatrix(), p);
    Proximity d;
    ASSERT_TRUE(analytic_proximity(s.set[0], s.set[1], X, d));
    SCOPED_TRACE(std::to_string(k));
    test::expect_right(s.set[0], s.set[1], X, d, 1e-12, r, 5);
    ASSERT_FALSE(::testing::Test::HasFailure()) << angle << " " << apart;
  }
}

}  // namespace
}  // namespace abut
