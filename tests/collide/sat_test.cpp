#include "abut/collide/proximity/cold/sat.h"

#include <gtest/gtest.h>

#include "collide/random_solids.h"
#include "support/allocations.h"
#include "support/soak.h"

namespace abut {
namespace {

using test::Soak;
using testing::minkowski_separation;
using testing::outside;
using testing::pick;
using testing::Random;
using testing::random_placement;
using testing::random_solid;
using testing::shrunk;

// Far tighter than the 1e-9 L that is promised; the worst seen in 30,000 pairs is 9e-14.
constexpr double kTight = 1e-11;

// What the answer claims, checked by vertices and faces alone.
void expect_sound(const SatProximity& d, const Polyhedron& A, const Polyhedron& B,
                  const Transform& X_AB) {
  const double L = A.size + B.size;
  EXPECT_NEAR(d.normal.norm(), 1, 1e-14);
  double top = -1e300, bottom = 1e300;
  for (const Vec3& v : A.vertices) top = std::max(top, d.normal.dot(v));
  for (const Vec3& v : B.vertices) bottom = std::min(bottom, d.normal.dot(X_AB * v));
  EXPECT_NEAR(bottom - top, d.distance, 1e-12 * L);
  EXPECT_LT((d.p_B - d.p_A - d.distance * d.normal).norm(), 1e-14 * L);
  if (d.distance <= 0) {
    EXPECT_TRUE(d.exact);
  }
  if (d.exact) {
    EXPECT_LT(outside(A, d.p_A), 1e-9 * L);
    EXPECT_LT(outside(B, X_AB.inverse() * d.p_B), 1e-9 * L);
  }
}

// Of a point to a feature's own plane, line or place (m).
double off_feature(const Polyhedron& p, const Feature& f, const Vec3& x) {
  if (f.kind == FeatureKind::vertex) return (x - p.vertices[f.index]).norm();
  if (f.kind == FeatureKind::face) return std::abs(p.height_above(f.index, x));
  const Vec3 tail = p.vertices[p.edges[f.index].tail], head = p.vertices[p.edges[f.index].head];
  return (x - tail).cross((head - tail).normalized()).norm();
}

TEST(Sat, agrees_with_the_minkowski_difference) {
  Random random(1);
  SatScratch scratch;
  int deep = 0, pairs = 0;
  for (const Soak soak(0.8); soak.goes_on(); ++pairs) {
    const Polyhedron A = random_solid(random), B = random_solid(random, pick(random, 0, 6), 20);
    const Transform X_AB(random_placement(random, A, B));
    const SatProximity d = sat_proximity(A, B, X_AB, scratch);
    const double L = A.size + B.size;
    // each is what some direction parts them by (see expect_sound), so the larger is the better;
    // of faces that Qhull has merged the normal may be off by more than our rounding
    const double reference = minkowski_separation(A, B, X_AB);
    EXPECT_GE(d.distance, reference - kTight * L);
    EXPECT_LE(d.distance, reference + 1e-9 * L);
    expect_sound(d, A, B, X_AB);
    if (d.exact) {
      EXPECT_LT(off_feature(A, d.a, d.p_A), 2e-9 * L);
      EXPECT_LT(off_feature(B, d.b, X_AB.inverse() * d.p_B), 2e-9 * L);
    }
    deep += d.distance < 0;
  }
  EXPECT_GT(deep, pairs / 10);
}

TEST(Sat, is_the_same_seen_from_the_other_side_and_from_afar) {
  Random random(2);
  SatScratch scratch;
  for (int k = 0; k < 300; ++k) {
    const Polyhedron A = random_solid(random), B = random_solid(random);
    const Pose X_AB = random_placement(random, A, B);
    const double L = A.size + B.size;
    const SatProximity d = sat_proximity(A, B, Transform(X_AB), scratch);
    const SatProximity s = sat_proximity(B, A, Transform(X_AB).inverse(), scratch);
    EXPECT_NEAR(s.distance, d.distance, (kFaceBias + 1e-13) * L);
    EXPECT_EQ(s.exact, d.exact);
    expect_sound(s, B, A, Transform(X_AB).inverse());

    const Pose X_WA = random.pose(1e4);
    const SatProximity far = sat_proximity(A, B, relative(X_WA, X_WA * X_AB), scratch);
    EXPECT_NEAR(far.distance, d.distance, kFaceBias * L + 8 * 1e4 * 2.3e-16);
  }
}

TEST(Sat, scales) {
  Random random(3);
  SatScratch scratch;
  for (int k = 0; k < 100; ++k) {
    const Polyhedron A = random_solid(random), B = random_solid(random);
    const Transform X(random_placement(random, A, B));
    const SatProximity d = sat_proximity(A, B, X, scratch);
    for (const double factor : {1e-3, 1e-1, 10.0, 1e3}) {
      const SatProximity s = sat_proximity(shrunk(A, factor), shrunk(B, factor),
                                           Transform(X.R, factor * X.p), scratch);
      EXPECT_NEAR(s.distance / factor, d.distance, kFaceBias * (A.size + B.size));
      EXPECT_EQ(s.exact, d.exact);
    }
  }
}

// The same solid twice, turned by next to nothing: every edge has a nearly parallel one.
TEST(Sat, copies_turned_by_next_to_nothing) {
  Random random(4);
  SatScratch scratch;
  for (int k = 0; k < 120; ++k) {
    const Polyhedron A = random_solid(random, k % 7, 24);
    const double angle = k % 15 == 0 ? 0 : std::pow(10, -(k % 15));
    const Pose X_AB{random.uniform(0, 0.5) * random.direction(),
                    Quat(Eigen::AngleAxisd(angle, random.direction()))};
    const Transform X(X_AB);
    const SatProximity d = sat_proximity(A, A, X, scratch);
    expect_sound(d, A, A, X);
    // Qhull merges what differs by 1e-9 of the size, the oracle with it
    EXPECT_NEAR(d.distance, minkowski_separation(A, A, X), 1e-9 * 2 * A.size) << angle;
  }
}

TEST(Sat, goes_no_further_than_the_limit) {
  SatScratch scratch;
  const Polyhedron cube = box_polyhedron({0.5, 0.5, 0.5});
  const Transform X(Mat3::Identity(), Vec3(0.3, 0.2, 1.5));
  for (const SatProximity& d : {sat_proximity(cube, cube, X, scratch, 0.4),
                                box_box_proximity({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, X, 0.4)}) {
    EXPECT_TRUE(d.beyond_limit);
    EXPECT_NEAR(d.distance, 0.5, 1e-15);
    EXPECT_EQ(d.normal, Vec3(0, 0, 1));
  }
  EXPECT_FALSE(sat_proximity(cube, cube, X, scratch, 0.6).beyond_limit);
  EXPECT_FALSE(box_box_proximity({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, X, 0.6).beyond_limit);
}

TEST(Sat, allocates_nothing_when_warm) {
  Random random(5);
  SatScratch scratch;
  const Polyhedron A = random_solid(random, 1), B = random_solid(random, 0);
  const Transform X(random_placement(random, A, B));
  sat_proximity(A, B, X, scratch);
  const long before = test::allocation_count();
  sat_proximity(A, B, X, scratch);
  EXPECT_EQ(test::allocation_count(), before);
}

// K-T2 (Fig. 2): a peg driven through a thin plate past its middle is pushed on through,
// not back the way it came.
TEST(Sat, a_plate_passed_more_than_half_way) {
  SatScratch scratch;
  const Polyhedron plate = box_polyhedron({2, 2, 0.05}), peg = box_polyhedron({0.1, 0.1, 0.04});
  for (const double z : {0.02, -0.02}) {
    const SatProximity d =
        sat_proximity(plate, peg, Transform(Mat3::Identity(), Vec3(0.3, 0.1, z)), scratch);
    EXPECT_NEAR(d.distance, std::abs(z) - 0.09, 1e-15);
    EXPECT_LT((d.normal - Vec3(0, 0, z > 0 ? 1 : -1)).norm(), 1e-15);
  }
}

// K-T3: a slab sliding down a groove's wall keeps the wall's normal and is never caught.
TEST(Sat, normals_do_not_lock) {
  SatScratch scratch;
  const Polyhedron wall = box_polyhedron({1, 0.1, 1}), slab = box_polyhedron({0.3, 0.1, 0.3});
  const Mat3 lean = Mat3(Eigen::AngleAxisd(1e-4, Vec3::UnitX()));
  for (double z = -0.6; z < 0.65; z += 0.1) {
    const SatProximity d = sat_proximity(wall, slab, Transform(lean, Vec3(0, 0.199, z)), scratch);
    EXPECT_LT(d.distance, 0);
    EXPECT_GT(d.normal.y(), 0.9999);
  }
}

// K-T4 (Fig. 5): far off the centre of a long box the line of centres is useless.
TEST(Sat, a_small_solid_far_off_the_centre_of_a_long_box) {
  SatScratch scratch;
  const Polyhedron bar = box_polyhedron({5, 0.2, 0.2}), ball = sphere_polyhedron(0.1, 0.02);
  const Vec3 at(4, 0, 0.28);
  const SatProximity d = sat_proximity(bar, ball, Transform(Mat3::Identity(), at), scratch);
  EXPECT_NEAR(d.distance, -0.02, 1e-12);
  EXPECT_LT((d.normal - Vec3(0, 0, 1)).norm(), 1e-9);
  EXPECT_GT(std::acos(at.normalized().dot(d.normal)), std::numbers::pi / 4);
}

TEST(Sat, says_when_it_knows_only_a_bound) {
  SatScratch scratch;
  const Polyhedron cube = box_polyhedron({0.5, 0.5, 0.5});
  const auto apart = [&](double x, double y, double z) {
    return sat_proximity(cube, cube, Transform(Mat3::Identity(), Vec3(x, y, z)), scratch);
  };
  EXPECT_TRUE(apart(0.2, 0.3, 1.4).exact);   // over the face
  EXPECT_FALSE(apart(1.4, 0, 1.3).exact);    // over an edge
  EXPECT_FALSE(apart(1.4, 1.2, 1.3).exact);  // corner to corner
  EXPECT_NEAR(apart(1.4, 1.2, 1.3).distance, 0.4, 1e-15);
}

// Boxes, half of them turned by a quarter and next to nothing more.
TEST(BoxBox, is_the_separating_axis_test_of_its_polyhedra) {
  Random random(6);
  SatScratch scratch;
  int pairs = 0, other_features = 0;
  for (const Soak soak(0.3); soak.goes_on(); ++pairs) {
    const double size = std::pow(10, random.uniform(-3, 3));
    const Vec3 half_a = size * (Vec3(0.3, 0.3, 0.3) + random.in_cube(0.29));
    const Vec3 half_b = size * (Vec3(0.3, 0.3, 0.3) + random.in_cube(0.29));
    const Polyhedron A = box_polyhedron(half_a), B = box_polyhedron(half_b);
    Pose X_AB = random_placement(random, A, B);
    if (pairs % 2 == 0) {
      const double quarters = pick(random, 0, 3) * std::numbers::pi / 2;
      const double more = pick(random, 0, 1) * std::pow(10, random.uniform(-16, -1));
      X_AB.q = Quat(Eigen::AngleAxisd(more, random.direction())) *
               Quat(Eigen::AngleAxisd(quarters, Vec3::Unit(pick(random, 0, 2))));
    }
    const Transform X(X_AB);
    const double L = A.size + B.size;
    const SatProximity d = box_box_proximity(half_a, half_b, X);
    const SatProximity slow = sat_proximity(A, B, X, scratch);
    EXPECT_NEAR(d.distance, slow.distance, (kFaceBias + 1e-13) * L);
    EXPECT_EQ(d.exact, slow.exact);
    expect_sound(d, A, B, X);
    if (d.a == slow.a && d.b == slow.b) {
      EXPECT_LT((d.normal - slow.normal).norm(), 1e-7);
    } else {
      ++other_features;  // equally good ones
    }
    const double limit = random.uniform(-0.1, 0.1) * L;
    const SatProximity limited = box_box_proximity(half_a, half_b, X, limit);
    EXPECT_EQ(limited.beyond_limit, d.distance > limit);
    if (!limited.beyond_limit) {
      EXPECT_EQ(limited.distance, d.distance);
    }
  }
  EXPECT_LT(other_features, pairs / 100 + 5);
}

TEST(BoxBox, stacked_boxes_show_no_phantom_depth) {
  for (const double gap : {0.0, 1e-12, -1e-12, 1e-5, -1e-5})
    for (const double shift : {0.0, 0.25, 0.5, -0.99}) {
      const SatProximity d = box_box_proximity(
          {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, Transform(Mat3::Identity(), Vec3(shift, 0, 1 + gap)));
      EXPECT_NEAR(d.distance, gap, 1e-15);
      EXPECT_TRUE(d.exact);
      EXPECT_EQ(d.a, (Feature{FeatureKind::face, 3}));
    }
}

}  // namespace
}  // namespace abut
