// Meshes that MJCF makes of a word and some numbers: counts of MuJoCo's manual, volumes, symmetry.
#include "abut/load/mesh/builtin_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "abut/load/load.h"
#include "abut/shape/hull.h"

namespace abut {
namespace {

using std::numbers::pi;

TriangleMesh made(const std::string& name, const std::string& params) {
  const World w = parse_mjcf("<mujoco><asset><mesh name='m' builtin='" + name + "' params='" +
                             params + "'/></asset></mujoco>");
  return {w.meshes.at(0).vertices, w.meshes[0].faces};
}

// Of the body whose only geom is the mesh.
double mass(const std::string& name, const std::string& params) {
  const World w =
      parse_mjcf("<mujoco><asset><mesh name='m' builtin='" + name + "' params='" + params +
                 "' scale='1 1 2' inertia='exact'/></asset><worldbody><body><freejoint/>"
                 "<geom type='mesh' mesh='m' density='1'/></body></worldbody></mujoco>");
  return compile(w).links.at(0).mass.mass;
}

TEST(BuiltinMesh, HasTheVerticesOfTheManual) {
  for (const int s : {0, 1, 2, 4}) {
    const TriangleMesh sphere = made("sphere", std::to_string(s));
    EXPECT_EQ(sphere.vertices.size(), 2u + 10u * static_cast<unsigned>(std::pow(4, s)));
    for (const Vec3& p : sphere.vertices) EXPECT_NEAR(p.norm(), 1, 1e-15);
  }
  for (const int r : {0, 3, 10}) {
    const TriangleMesh half = made("hemisphere", std::to_string(r));
    // the manual counts the middle of the cap too
    EXPECT_EQ(static_cast<int>(half.vertices.size()), 1 + 2 * (r + 1) * (r + 2));
    int equator = 0;
    for (const Vec3& p : half.vertices) {
      EXPECT_NEAR(p.norm(), 1, 1e-15);
      equator += p.z() == 0;
    }
    EXPECT_EQ(equator, 4 * (r + 1));
  }
}

TEST(BuiltinMesh, HasTheVolumeOfItsShape) {
  constexpr double kFloat = 1e-6;  // as in MuJoCo, a model's vertices are rounded to floats
  const double hexagon = 1.5 * std::sqrt(3.0);
  EXPECT_NEAR(mass("cone", "6 1"), 4 * hexagon, kFloat);
  EXPECT_NEAR(mass("cone", "6 0"), 4 * hexagon / 3, kFloat);
  EXPECT_NEAR(mass("cone", "6 0.5"), 4 * hexagon / 3 * 1.75, kFloat);
  EXPECT_NEAR(mass("supersphere", "60 1 1"), 8 * pi / 3, 0.05);
  EXPECT_NEAR(mass("supersphere", "60 2 2"), 2 * 4.0 / 3, kFloat);  // an octahedron
  EXPECT_NEAR(mass("supertorus", "90 0.5 1 1"), 2 * 2 * pi * pi * 0.25, 0.05);
}

TEST(BuiltinMesh, IsClosedAndTurnedOutwards) {
  for (const auto& [name, params] :
       {std::pair{"supersphere", "9 0.3 1.5"}, std::pair{"supersphere", "12 1 1"},
        std::pair{"supertorus", "12 0.4 1 1"}, std::pair{"supertorus", "12 1 0.5 2"}}) {
    const TriangleMesh mesh = made(name, params);
    EXPECT_TRUE(check(mesh).oriented) << name << " " << params;
    EXPECT_GT(solid_mesh(mesh).mass, 0) << name << " " << params;
  }
}

}  // namespace
}  // namespace abut
