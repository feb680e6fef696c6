#include "abut/shape/triangle_mesh.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "testing.h"

namespace abut {
namespace {

using testing::expect_same;
using testing::moved;
using testing::Random;

// An L: two boxes side by side, so that it is not convex. Its outline in x-y is
// (0,0) (2,0) (2,1) (1,1) (1,2) (0,2), from z = 0 to 1.
TriangleMesh ell() {
  TriangleMesh mesh;
  const Vec2 outline[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (const double z : {0.0, 1.0})
    for (const Vec2& p : outline) mesh.vertices.emplace_back(p.x(), p.y(), z);
  for (int k = 0; k < 6; ++k) {
    const int n = (k + 1) % 6;
    mesh.triangles.push_back({k, n, n + 6});
    mesh.triangles.push_back({k, n + 6, k + 6});
  }
  for (const auto& t : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
    mesh.triangles.push_back({t[0], t[2], t[1]});
  }
  return mesh;
}

MassProperties ell_by_hand() {
  const MassProperties bar =
      transformed(solid_box({1, 0.5, 0.5}), {{1, 0.5, 0.5}, Quat::Identity()});
  return combined(bar,
                  transformed(solid_box({0.5, 0.5, 0.5}), {{0.5, 1.5, 0.5}, Quat::Identity()}));
}

TEST(TriangleMesh, ANonConvexSolidIsTheSumOfItsBoxes) {
  EXPECT_TRUE(check(ell()).oriented);
  expect_same(solid_mesh(ell()), ell_by_hand(), 1e-14, 2);
}

TEST(TriangleMesh, FarFromTheOriginNothingIsLost) {
  // coordinates of 1e4 m are rounded by 1e-12 m, and that is all that may be seen
  const Vec3 far(1e4, -1e4, 1e4);
  TriangleMesh mesh = ell();
  for (Vec3& v : mesh.vertices) v = 1e-2 * v + far;
  TriangleMesh near = ell();
  for (Vec3& v : near.vertices) v *= 1e-2;
  const MassProperties expected = transformed(solid_mesh(near), {far, Quat::Identity()});
  expect_same(solid_mesh(mesh), expected, 1e-8, 1e-2);
  expect_same(shell_mesh(mesh), transformed(shell_mesh(near), {far, Quat::Identity()}), 1e-8, 1e-2);
}

TEST(TriangleMesh, ShellOfABoxIsTheClosedForm) {
  const TriangleMesh mesh = triangulated(box_polyhedron({0.1, 0.2, 0.3}));
  expect_same(shell_mesh(mesh), shell_box({0.1, 0.2, 0.3}), 1e-14, 0.3);
}

TEST(TriangleMesh, LegacyIsExactForConvexAndBlindToOrientation) {
  TriangleMesh mesh = convex_hull_mesh(Random(1).points(40, 1));
  const MassProperties exact = solid_mesh(mesh);
  expect_same(legacy_mesh(mesh), exact, 1e-13, 1);
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
    std::swap(mesh.triangles[i][0], mesh.triangles[i][1]);
  expect_same(legacy_mesh(mesh), exact, 1e-13, 1);
  EXPECT_FALSE(is_consistently_oriented(mesh));
  EXPECT_TRUE(is_watertight(mesh));
  // and too heavy where a triangle's plane has the centre on its far side: seen from the
  // L's centre the walls of its notch turn their backs
  EXPECT_GT(legacy_mesh(ell()).mass, ell_by_hand().mass * (1 - 1e-12));
}

TEST(TriangleMesh, InsideOutWeighsLessThanNothing) {
  TriangleMesh mesh = ell();
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
  EXPECT_TRUE(check(mesh).oriented);
  EXPECT_NEAR(solid_mesh(mesh).mass, -3, 1e-13);
}

TEST(TriangleMesh, ChecksFindHolesAndCrowdedEdges) {
  TriangleMesh mesh = ell();
  mesh.triangles.pop_back();
  EXPECT_EQ(check(mesh).open_edges, 3);
  EXPECT_FALSE(is_watertight(mesh));
  mesh = ell();
  mesh.triangles.push_back(mesh.triangles[0]);
  EXPECT_EQ(check(mesh).crowded_edges, 3);
  EXPECT_FALSE(is_watertight(mesh));
  EXPECT_FALSE(is_watertight(TriangleMesh{}));
  EXPECT_EQ(solid_mesh(TriangleMesh{}).mass, 0);
}

TEST(TriangleMesh, WeldingClosesASoupOfTriangles) {
  const TriangleMesh whole = ell();
  TriangleMesh soup;
  Random random(2);
  for (const auto& t : whole.triangles) {
    const int n = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(whole.vertices[v] + random.in_cube(1e-7));
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  EXPECT_FALSE(is_watertight(soup));
  EXPECT_FALSE(is_watertight(welded(soup)));
  const TriangleMesh closed = welded(soup, 1e-6);
  EXPECT_EQ(closed.vertices.size(), 12U);
  EXPECT_TRUE(is_consistently_oriented(closed));
  expect_same(solid_mesh(closed), ell_by_hand(), 1e-6, 2);
}

RC_GTEST_PROP(TriangleMesh, IntegralsTurnAndMoveWithTheMesh, ()) {
  Random random(*rc::gen::arbitrary<unsigned>());
  const TriangleMesh mesh = convex_hull_mesh(random.points(30, 1));
  const Pose X = random.pose(10);
  TriangleMesh there = mesh;
  there.vertices = moved(mesh.vertices, X);
  expect_same(solid_mesh(there), transformed(solid_mesh(mesh), X), 1e-12, 1);
  expect_same(shell_mesh(there), transformed(shell_mesh(mesh), X), 1e-12, 1);
}

// Tetrahedra from an arbitrary vertex, each by its own textbook formula: an independent
// way to the same integrals.
RC_GTEST_PROP(TriangleMesh, IntegralsAreTheSumOfTetrahedra, ()) {
  Random random(*rc::gen::arbitrary<unsigned>());
  const TriangleMesh mesh = convex_hull_mesh(random.points(20, 1));
  const Vec3 apex = mesh.vertices[0];
  std::vector<MassProperties> parts;
  for (const auto& t : mesh.triangles) {
    const std::array<Vec3, 4> v{apex, mesh.vertices[t[0]], mesh.vertices[t[1]],
                                mesh.vertices[t[2]]};
    MassProperties part;
    part.mass = (v[1] - v[0]).dot((v[2] - v[0]).cross(v[3] - v[0])) / 6;
    if (part.mass == 0) continue;
    part.com = (v[0] + v[1] + v[2] + v[3]) / 4;
    // about its centroid a tetrahedron has a fifth of the spread of its corners
    Mat3 spread = Mat3::Zero();
    for (const Vec3& p : v) spread += part.mass / 20 * (p - part.com) * (p - part.com).transpose();
    part.inertia = spread.trace() * Mat3::Identity() - spread;
    parts.push_back(part);
  }
  expect_same(solid_mesh(mesh), combined(parts), 1e-12, 1);
}

TEST(TriangleMesh, MonteCarloAgrees) {
  Random random(7);
  const Polyhedron p = convex_hull(random.points(12, 1));
  const MassProperties exact = solid_polyhedron(p);
  const int samples = 400000;
  int inside = 0;
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < samples; ++i) {
    const Vec3 x = random.in_cube(1);
    bool in = true;
    for (int f = 0; f < p.face_count() && in; ++f) in = p.height_above(f, x) <= 0;
    if (!in) continue;
    ++inside;
    sum += x;
  }
  EXPECT_NEAR(8.0 * inside / samples, exact.mass, 0.03 * exact.mass);
  EXPECT_LT((sum / inside - exact.com).norm(), 0.01);
}

}  // namespace
}  // namespace abut
