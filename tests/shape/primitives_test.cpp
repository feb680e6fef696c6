#include "abut/shape/primitives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/shape/error.h"
#include "testing.h"

namespace abut {
namespace {

// How far inside the true surface the polyhedron's faces come, at most, when depth(x) is
// how far inside the point x is. Vertices must be on the surface.
template <typename Depth>
double deepest_face(const Polyhedron& p, Depth depth) {
  EXPECT_EQ(validate(p), "");
  double worst = 0;
  for (const Vec3& v : p.vertices) EXPECT_NEAR(depth(v), 0, 1e-14);
  for (int f = 0; f < p.face_count(); ++f) {
    Vec3 mean = Vec3::Zero();
    for (const int v : p.face_loop(f))
      mean += p.vertices[v] / static_cast<double>(p.face_loop(f).size());
    worst = std::max(worst, depth(mean));
  }
  return worst;
}

TEST(Primitives, SphereIsWithinItsTolerance) {
  for (const double tolerance : {0.3, 1e-1, 1e-2, 1e-3}) {
    const auto depth = [](const Vec3& x) { return 1 - x.norm(); };
    const double worst = deepest_face(sphere_polyhedron(1, tolerance), depth);
    EXPECT_LE(worst, tolerance);
    EXPECT_GE(worst, 0.2 * tolerance) << "too fine: wasted vertices";
  }
}

TEST(Primitives, CylinderAndCapsuleAreWithinTheirTolerance) {
  const double r = 0.4, h = 0.7;
  const auto tube = [&](const Vec3& x) {
    return std::min(r - x.head<2>().norm(), h - std::abs(x.z())) / r;
  };
  EXPECT_LE(deepest_face(cylinder_polyhedron(r, h, 1e-3), tube), 1e-3);
  const auto pill = [&](const Vec3& x) {
    const Vec3 axis(0, 0, std::clamp(x.z(), -h, h));
    return (r - (x - axis).norm()) / r;
  };
  EXPECT_LE(deepest_face(capsule_polyhedron(r, h, 1e-3), pill), 1e-3);
}

TEST(Primitives, ExtentsAreThoseOfTheTrueShape) {
  const auto extent = [](const Polyhedron& p) {
    return aabb(std::span<const Vec3>(p.vertices)).max;
  };
  EXPECT_EQ(extent(sphere_polyhedron(0.3, 0.01)), Vec3::Constant(0.3));
  EXPECT_EQ(extent(ellipsoid_polyhedron({1, 2, 3}, 0.01)), Vec3(1, 2, 3));
  EXPECT_EQ(extent(cylinder_polyhedron(0.3, 2)), Vec3(0.3, 0.3, 2));
  EXPECT_EQ(extent(capsule_polyhedron(0.3, 2)), Vec3(0.3, 0.3, 2.3));
  EXPECT_EQ(extent(box_polyhedron({1, 2, 3})), Vec3(1, 2, 3));
}

TEST(Primitives, BadSizesAreRefused) {
  using ::testing::HasSubstr;
  using ::testing::ThrowsMessage;
  EXPECT_THAT(
      [] {
        box_polyhedron({1, 0, 1});
      },
      ThrowsMessage<ShapeError>(HasSubstr("half extent is 0 m")));
  EXPECT_THAT([] { sphere_polyhedron(-1); },
              ThrowsMessage<ShapeError>(HasSubstr("must be positive")));
  EXPECT_THAT([] { cylinder_polyhedron(1, std::nan("")); },
              ThrowsMessage<ShapeError>(HasSubstr("half length is nan m")));
  EXPECT_THAT([] { sphere_polyhedron(1, 0); },
              ThrowsMessage<ShapeError>(HasSubstr("tolerance is 0")));
  EXPECT_THAT([] { sphere_polyhedron(1, 1e-12); },
              ThrowsMessage<ShapeError>(HasSubstr("the finest")));
}

}  // namespace
}  // namespace abut
