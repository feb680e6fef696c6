#include "abut/shape/hull.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>

#include "abut/shape/error.h"
#include "abut/shape/primitives.h"
#include "testing.h"

namespace abut {
namespace {

using ::testing::HasSubstr;
using testing::moved;
using testing::Random;

std::vector<Vec3> grid(int n, double half) {
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        out.push_back(half * (2.0 / (n - 1) * Vec3(i, j, k) - Vec3::Ones()));
  return out;
}

// Points on the rims and, in rings, on the two caps and the side of an n-sided prism.
std::vector<Vec3> crowded_prism(int sides, double r, double h) {
  std::vector<Vec3> out;
  for (int ring = 1; ring <= 4; ++ring) {
    for (int k = 0; k < sides; ++k) {
      const double a = 2 * std::numbers::pi * k / sides, rho = r * ring / 4;
      for (const double z : {-h, -h / 3, h / 3, h})
        out.emplace_back(rho * std::cos(a), rho * std::sin(a), z);
    }
  }
  return out;
}

void expect_counts(const Polyhedron& p, int v, int e, int f) {
  EXPECT_EQ(p.vertex_count(), v);
  EXPECT_EQ(p.edge_count(), e);
  EXPECT_EQ(p.face_count(), f);
}

// Everything a hull promises, by brute force, over all faces and all points.
void expect_hull(const Polyhedron& p, std::span<const Vec3> points, double tolerance = 1e-8) {
  EXPECT_EQ(validate(p), "");
  EXPECT_EQ(euler_characteristic(p), 2);
  const double slack = tolerance * p.size + 1e-14 * p.center.norm();
  for (int f = 0; f < p.face_count(); ++f) {
    double highest = -1;
    for (const Vec3& q : points) highest = std::max(highest, p.height_above(f, q));
    EXPECT_LE(highest, slack) << "face " << f;
  }
  for (const Polyhedron::Edge& e : p.edges) {
    const Vec3 along = p.vertices[e.head] - p.vertices[e.tail];
    // the direction of a shorter edge is lost in what faces may be off their planes
    if (along.norm() < 1e-6 * p.size) continue;
    const auto centroid = [&](int f) {
      Vec3 sum = Vec3::Zero();
      for (const int v : p.face_loop(f)) sum += p.vertices[v] - p.vertices[e.tail];
      return Vec3(sum / static_cast<double>(p.face_loop(f).size()));
    };
    EXPECT_GT(p.faces[e.f1].eta.cross(along).dot(centroid(e.f1)), 0);
    EXPECT_GT(along.cross(p.faces[e.f2].eta).dot(centroid(e.f2)), 0);
  }
}

TEST(Hull, ACubeIsACubeWhateverItCameFrom) {
  const Polyhedron p = convex_hull(grid(5, 0.5));
  expect_counts(p, 8, 12, 6);
  expect_hull(p, grid(5, 0.5));
  expect_counts(convex_hull(grid(2, 0.5)), 8, 12, 6);
}

TEST(Hull, APrismKeepsNoPointThatIsNoCorner) {
  for (const int sides : {3, 5, 6, 12, 64, 400}) {
    const auto points = crowded_prism(sides, 0.4, 1.3);
    const Polyhedron p = convex_hull(points);
    expect_counts(p, 2 * sides, 3 * sides, sides + 2);
    expect_hull(p, points);
  }
}

TEST(Hull, SizesPlacesAndRotations) {
  Random random(1);
  for (const double size : {1e-3, 1.0, 1e3}) {
    for (const double offset : {0.0, 1.0, 1e4}) {
      for (int i = 0; i < 5; ++i) {
        const Pose X{offset * random.direction(), random.rotation()};
        SCOPED_TRACE(::testing::Message() << "size " << size << " offset " << offset);
        const auto cube = moved(grid(5, size), X);
        expect_counts(convex_hull(cube), 8, 12, 6);
        const auto prism = moved(crowded_prism(16, size, 0.3 * size), X);
        expect_counts(convex_hull(prism), 32, 48, 18);
        expect_hull(convex_hull(prism), prism, 1e-7);
      }
    }
  }
}

TEST(Hull, ThinPlatesAndNeedlesAreSolids) {
  for (const Vec3& half :
       {Vec3(1, 1, 1e-6), Vec3(1, 1e-6, 1e-6), Vec3(1, 1, 1e-8), Vec3(1e3, 1e-4, 2)}) {
    std::vector<Vec3> points;
    for (const Vec3& p : grid(3, 1)) points.push_back(half.cwiseProduct(p));
    const Polyhedron p = convex_hull(points);
    expect_counts(p, 8, 12, 6);
    EXPECT_NEAR(solid_polyhedron(p).mass / (8 * half.prod()), 1, 1e-12);
  }
}

TEST(Hull, ThousandsOfPointsOnASphere) {
  Random random(2);
  std::vector<Vec3> points;
  for (int i = 0; i < 5000; ++i) points.push_back(random.direction());
  const Polyhedron p = convex_hull(points);
  EXPECT_EQ(p.vertex_count(), 5000);
  EXPECT_EQ(validate(p), "");
}

TEST(Hull, TessellationsComeBackAsTheyAre) {
  for (const Polyhedron& p : {sphere_polyhedron(1), capsule_polyhedron(0.2, 1),
                              cylinder_polyhedron(0.01, 2), ellipsoid_polyhedron({1, 0.2, 3})}) {
    const Polyhedron q = convex_hull(p.vertices);
    expect_counts(q, p.vertex_count(), p.edge_count(), p.face_count());
  }
}

TEST(Hull, SliversAndNearDuplicates) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    auto points = random.points(30, 1);
    // twins at every distance from the coplanarity tolerance's far side to this
    for (int i = 0; i < 30; ++i)
      points.push_back(points[i] + std::pow(10, random.uniform(-16, -3)) * random.direction());
    // nearly coplanar lids
    for (int i = 0; i < 40; ++i)
      points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1),
                          2 + std::pow(10, random.uniform(-16, -3)));
    expect_hull(convex_hull(points), points, 1e-6);
  }
}

