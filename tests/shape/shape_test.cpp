#include "abut/shape/shape.h"

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

// Every kind that has an end, each with a fine polyhedron inscribed in it as a referee.
struct Zoo {
  ShapeAssets assets;
  std::vector<Shape> shapes;
  std::vector<Polyhedron> referees;
  static constexpr double kFine = 1e-3;

  Zoo() {
    add({ShapeKind::sphere, {0.5, 0, 0}}, sphere_polyhedron(0.5, kFine));
    add({ShapeKind::capsule, {0.2, 0.6, 0}}, capsule_polyhedron(0.2, 0.6, kFine));
    add({ShapeKind::cylinder, {0.4, 0.3, 0}}, cylinder_polyhedron(0.4, 0.3, kFine));
    add({ShapeKind::ellipsoid, {0.1, 0.5, 0.9}}, ellipsoid_polyhedron({0.1, 0.5, 0.9}, kFine));
    add({ShapeKind::box, {0.1, 0.2, 0.3}}, box_polyhedron({0.1, 0.2, 0.3}));
    const Polyhedron rock = convex_hull(Random(1).points(100, 0.5));
    add({ShapeKind::mesh, Vec3::Zero(), add_mesh(assets, triangulated(rock))}, rock);
    add({ShapeKind::mesh, Vec3::Zero(), add_hull(assets, rock)}, rock);
    assets.hfields.push_back({3, 3, {0.5, 0.4}, 0.3, 0.1, {0, 0.2, 0.4, 0.1, 1, 0.3, 0, 0, 0.2}});
    add({ShapeKind::hfield, Vec3::Zero(), 0}, convex_hull(surface(assets.hfields[0]).vertices));
  }
  void add(const Shape& shape, const Polyhedron& referee) {
    shapes.push_back(shape);
    referees.push_back(referee);
  }
};

RC_GTEST_PROP(Shape, SupportIsOnTheSurfaceAndFarthest, ()) {
  static const Zoo zoo;
  Random random(*rc::gen::arbitrary<unsigned>());
  for (std::size_t i = 0; i < zoo.shapes.size(); ++i) {
    const Vec3 d = random.direction();
    int hint = 0;
    const Vec3 p = support(zoo.shapes[i], zoo.assets, 3 * d, &hint);
    const Polyhedron& referee = zoo.referees[i];
    const double inner = d.dot(referee.vertices[support_brute_force(referee, d)]);
    EXPECT_GE(d.dot(p), inner - 1e-12) << name(zoo.shapes[i].kind);
    EXPECT_LE(d.dot(p), inner + Zoo::kFine) << name(zoo.shapes[i].kind);
    EXPECT_EQ(support(zoo.shapes[i], zoo.assets, 3 * d, &hint), p);
    EXPECT_EQ(support(zoo.shapes[i], zoo.assets, 3 * d), p);
    EXPECT_LE(p.norm(), bounding_radius(zoo.shapes[i], zoo.assets) * (1 + 1e-14));
  }
}

TEST(Shape, SupportAlongAxesIsFinite) {
  const Zoo zoo;
  for (const Shape& shape : zoo.shapes) {
    for (const Vec3& d :
         {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, 0)}) {
      const Vec3 p = support(shape, zoo.assets, d);
      EXPECT_TRUE(p.allFinite());
      EXPECT_TRUE(inflated(local_aabb(shape, zoo.assets), 1e-15).contains(p));
    }
  }
}

// The box of a convex shape is its support along the six axis directions.
RC_GTEST_PROP(Shape, BoxesAreTight, ()) {
  static const Zoo zoo;
  Random random(*rc::gen::arbitrary<unsigned>());
  const Pose X = random.pose(3);
  for (const Shape& shape : zoo.shapes) {
    const Aabb box = aabb(shape, zoo.assets, X);
    for (int k = 0; k < 3; ++k) {
      const Vec3 up = X.q.conjugate() * Vec3::Unit(k);
      const double high = (X * support(shape, zoo.assets, up))[k];
      const double low = (X * support(shape, zoo.assets, -up))[k];
      if (shape.kind == ShapeKind::hfield) {  // the box of its box: not tight when turned
        EXPECT_GE(box.max[k], high - 1e-12);
        EXPECT_LE(box.min[k], low + 1e-12);
      } else {
        EXPECT_NEAR(box.max[k], high, 1e-12) << name(shape.kind);
        EXPECT_NEAR(box.min[k], low, 1e-12) << name(shape.kind);
      }
    }
  }
}

