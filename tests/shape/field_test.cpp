// Distance fields of meshes: the stated error against closed forms, the sign where there are holes, what is refused, and
// what a query costs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "abut/shape/error.h"
#include "abut/shape/field/field_cache.h"
#include "abut/shape/field/mesh_field.h"
#include "abut/shape/field/subdivide.h"
#include "abut/shape/primitives.h"
#include "tests/support/torus_mesh.h"

namespace abut {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TriangleMesh box_mesh(const Vec3& half) { return SurfaceMesh(box_polyhedron(half)).mesh(); }

double box_distance(const Vec3& x, const Vec3& half) {
  const Vec3 d = x.cwiseAbs() - half;
  return d.cwiseMax(0.0).norm() + std::min(d.maxCoeff(), 0.0);
}

// Points in a box somewhat larger than a solid's.
std::vector<Vec3> points_around(const Aabb& box, int count) {
  std::vector<Vec3> points;
  std::uint64_t seed = 12345;
  const auto next = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(seed >> 11) / 9007199254740992.0;
  };
  for (int i = 0; i < count; ++i) {
    const Vec3 part(next(), next(), next());
    points.push_back(box.center() + 1.08 * (part - Vec3::Constant(0.5)).cwiseProduct(box.extent()));
  }
  return points;
}

// Distances of the triangles are those of the closed form to `facets` (m), those of the field to its bound as well.
template <class Exact>
void expect_distances(const MeshField& made, double facets, const Exact& exact) {
  int near = 0;
  for (const Vec3& x : points_around(made.surface.box(), 4000)) {
    const double d = exact(x);
    ASSERT_NEAR(made.surface.distance(x), d, facets + 1e-12) << x.transpose();
    const double bound = std::max(made.error, 0.25 * std::abs(d));
    ASSERT_NEAR(made.field.value(x), d, 1.5 * bound + facets) << x.transpose();
    if (std::abs(d) > 2 * made.error) continue;
    ++near;
    ASSERT_NEAR(made.field.value(x), d, 1.5 * made.error + facets) << x.transpose();
  }
  EXPECT_GT(near, 30);
  EXPECT_LE(made.field.error(), made.error);
}

TEST(MeshField, OfABox) {
  const Vec3 half(0.3, 0.2, 0.05);
  for (const double error : {0.02, 0.005})
    expect_distances(make_mesh_field(box_mesh(half), {.error = error}), 0,
                     [&](const Vec3& x) { return box_distance(x, half); });
}

TEST(MeshField, OfABall) {
  const MeshField ball = make_mesh_field(SurfaceMesh(sphere_polyhedron(0.1)).mesh());
  expect_distances(ball, 5e-4, [](const Vec3& x) { return x.norm() - 0.1; });
}

TEST(MeshField, OfATorus) {
  const MeshField torus = make_mesh_field(test::torus_mesh(0.1, 0.03, 60, 30));
  expect_distances(torus, 4e-4, [](const Vec3& x) { return test::torus_distance(x, 0.1, 0.03); });
}

TEST(MeshField, SizeDoesNotMatter) {
  const MeshField small = make_mesh_field(test::torus_mesh(1e-4, 3e-5, 30, 15));
  const MeshField large = make_mesh_field(test::torus_mesh(1e3, 3e2, 30, 15));
  EXPECT_EQ(small.field.cells(), large.field.cells());
  EXPECT_NEAR(small.field.value({1e-4, 0, 0}) * 1e7, large.field.value({1e3, 0, 0}), 1e-6);
}

// A finer field has more cells and a smaller error, and the cost of a query is the depth of the tree.
TEST(MeshField, CostsItsDepthWhateverTheTriangles) {
  const auto visits_of = [](const MeshField& made) {
    long visits = 0;
    for (const Vec3& x : points_around(made.surface.box(), 1000)) made.field.value(x, &visits);
    EXPECT_LE(visits, 1000l * (made.field.depth() + 1));
    return static_cast<double>(visits) / 1000;
  };
  const MeshField coarse = make_mesh_field(test::torus_mesh(0.1, 0.03, 24, 12)),
                  fine = make_mesh_field(test::torus_mesh(0.1, 0.03, 120, 60));
  EXPECT_NEAR(visits_of(coarse), visits_of(fine), 1);
  const MeshField exact = make_mesh_field(test::torus_mesh(0.1, 0.03, 24, 12), {.error = 0.0025});
  EXPECT_GT(exact.field.cells(), 2 * coarse.field.cells());
  EXPECT_LT(exact.field.error(), coarse.field.error());
  // the tree of triangles: the logarithm of their number
  long few = 0, many = 0;
  for (const Vec3& x : points_around(coarse.surface.box(), 1000)) {
    coarse.surface.tree().nearest(coarse.surface.mesh(), x, kInfinite, &few);
    fine.surface.tree().nearest(fine.surface.mesh(), x, kInfinite, &many);
  }
  EXPECT_LT(many, 3 * few);  // of 25 times as many
}

TEST(MeshField, SmallHolesHaveASide) {
  TriangleMesh torus = test::torus_mesh(0.1, 0.03, 60, 30);
  for (const int t : {2500, 1700, 801, 10}) torus.triangles.erase(torus.triangles.begin() + t);
  const MeshField made = make_mesh_field(torus);
  EXPECT_FALSE(made.closed);
  for (const Vec3& x : points_around(made.surface.box(), 4000)) {
    const double d = test::torus_distance(x, 0.1, 0.03);
    if (std::abs(d) < 3 * made.error) continue;
    ASSERT_EQ(made.field.value(x) < 0, d < 0) << x.transpose();
    const SurfaceMesh::Place place = made.place(x, 0.01);
    if (place.near.triangle < 0) continue;
    ASSERT_EQ(place.distance < 0, d < 0) << x.transpose();
  }
}

