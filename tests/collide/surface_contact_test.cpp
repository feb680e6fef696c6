// Contacts of meshes with distance fields, against convex queries and closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "abut/collide/field/surface_contact.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/collide/solid/convex.h"
#include "abut/math/rotation.h"
#include "abut/shape/field/subdivide.h"
#include "abut/shape/primitives.h"
#include "tests/support/torus_mesh.h"

namespace abut {
namespace {

MeshField field_of(const Polyhedron& p) { return make_mesh_field(SurfaceMesh(p).mesh()); }
SurfaceSolid solid(const MeshField& f) { return {&f.surface, &f}; }

double least(std::span<const SurfacePoint> points) {
  double psi = std::numeric_limits<double>::infinity();
  for (const SurfacePoint& p : points) psi = std::min(psi, p.psi);
  return psi;
}

// Poses at which two boxes are apart by little or overlap by little.
std::vector<Pose> poses_near(double gap) {
  std::vector<Pose> poses;
  ConvexSet set;
  const int a = set.add(box_polyhedron({0.3, 0.2, 0.1})),
            b = set.add(box_polyhedron({0.1, 0.1, 0.15}));
  std::uint64_t seed = 7;
  const auto next = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(seed >> 11) / 4503599627370496.0 - 1;
  };
  for (int i = 0; i < 300; ++i) {
    Pose X{Vec3(next(), next(), next()).normalized(),
           exp_rotation(2 * Vec3(next(), next(), next()))};
    for (int k = 0; k < 30; ++k) {
      const Proximity d = proximity(set[a], {}, set[b], X);
      X.p += (gap - d.distance) * d.normal;
    }
    const Proximity d = proximity(set[a], {}, set[b], X);
    if (std::abs(d.distance - gap) < 1e-9 && !d.indeterminate) poses.push_back(X);
  }
  return poses;
}

// The distance of two boxes, and the direction of the least one, as convex queries have it: from vertices and from
// ridges.
TEST(SurfaceContact, HasTheDistanceOfConvexSolids) {
  const Polyhedron a = box_polyhedron({0.3, 0.2, 0.1}), b = box_polyhedron({0.1, 0.1, 0.15});
  ConvexSet set;
  const int ia = set.add(a), ib = set.add(b);
  const MeshField fa = field_of(a), fb = field_of(b);
  SurfaceContact contact;
  for (const double gap : {2e-3, -5e-4}) {
    const std::vector<Pose> poses = poses_near(gap);
    ASSERT_GT(poses.size(), 200u);
    int ridges = 0;
    std::size_t exact = 0;
    for (const Pose& X : poses) {
      const Proximity d = proximity(set[ia], {}, set[ib], X);
      const auto points = contact.find(solid(fa), solid(fb), Transform(X), 4e-3);
      ASSERT_FALSE(points.empty());
      const SurfacePoint p = *std::ranges::min_element(points, {}, &SurfacePoint::psi);
      // where they overlap, a corner or a ridge has the depth to what is nearest to it: not always the
      // least translation of the whole
      const double nearest = gap > 0 ? d.distance : 0;
      if (gap > 0) {
        ASSERT_GT(p.psi, d.distance - 1e-9);
      }
      ASSERT_LT(p.psi, nearest + 1e-9);
      if (gap > 0) {
        ASSERT_GT(p.normal.dot(d.normal), 1 - 1e-6);
      }
      exact += std::ranges::any_of(points, [&](const SurfacePoint& one) {
        return std::abs(one.psi - d.distance) < 1e-9 && one.normal.dot(d.normal) > 1 - 1e-6;
      });
      ASSERT_LT((p.p_B - p.p_A - p.psi * p.normal).norm(), 1e-9);
      ridges += p.a.kind == FeatureKind::edge && p.b.kind == FeatureKind::edge ? 1 : 0;
      // the other way round
      const auto turned = contact.find(solid(fb), solid(fa), Transform(X).inverse(), 4e-3);
      if (gap > 0) {
        ASSERT_GT(least(turned), d.distance - 1e-9);
      }
      ASSERT_LT(least(turned), nearest + 1e-9);
    }
    EXPECT_GT(ridges, 20);
    EXPECT_GE(exact, gap > 0 ? poses.size() : poses.size() / 2);
  }
}

// Rings of a chain: circles through each other's middle touch where their tubes do.
TEST(SurfaceContact, OfTwoRingsInEachOther) {
  const MeshField ring = make_mesh_field(test::torus_mesh(0.05, 0.01, 64, 32));
  SurfaceContact contact;
  for (const double gap : {1e-3, -1e-3}) {
    // B stands upright, and its lowest inner side is under the tube of A that goes through (0.05, 0, 0)
    const Transform X_AB(exp_rotation({std::numbers::pi / 2, 0, 0}).toRotationMatrix(),
                         {0.05, 0, 0.03 - gap});
    const auto points = contact.find(solid(ring), solid(ring), X_AB, 2e-3);
    ASSERT_FALSE(points.empty()) << gap;
    const SurfacePoint& p = *std::ranges::min_element(points, {}, &SurfacePoint::psi);
    EXPECT_NEAR(p.psi, gap, 3e-4);
    EXPECT_LT(p.normal.z(), -0.98);
  }
}

TEST(SurfaceContact, ABallInAGrooveTouchesBothSides) {
  // an L: the notch's corner is at (0.4, 0.4)
  TriangleMesh mesh;
  const std::vector<Vec2> outline{{0, 0}, {1, 0}, {1, .4}, {.4, .4}, {.4, 1}, {0, 1}};
  for (const double z : {0.0, 0.4})
    for (const Vec2& p : outline) mesh.vertices.emplace_back(p.x(), p.y(), z);
  for (const std::array<int, 3>& t : {std::array{0, 2, 1},
                                      {0, 3, 2},
                                      {0, 4, 3},
                                      {0, 5, 4},
                                      {6, 7, 8},
                                      {6, 8, 9},
                                      {6, 9, 10},
                                      {6, 10, 11}})
    mesh.triangles.push_back(t);
  for (int i = 0; i < 6; ++i) {
    const int k = (i + 1) % 6;
    mesh.triangles.push_back({i, k, k + 6});
    mesh.triangles.push_back({i, k + 6, i + 6});
  }
  const MeshField l = make_mesh_field(mesh);
  SurfaceContact contact;
  auto points = contact.find_ball(solid(l), {0.499, 0.502, 0.2}, 0.1, 0.01, 0);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NEAR(least(points), -0.001, 1e-12);
  EXPECT_NEAR(points[0].psi + points[1].psi, 0.001, 1e-12);
  // on the convex edge at the top of the notch: one place, along the way to it
  points = contact.find_ball(solid(l), {0.47, 1.07, 0.2}, 0.1, 0.01, 0);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].psi, 0.07 * std::numbers::sqrt2 - 0.1, 1e-12);
  // over the middle of a face of two triangles: one place, wherever
  for (const double x : {0.1, 0.2, 0.3})
    EXPECT_EQ(contact.find_ball(solid(l), {x, x, 0.45}, 0.1, 0.01, 0).size(), 1u);
}