TEST(Shape, PlaneIsAHalfSpace) {
  const ShapeAssets none;
  const Shape plane{ShapeKind::plane, {0, 0, 1}};
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(local_aabb(plane, none).max, Vec3(inf, inf, 0));
  EXPECT_EQ(local_aabb(plane, none).min, Vec3::Constant(-inf));
  // a quarter turn about x takes z to -y; a quarter's cosine is not quite 0, so that
  // only exact turns are seen
  const Aabb turned = aabb(plane, none, {{1, 2, 3}, Quat(0, 1, 0, 0)});
  EXPECT_EQ(turned.min, Vec3(-inf, -inf, 3));
  EXPECT_EQ(turned.max, Vec3::Constant(inf));
  const Aabb tilted = aabb(plane, none, {{0, 0, 0}, Quat(Eigen::AngleAxisd(1e-6, Vec3::UnitX()))});
  EXPECT_EQ(tilted.max, Vec3::Constant(inf));
  EXPECT_EQ(bounding_radius(plane, none), inf);
  EXPECT_EQ(solid_properties(plane, none).mass, 0);
}

TEST(Shape, WeighsWhatItsPolyhedronWeighs) {
  const Zoo zoo;
  for (std::size_t i = 0; i < zoo.shapes.size(); ++i) {
    const Shape& shape = zoo.shapes[i];
    if (shape.kind == ShapeKind::hfield) continue;
    SCOPED_TRACE(name(shape.kind));
    expect_same(solid_properties(shape, zoo.assets), solid_polyhedron(zoo.referees[i]), 5e-3, 1);
    if (shape.kind == ShapeKind::ellipsoid) continue;  // not a uniform shell, see its comment
    expect_same(shell_properties(shape, zoo.assets), shell_polyhedron(zoo.referees[i]), 5e-3, 1);
  }
}

TEST(Shape, SizesAreChecked) {
  const Zoo zoo;
  for (const Shape& shape : zoo.shapes) EXPECT_EQ(check_size(shape, zoo.assets), "");
  const auto error = [&](ShapeKind kind, const Vec3& size, int asset = -1) {
    return check_size({kind, size, asset}, zoo.assets);
  };
  EXPECT_EQ(error(ShapeKind::plane, {0, 0, 0}), "");
  EXPECT_THAT(error(ShapeKind::plane, {-1, 0, 0}), HasSubstr("0 for infinite"));
  EXPECT_EQ(error(ShapeKind::box, {1, -1, 1}),
            "box has size[1] = -1 m; write three half extents, all positive");
  // areas of such a box would be zero
  EXPECT_THAT(error(ShapeKind::box, {1, 1e-320, 1}), HasSubstr("at least 1e-15 m"));
  EXPECT_EQ(error(ShapeKind::box, {1, 1e-14, 1}), "");
  EXPECT_THAT(error(ShapeKind::capsule, {1, 0, 0}), HasSubstr("size[1] = 0 m"));
  EXPECT_THAT(error(ShapeKind::sphere, {std::nan(""), 0, 0}), HasSubstr("size[0] = nan m"));
  EXPECT_THAT(error(ShapeKind::mesh, {0, 0, 0}, 9), HasSubstr("asset 9 of 2"));
  EXPECT_THAT(error(ShapeKind::hfield, {0, 0, 0}), HasSubstr("asset -1 of 1"));
}

TEST(Shape, AFlatMeshIsRefused) {
  ShapeAssets assets;
  TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  EXPECT_THROW(add_mesh(assets, flat), ShapeError);
  EXPECT_TRUE(assets.hulls.empty());
  EXPECT_TRUE(assets.meshes.empty());
}

TEST(Aabb, MergesOverlapsAndGrows) {
  Aabb box;
  EXPECT_TRUE(box.empty());
  box.merge(Vec3(1, 2, 3));
  box.merge(Vec3(0, 4, 3));
  EXPECT_FALSE(box.empty());
  EXPECT_EQ(box.extent(), Vec3(1, 2, 0));
  EXPECT_TRUE(box.contains({0.5, 3, 3}));
  const Aabb beside{{1, 2, 3}, {2, 3, 4}}, apart{{1.1, 2, 3}, {2, 3, 4}};
  EXPECT_TRUE(overlap(box, beside));  // touching counts
  EXPECT_FALSE(overlap(box, apart));
  EXPECT_TRUE(overlap(inflated(box, 0.2), apart));
  EXPECT_FALSE(overlap(box, Aabb{}));
  EXPECT_EQ(merged(box, apart).max, Vec3(2, 4, 4));
}

}  // namespace
}  // namespace abut