RC_GTEST_PROP(Hull, RandomPoints, ()) {
  Random random(*rc::gen::arbitrary<unsigned>());
  const int count = *rc::gen::inRange(4, 80);
  const auto points = random.points(count, 1);
  expect_hull(convex_hull(points), points);
}

// A lattice has coplanar, collinear and duplicate points in plenty.
RC_GTEST_PROP(Hull, RandomLatticePoints, ()) {
  const auto raw = *rc::gen::container<std::vector<std::array<int, 3>>>(
      60, rc::gen::container<std::array<int, 3>>(rc::gen::inRange(0, 4)));
  std::vector<Vec3> points;
  for (const auto& p : raw) points.emplace_back(p[0], p[1], p[2]);
  for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
    points.push_back(corner);
  expect_hull(convex_hull(points), points);
}

RC_GTEST_PROP(Hull, DoesNotDependOnTheOrderOfThePoints, ()) {
  Random random(*rc::gen::arbitrary<unsigned>());
  auto points = random.points(40, 1);
  for (const Vec3& p : grid(3, 0.9)) points.push_back(p);
  const Polyhedron a = convex_hull(points);
  std::shuffle(points.begin(), points.end(), random.engine());
  const Polyhedron b = convex_hull(points);
  RC_ASSERT(a.vertices == b.vertices);
  RC_ASSERT(a.face_vertices == b.face_vertices);
  RC_ASSERT(a.vertex_neighbours == b.vertex_neighbours);
}

TEST(Hull, DoesNotDependOnThePlace) {
  const auto points = Random(4).points(200, 1);
  const Polyhedron a = convex_hull(points);
  for (const Vec3& d : {Vec3(1e4, -1e4, 3), Vec3(0.1, 0.2, 0.3)}) {
    const Polyhedron b = convex_hull(moved(points, {d, Quat::Identity()}));
    EXPECT_EQ(a.face_vertices, b.face_vertices);
    for (int v = 0; v < a.vertex_count(); ++v)
      EXPECT_LT((a.vertices[v] + d - b.vertices[v]).norm(), 1e-11);
  }
}

TEST(Hull, MeshIsClosedAndWeighsTheSame) {
  const auto points = Random(5).points(50, 1);
  const TriangleMesh mesh = convex_hull_mesh(points);
  EXPECT_TRUE(is_consistently_oriented(mesh));
  EXPECT_GT(solid_mesh(mesh).mass, 0);
  EXPECT_EQ(static_cast<int>(mesh.triangles.size()),
            2 * static_cast<int>(mesh.vertices.size()) - 4);
}

TEST(Hull, IsSilentAndReentrant) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  std::vector<Polyhedron> hulls(8);
  const auto points = crowded_prism(50, 1, 1);
  std::vector<std::thread> threads;
  for (Polyhedron& hull : hulls) threads.emplace_back([&] { hull = convex_hull(points); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  for (const Polyhedron& hull : hulls) EXPECT_EQ(hull.face_vertices, hulls[0].face_vertices);
}

std::string error_of(const std::vector<Vec3>& points) {
  try {
    convex_hull(points);
  } catch (const ShapeError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Hull, DegenerateInputIsAClearError) {
  EXPECT_THAT(error_of({}), HasSubstr("at least 4 points, got 0"));
  EXPECT_THAT(error_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), HasSubstr("at least 4 points, got 3"));
  EXPECT_THAT(error_of(std::vector<Vec3>(7, Vec3(1, 2, 3))),
              HasSubstr("all 7 points of a convex hull are the same, (1, 2, 3) m"));
  std::vector<Vec3> line, plane;
  for (int i = 0; i < 9; ++i) line.push_back(Vec3(0.1, 0.2, 0.3) * i);
  for (int i = 0; i < 9; ++i) plane.emplace_back(i % 3, i / 3, 0.25 * i);
  EXPECT_THAT(error_of(line), HasSubstr("lie on a line"));
  plane.clear();
  for (int i = 0; i < 9; ++i) plane.emplace_back(i % 3, i / 3, 0.1 * (i % 3) + 0.7 * (i / 3));
  EXPECT_THAT(error_of(plane), AllOf(HasSubstr("lie in a plane"), HasSubstr("thicker than")));
  EXPECT_THAT(error_of(moved(plane, {{1e4, 0, 0}, Quat::Identity()})), HasSubstr("lie in a plane"));
  // three distinct points, one of them twice
  EXPECT_THAT(error_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}}),
              HasSubstr("the 3 distinct points"));
  auto points = grid(2, 1);
  points[5].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(error_of(points), AllOf(HasSubstr("point 5"), HasSubstr("finite")));
  points[5].y() = std::numeric_limits<double>::infinity();
  EXPECT_THAT(error_of(points), AllOf(HasSubstr("point 5"), HasSubstr("inf")));
}

}  // namespace
}  // namespace abut
