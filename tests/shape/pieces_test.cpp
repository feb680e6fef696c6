// Meshes in convex pieces: exact where the mesh is made of convex parts, within the error elsewhere;
// what is no solid is refused; the cache gives the same bits.
#include "abut/shape/pieces/pieces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "abut/math/index.h"
#include "abut/shape/error.h"
#include "abut/shape/mass_properties.h"
#include "abut/shape/pieces/pieces_cache.h"
#include "abut/shape/pieces/solid_surface.h"
#include "abut/shape/primitives.h"

namespace abut {
namespace {

// A profile in (x, z), counter-clockwise and visible as a whole from its first corner, extruded from
// y = -0.5 to 0.5.
TriangleMesh extruded(const std::vector<Vec2>& profile) {
  TriangleMesh mesh;
  const int n = static_cast<int>(profile.size());
  for (const double y : {-0.5, 0.5})
    for (const Vec2& p : profile) mesh.vertices.emplace_back(p.x(), y, p.y());
  for (int i = 1; i + 1 < n; ++i) {
    mesh.triangles.push_back({0, i, i + 1});
    mesh.triangles.push_back({n, n + i + 1, n + i});
  }
  for (int i = 0; i < n; ++i) {
    const int k = (i + 1) % n;
    mesh.triangles.push_back({i, i + n, k + n});
    mesh.triangles.push_back({i, k + n, k});
  }
  return mesh;
}

TriangleMesh notched() {
  return extruded({{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}});
}

TriangleMesh torus(double ring, double tube, int n, int m) {
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const double a = 2 * std::numbers::pi * i / n, b = 2 * std::numbers::pi * j / m;
      const double r = ring + tube * std::cos(b);
      mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), tube * std::sin(b));
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const int a = i * m + j, b = (i + 1) % n * m + j;
      const int c = (i + 1) % n * m + (j + 1) % m, d = i * m + (j + 1) % m;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

void append(TriangleMesh& to, const TriangleMesh& mesh, const Vec3& shift) {
  const int first = static_cast<int>(to.vertices.size());
  for (const Vec3& v : mesh.vertices) to.vertices.push_back(v + shift);
  for (const auto& [a, b, c] : mesh.triangles)
    to.triangles.push_back({a + first, b + first, c + first});
}

double volume(const Pieces& pieces) {
  double sum = 0;
  for (const Polyhedron& p : pieces.solids) sum += solid_polyhedron(p).mass;
  return sum;
}

bool holds(const Pieces& pieces, const Vec3& x, double tolerance) {
  for (const Polyhedron& p : pieces.solids) {
    bool inside = true;
    for (int f = 0; f < p.face_count(); ++f) inside = inside && p.height_above(f, x) <= tolerance;
    if (inside) return true;
  }
  return false;
}

TEST(Pieces, AnLIsTwoBoxes) {
  const Pieces pieces = cut_into_pieces(notched());
  EXPECT_EQ(pieces.solids.size(), 2u);
  EXPECT_LT(pieces.error, 1e-12);
  EXPECT_NEAR(volume(pieces), 0.64, 1e-12);
}

TEST(Pieces, AStairIsExact) {
  // five steps of 1 x 1
  const std::vector<Vec2> profile{{0, 0}, {5, 0}, {5, 1}, {4, 1}, {4, 2}, {3, 2},
                                  {3, 3}, {2, 3}, {2, 4}, {1, 4}, {1, 5}, {0, 5}};
  const Pieces pieces = cut_into_pieces(extruded(profile), {.error = 1e-6});
  EXPECT_LT(pieces.error, 1e-12);
  EXPECT_NEAR(volume(pieces), 15, 1e-11);
  EXPECT_LE(pieces.solids.size(), 8u);
}

TEST(Pieces, AConvexMeshIsOnePiece) {
  const Pieces pieces = cut_into_pieces(triangulated(sphere_polyhedron(1)));
  EXPECT_EQ(pieces.solids.size(), 1u);
  EXPECT_LT(pieces.error, 1e-9);
}

// Disjoint interiors: the volumes add up to what the mesh has and the error fills; and no point of the
// solid is left out.
TEST(Pieces, ATorusKeepsItsHole) {
  const TriangleMesh mesh = torus(1, 0.3, 16, 8);
  const double size = aabb(mesh).extent().norm();
  const Pieces pieces = cut_into_pieces(mesh, {.error = 0.02});
  EXPECT_LE(pieces.error, 0.02 * size);
  EXPECT_LT(pieces.solids.size(), 40u);
  EXPECT_GE(volume(pieces), solid_mesh(mesh).mass * (1 - 1e-9));
  EXPECT_LE(volume(pieces), solid_mesh(mesh).mass * 1.1);
  const SurfacePart surface = surface_of(mesh);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 x(1.4 * std::sin(1.1 * i), 1.4 * std::sin(1.7 * i + 1),
                 0.35 * std::sin(2.3 * i + 2));
    const bool is_inside = winding(mesh, x) > 0.5;
    EXPECT_TRUE(!is_inside || holds(pieces, x, 1e-9)) << x.transpose();
    if (is_inside || distance(surface, x) < 1.5 * pieces.error) continue;
    EXPECT_FALSE(holds(pieces, x, -1e-9)) << x.transpose();
  }
}