TEST(MeshField, ComesFromTheDiskAsItWasMade) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("abut_fields_{}", ::getpid());
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before ? before : "";
  ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  const TriangleMesh torus = test::torus_mesh(0.1, 0.03, 24, 12);
  bool read = true;
  const MeshField first = cached_mesh_field(torus, {}, &read);
  EXPECT_FALSE(read);
  EXPECT_EQ(cached_mesh_field(torus, {}, &read).field.numbers(), first.field.numbers());
  EXPECT_TRUE(read);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "abut/fields"))
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 2);
  EXPECT_EQ(cached_mesh_field(torus, {}, &read).field.numbers(), first.field.numbers());
  EXPECT_FALSE(read);
  before ? ::setenv("XDG_CACHE_HOME", kept.c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
  std::filesystem::remove_all(folder);
}

TEST(MeshField, RefusesWhatHasNoInside) {
  const TriangleMesh torus = test::torus_mesh(0.1, 0.03, 24, 12);
  EXPECT_EQ(why_no_field(torus), "");
  TriangleMesh half = torus;
  half.triangles.resize(half.triangles.size() / 2);
  EXPECT_NE(why_no_field(half).find("not closed"), std::string::npos);
  TriangleMesh bowl = box_mesh({1, 1, 1});
  bowl.triangles.erase(bowl.triangles.begin(), bowl.triangles.begin() + 2);
  EXPECT_NE(why_no_field(bowl).find("a hole is 2.83 m across"), std::string::npos);
  EXPECT_NE(why_no_field({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}).find("not closed"),
            std::string::npos);
  TriangleMesh inwards = torus;
  for (std::array<int, 3>& t : inwards.triangles) std::swap(t[1], t[2]);
  EXPECT_EQ(why_no_field(inwards), "its faces point inwards");
  TriangleMesh mixed = torus;
  std::swap(mixed.triangles[7][1], mixed.triangles[7][2]);
  EXPECT_EQ(why_no_field(mixed), "its faces are turned in and out");
  TriangleMesh twice = torus;
  for (const Vec3& v : torus.vertices) twice.vertices.push_back(v + Vec3(0.05, 0.01, 0.003));
  const int n = static_cast<int>(torus.vertices.size());
  for (const auto& [a, b, c] : torus.triangles) twice.triangles.push_back({a + n, b + n, c + n});
  EXPECT_NE(why_no_field(twice).find("cuts itself"), std::string::npos);
  EXPECT_THROW(make_mesh_field(twice), ShapeError);
}

TEST(Subdivided, KeepsTheSolidAndTheSeams) {
  const TriangleMesh box = box_mesh({1, 0.5, 0.02});
  const TriangleMesh fine = subdivided(box, 0.01);
  EXPECT_TRUE(check(fine).oriented);
  EXPECT_NEAR(solid_mesh(fine).mass, solid_mesh(box).mass, 1e-12);
  for (int t = 0; t < static_cast<int>(fine.triangles.size()); ++t) {
    const std::array<Vec3, 3> p = corners_of(fine, t);
    EXPECT_LE((p[1] - p[0]).cross(p[2] - p[0]).norm() / 2, 0.01);
  }
  EXPECT_THROW(subdivided(box, 1e-9, 1000), ShapeError);
}

TEST(TriangleTree, FindsThePairsThatBruteForceFinds) {
  const TriangleMesh a = test::torus_mesh(0.1, 0.03, 20, 10),
                     b = test::torus_mesh(0.08, 0.02, 18, 9);
  const Transform X(Eigen::AngleAxisd(1.2, Vec3(1, 2, 3).normalized()).toRotationMatrix(),
                    {0.07, 0.03, 0.02});
  const TriangleTree tree_a(a), tree_b(b);
  std::vector<std::pair<int, int>> pairs;
  tree_a.pairs(tree_b, X, 0.002, pairs);
  std::sort(pairs.begin(), pairs.end());
  EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
  for (int s = 0; s < static_cast<int>(a.triangles.size()); ++s)
    for (int t = 0; t < static_cast<int>(b.triangles.size()); ++t) {
      // corners of one near the other
      const std::array<Vec3, 3> p = corners_of(a, s);
      bool near = false;
      for (const Vec3& q : corners_of(b, t))
        near = near || (X * q - nearest_on_triangle(p, X * q).p).norm() < 0.002;
      EXPECT_TRUE(!near || std::binary_search(pairs.begin(), pairs.end(), std::pair(s, t)));
    }
}

TEST(TriangleTree, WindsAroundWhatIsInside) {
  const TriangleMesh mesh = test::torus_mesh(0.1, 0.03, 60, 30);
  const TriangleTree tree(mesh);
  for (const Vec3& x : points_around(aabb(std::span(mesh.vertices)), 500)) {
    const double d = test::torus_distance(x, 0.1, 0.03);
    if (std::abs(d) < 1e-3) continue;
    EXPECT_NEAR(tree.winding(mesh, x), d < 0 ? 1 : 0, 0.1);
  }
}

}  // namespace
}  // namespace abut
