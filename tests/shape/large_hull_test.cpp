// Hulls of many points: lids with thousands of corners, and what a mesh holds beside its hull.
#include <gtest/gtest.h>

#include <cmath>

#include "abut/math/rotation.h"
#include "abut/shape/hull.h"
#include "abut/shape/mesh_volume.h"

namespace abut {
namespace {

std::vector<Vec3> drum(int corners, const Quat& q) {
  std::vector<Vec3> points;
  for (const double z : {-0.5, 0.5})
    for (int i = 0; i < corners; ++i) {
      const double a = 2 * M_PI * i / corners;
      points.push_back(q * Vec3(std::cos(a), std::sin(a), z));
    }
  return points;
}

// Qhull alone takes minutes to merge the facets of such a lid, and checking it edge by edge against
// all of its corners takes as long.
TEST(LargeHull, LidsHaveAnyNumberOfCorners) {
  const int corners = 40'000;
  for (const Quat& q : {Quat(1, 0, 0, 0), Quat(exp_rotation(Vec3(0.3, -0.7, 0.2)))}) {
    const Polyhedron p = convex_hull(drum(corners, q));
    EXPECT_EQ(p.vertex_count(), 2 * corners);
    EXPECT_EQ(p.face_count(), corners + 2);
    EXPECT_EQ(validate(p), "");
    EXPECT_NEAR(solid_polyhedron(p).mass, corners * 0.5 * std::sin(2 * M_PI / corners), 1e-9);
  }
}

// Below and above the number of points from which on facets are merged by abut alone.
TEST(LargeHull, TheWayOfMergingDoesNotShow) {
  for (const int corners : {300, 499, 501, 700}) {
    const Polyhedron p = convex_hull(drum(corners, exp_rotation(Vec3(-0.2, 0.5, 1.1))));
    EXPECT_EQ(p.vertex_count(), 2 * corners);
    EXPECT_EQ(p.face_count(), corners + 2);
  }
}

// A box with points all over its faces has 8 corners.
TEST(LargeHull, PointsOnFacesAreNoCorners) {
  std::vector<Vec3> points;
  const int n = 24;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (int k = 0; k <= n; ++k)
        if (i % n == 0 || j % n == 0 || k % n == 0)
          points.push_back(exp_rotation(Vec3(0.4, 0.1, -0.3)) * Vec3(i, 2.0 * j, 0.5 * k) / n);
  const Polyhedron p = convex_hull(points);
  EXPECT_EQ(p.vertex_count(), 8);
  EXPECT_EQ(p.face_count(), 6);
}

TriangleMesh box_mesh() {
  return convex_hull_mesh(std::vector<Vec3>{
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}});
}

MeshVolume volume_of(const TriangleMesh& mesh) {
  return mesh_volume(mesh, convex_hull(mesh.vertices));
}

TEST(MeshVolume, OfAConvexMeshIsThatOfItsHull) {
  const MeshVolume v = volume_of(box_mesh());
  EXPECT_NEAR(v.mesh, 1, 1e-12);
  EXPECT_NEAR(v.hull, 1, 1e-12);
  EXPECT_FALSE(v.differs());
}

// Two boxes beside each other: the hull fills what is between them.
TEST(MeshVolume, OfAMeshWithAGapIsLess) {
  TriangleMesh two = box_mesh();
  const TriangleMesh one = box_mesh();
  for (const Vec3& x : one.vertices) two.vertices.push_back(x + Vec3(1.02, 0, 0));
  for (auto t : one.triangles) {
    for (int& i : t) i += 8;
    two.triangles.push_back(t);
  }
  MeshVolume v = volume_of(two);
  EXPECT_NEAR(v.mesh, 2, 1e-12);
  EXPECT_NEAR(v.excess(), 0.01, 1e-9);
  for (std::size_t i = 8; i < 16; ++i) two.vertices[i].x() += 0.02;
  v = volume_of(two);
  EXPECT_TRUE(v.differs());
  EXPECT_TRUE(v.closed);
  EXPECT_NEAR(v.excess(), 0.02, 1e-9);
  // also where all faces point inwards
  for (auto& t : two.triangles) std::swap(t[1], t[2]);
  EXPECT_NEAR(volume_of(two).mesh, 2, 1e-12);
}

TEST(MeshVolume, OfAnOpenMeshIsSaidToBeUncertain) {
  TriangleMesh open = box_mesh();
  open.triangles.pop_back();
  const MeshVolume v = volume_of(open);
  EXPECT_TRUE(v.differs());
  EXPECT_FALSE(v.closed);
  EXPECT_EQ(v.open_edges, 3);
}

}  // namespace
}  // namespace abut