TEST(Pieces, ComponentsArePieces) {
  TriangleMesh mesh = triangulated(box_polyhedron({1, 1, 1}));
  append(mesh, triangulated(box_polyhedron({1, 1, 1})), {3, 0, 0});
  append(mesh, notched(), {0, 5, 0});
  const Pieces pieces = cut_into_pieces(mesh);
  EXPECT_EQ(pieces.solids.size(), 4u);
  EXPECT_NEAR(volume(pieces), 16.64, 1e-11);
}

TEST(Pieces, CuttingEndsAtTheMostPieces) {
  const Pieces pieces = cut_into_pieces(torus(1, 0.3, 12, 6), {.error = 1e-6, .most = 5});
  EXPECT_EQ(pieces.solids.size(), 5u);
  EXPECT_GT(pieces.error, 1e-3);  // and says what it has reached
}

std::string refusal(const TriangleMesh& mesh) {
  try {
    cut_into_pieces(mesh);
  } catch (const ShapeError& error) {
    return error.what();
  }
  return "";
}

TEST(Pieces, WhatIsNoSolidIsRefused) {
  TriangleMesh open = notched();
  open.triangles.pop_back();
  EXPECT_EQ(refusal(open), "it is not closed: 3 edges have a face on one side only");
  TriangleMesh turned = notched();
  std::swap(turned.triangles[3][0], turned.triangles[3][1]);
  EXPECT_EQ(refusal(turned), "its faces are turned in and out");
  TriangleMesh inside_out = notched();
  for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(refusal(inside_out), "its faces point inwards");
  TriangleMesh crossing = notched();
  crossing.vertices[3] = {-0.5, -0.5, -0.4};  // the notch's corner is pulled through the other side
  EXPECT_NE(refusal(crossing).find("it cuts itself, near"), std::string::npos);
}

class PiecesCache : public testing::Test {
 protected:
  PiecesCache() {
    const char* known = std::getenv("XDG_CACHE_HOME");
    if (known) before_ = known;
    folder_ = std::filesystem::temp_directory_path() /
              ("abut_pieces_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
               "_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~PiecesCache() override {
    if (before_.empty())
      unsetenv("XDG_CACHE_HOME");
    else
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  std::filesystem::path only_file() const {
    return std::filesystem::directory_iterator(folder_ / "abut" / "pieces")->path();
  }
  std::string before_;
  std::filesystem::path folder_;
};

void expect_same(const Pieces& a, const Pieces& b) {
  EXPECT_EQ(a.error, b.error);
  ASSERT_EQ(a.solids.size(), b.solids.size());
  for (std::size_t i = 0; i < a.solids.size(); ++i)
    EXPECT_EQ(a.solids[i].vertices, b.solids[i].vertices);
}

TEST_F(PiecesCache, ReadsWhatItWrote) {
  bool read = true;
  const Pieces first = cached_pieces(torus(1, 0.3, 12, 6), {}, &read);
  EXPECT_FALSE(read);
  expect_same(cached_pieces(torus(1, 0.3, 12, 6), {}, &read), first);
  EXPECT_TRUE(read);
  cached_pieces(torus(1, 0.31, 12, 6), {}, &read);
  EXPECT_FALSE(read);  // another mesh
}

TEST_F(PiecesCache, IgnoresDamagedFiles) {
  bool read = true;
  const Pieces first = cached_pieces(notched(), {}, &read);
  const auto size = std::filesystem::file_size(only_file());
  std::fstream(only_file(), std::ios::in | std::ios::out | std::ios::binary).seekp(60).put('x');
  expect_same(cached_pieces(notched(), {}, &read), first);
  EXPECT_FALSE(read);
  std::filesystem::resize_file(only_file(), size / 2);
  expect_same(cached_pieces(notched(), {}, &read), first);
  EXPECT_FALSE(read);
  expect_same(cached_pieces(notched(), {}, &read), first);
  EXPECT_TRUE(read);  // it was written anew
}

}  // namespace
}  // namespace abut
