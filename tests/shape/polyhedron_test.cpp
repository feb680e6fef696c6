#include "abut/shape/polyhedron.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "abut/shape/error.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "testing.h"

namespace abut {
namespace {

using testing::expect_same;
using ::testing::HasSubstr;
using testing::Random;

TEST(Polyhedron, ABoxByHand) {
  const Polyhedron p = box_polyhedron({1, 2, 3});
  EXPECT_EQ(validate(p), "");
  EXPECT_EQ(p.vertex_count(), 8);
  EXPECT_EQ(p.edge_count(), 12);
  EXPECT_EQ(p.face_count(), 6);
  EXPECT_EQ(p.center, Vec3::Zero());
  EXPECT_DOUBLE_EQ(p.size, 2 * std::sqrt(14));
  for (int f = 0; f < 6; ++f) {
    EXPECT_EQ(p.faces[f].eta.cwiseAbs().maxCoeff(), 1);
    EXPECT_EQ(p.faces[f].offset, p.faces[f].eta.cwiseAbs().dot(Vec3(1, 2, 3)));
  }
}

TEST(Polyhedron, RingsRunCounterClockwise) {
  const Polyhedron p = convex_hull(Random(1).points(60, 1));
  for (int v = 0; v < p.vertex_count(); ++v) {
    const auto ring = p.neighbours(v);
    const Vec3 out = p.vertices[v] - p.center;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Vec3 a = p.vertices[ring[k]] - p.vertices[v];
      const Vec3 b = p.vertices[ring[(k + 1) % ring.size()]] - p.vertices[v];
      // the face between two neighbouring edges has their cross product as its normal
      EXPECT_GT(a.cross(b).dot(p.faces[p.faces_around(v)[k]].eta), 0);
      EXPECT_GT(p.faces[p.faces_around(v)[k]].eta.dot(out), 0);
    }
  }
}

TEST(Polyhedron, LoopsThatDoNotCloseAreRefused) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto error = [&](const std::vector<std::vector<int>>& loops) -> std::string {
    try {
      make_polyhedron(corners, loops);
    } catch (const ShapeError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}), "");
  EXPECT_THAT(error({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}}), HasSubstr("one side only"));
  EXPECT_THAT(error({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}}), HasSubstr("inside out"));
  EXPECT_THAT(error({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3}}), HasSubstr("face 3 has 2 corners"));
  EXPECT_THAT(error({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 4}}), HasSubstr("vertex 4 of 4"));
}

TEST(Polyhedron, ValidateSaysWhatIsWrong) {
  const Polyhedron good = box_polyhedron({1, 1, 1});
  Polyhedron bad = good;
  bad.vertices[0] *= 0.5;  // a dent
  EXPECT_THAT(validate(bad), HasSubstr("off its face"));
  bad = good;
  std::swap(bad.edges[0].f1, bad.edges[0].f2);
  EXPECT_THAT(validate(bad), HasSubstr("edge 0"));
  bad = good;
  bad.edges.pop_back();
  EXPECT_THAT(validate(bad), HasSubstr("Euler's formula fails: 8 vertices - 11 edges + 6 faces"));
  bad = good;
  std::swap(bad.vertex_neighbours[0], bad.vertex_neighbours[1]);
  EXPECT_THAT(validate(bad), HasSubstr("neighbour 0 of vertex 0"));
  bad = good;
  std::swap(bad.borders[0], bad.borders[1]);
  EXPECT_THAT(validate(bad), HasSubstr("border 0 of face 0"));
  bad = good;
  std::swap(bad.edge_borders[0], bad.edge_borders[1]);
  EXPECT_THAT(validate(bad), HasSubstr("border 0 of face 0"));
  bad = good;
  bad.spokes[4] *= 1.5;
  EXPECT_THAT(validate(bad), HasSubstr("spoke 1 of vertex 1"));
  bad = good;
  bad.vertices[3].x() = std::nan("");
  EXPECT_THAT(validate(bad), HasSubstr("vertex 3 is not finite"));
  EXPECT_THAT(validate(Polyhedron{}), HasSubstr("at least 4"));
  // an inside-out box is closed, but not convex
  std::vector<std::vector<int>> loops;
  for (int f = 0; f < 6; ++f)
    loops.emplace_back(good.face_loop(f).rbegin(), good.face_loop(f).rend());
  EXPECT_THAT(validate(make_polyhedron(good.vertices, loops)), HasSubstr("not convex"));
}