// A floor of many triangles does not hold a box from the side.
TEST(SurfaceContact, VerticesBesideABoxDoNotHoldIt) {
  const MeshField floor =
      make_mesh_field(subdivided(SurfaceMesh(box_polyhedron({1, 1, 0.1})).mesh(), 2e-3));
  const SurfaceMesh box(box_polyhedron({0.1, 0.1, 0.1}));
  SurfaceContact contact;
  for (const double height : {1e-4, 0.0, -1e-4})
    for (int i = 0; i < 50; ++i) {
      const Transform X(Mat3::Identity(), {-0.3 + 0.0123 * i, 0.017 * i - 0.3, 0.2 + height});
      const auto points = contact.find(solid(floor), {&box, nullptr}, X, 0.02);
      ASSERT_FALSE(points.empty());
      for (const SurfacePoint& p : points)
        ASSERT_TRUE(p.psi > height + 1e-6 || p.normal.z() > 0.99) << X.p.transpose();
      ASSERT_NEAR(least(points), height, 1e-12);
    }
}

// Equation 4: a small box deep in a large one comes out by its nearest facet.
TEST(SurfaceContact, DeepOverlapsComeOutByAFacet) {
  const MeshField large = field_of(box_polyhedron({1, 1, 1}));
  const MeshField small =
      make_mesh_field(subdivided(SurfaceMesh(box_polyhedron({0.1, 0.1, 0.1})).mesh(), 1e-3));
  SurfaceContact contact;
  const auto points =
      contact.find(solid(large), solid(small), {Mat3::Identity(), {0.2, 0.1, 0.95}}, 0);
  ASSERT_FALSE(points.empty());
  EXPECT_NEAR(least(points), -0.15, 1e-9);
  for (const SurfacePoint& p : points) EXPECT_GT(p.normal.z(), 0.99);
}

}  // namespace
}  // namespace abut