TEST(Polyhedron, MovesAsAWhole) {
  Random random(2);
  const Polyhedron p = convex_hull(random.points(50, 1));
  const Pose X = random.pose(3);
  const Polyhedron q = transformed(p, X);
  EXPECT_EQ(validate(q), "");
  EXPECT_LT((q.center - X * p.center).norm(), 1e-14);
  expect_same(solid_polyhedron(q), transformed(solid_polyhedron(p), X), 1e-13, 1);
}

// Directions that matter: random ones, face normals (a plateau each), edge normals, axes.
std::vector<Vec3> probing_directions(const Polyhedron& p, Random& random) {
  std::vector<Vec3> out{Vec3::UnitX(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ(), Vec3::Zero()};
  for (int i = 0; i < 100; ++i)
    out.push_back(random.direction() * std::pow(10, random.uniform(-3, 3)));
  for (const Polyhedron::Face& f : p.faces) out.push_back(f.eta);
  for (const Polyhedron::Edge& e : p.edges) out.push_back(p.faces[e.f1].eta + p.faces[e.f2].eta);
  // a hair off a face normal: the plateau is nearly flat
  for (const Polyhedron::Face& f : p.faces)
    out.push_back(f.eta + std::pow(10, random.uniform(-17, -5)) * random.direction());
  return out;
}

// Not only the same height: the same vertex, from any start.
void expect_support_is_brute_force(const Polyhedron& p, Random& random, int starts = 3) {
  int hint = 0;
  for (const Vec3& d : probing_directions(p, random)) {
    const int expected = support_brute_force(p, d);
    for (int i = 0; i < starts; ++i) {
      ASSERT_EQ(support(p, d, hint), expected) << "direction " << d.transpose();
      hint = static_cast<int>(random.uniform(0, p.vertex_count()));
    }
    hint = expected;
  }
  EXPECT_EQ(support(p, Vec3::UnitX(), -1), support(p, Vec3::UnitX(), p.vertex_count()));
}

TEST(Polyhedron, SupportIsBruteForceOnRoundAndFlatShapes) {
  Random random(3);
  for (const Polyhedron& p :
       {box_polyhedron({1, 2, 3}), cylinder_polyhedron(1, 0.5), cylinder_polyhedron(1, 0.5, 1e-4),
        sphere_polyhedron(1, 1e-2), capsule_polyhedron(0.1, 2, 1e-2),
        ellipsoid_polyhedron({3, 1, 0.1}, 1e-2)}) {
    expect_support_is_brute_force(p, random);
    expect_support_is_brute_force(transformed(p, random.pose(3)), random);
  }
}

RC_GTEST_PROP(Polyhedron, SupportIsBruteForceOnRandomHulls, ()) {
  Random random(*rc::gen::arbitrary<unsigned>());
  std::vector<Vec3> points;
  for (int i = 0; i < 120; ++i) points.push_back(random.direction());
  // lids that are flat but for their last digits, with clusters of near twins
  for (int i = 0; i < 40; ++i) {
    const double a = random.uniform(0, 6.3);
    points.emplace_back(std::cos(a), std::sin(a), 0.9 + random.uniform(0, 1e-10));
    points.push_back(points.back() + 1e-6 * random.direction());
  }
  expect_support_is_brute_force(convex_hull(points), random, 2);
}

TEST(Polyhedron, SupportFarFromTheOrigin) {
  Random random(4);
  const Polyhedron p =
      transformed(cylinder_polyhedron(0.5, 0.5), {{1e4, 2e3, -5e3}, random.rotation()});
  expect_support_is_brute_force(p, random);
}

}  // namespace
}  // namespace abut
