#include "abut/collide/volume/clip_volume.h"

#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/soak.h"
#include "volume_testing.h"

namespace abut {
namespace {

using namespace abut::testing;
using test::Soak;

Intersection clip(const Convex& a, const Convex& b, const Transform& X_AB) {
  ClipBuffers buffers;
  Intersection common;
  clip_volume(a, b, X_AB, buffers, common);
  return common;
}
Intersection clip(const SolidPair& s) { return clip(s.A(), s.B(), s.X_AB); }

Transform shift(double x, double y, double z) { return {Mat3::Identity(), {x, y, z}}; }
const Polyhedron kUnitBox = box_polyhedron({0.5, 0.5, 0.5});

// The same solid known as a box and as a mesh: one starts from its corners, one is cut out.
struct Boxes {
  ConvexSet set;
  Boxes() {
    set.add(Shape{ShapeKind::box, {0.5, 0.5, 0.5}}, {});
    set.add(kUnitBox);
    set.add(Shape{ShapeKind::plane, {0, 0, 0}}, {});
  }
};

TEST(ClipVolume, TwoBoxes) {
  const Boxes boxes;
  for (const int i : {0, 1})
    for (const int j : {0, 1}) {
      const Transform X = shift(0.4, 0.3, 0.2);
      const Intersection common = clip(boxes.set[i], boxes.set[j], X);
      expect_valid(common, boxes.set[i], boxes.set[j], X, 1e-15);
      EXPECT_EQ(common.overlap, OverlapKind::solid);
      EXPECT_EQ(common.vertex_count(), 8);
      EXPECT_EQ(common.face_count(), 6);
      EXPECT_NEAR(common.volume, 0.336, 1e-15);  // K-E3
      EXPECT_LT((common.origin + common.centroid - Vec3(0.2, 0.15, 0.1)).norm(), 1e-15);
      EXPECT_NEAR(common.area, 2 * (0.6 * 0.7 + 0.7 * 0.8 + 0.8 * 0.6), 1e-15);
      // three faces of each, A's above and B's below
      EXPECT_LT((common.area_A - Vec3(0.7 * 0.8, 0.6 * 0.8, 0.6 * 0.7)).norm(), 1e-15);
      EXPECT_NEAR(projected_area(common, Vec3::UnitZ()), 0.42, 1e-15);
    }
}

TEST(ClipVolume, SameBoxesAreAsFaces) {
  const Boxes boxes;
  for (const int i : {0, 1})
    for (const int j : {0, 1}) {
      const Intersection common = clip(boxes.set[i], boxes.set[j], {});
      EXPECT_EQ(common.vertex_count(), 8);
      EXPECT_NEAR(common.volume, 1, 1e-14);
      for (const auto& f : common.faces) EXPECT_EQ(f.side, Side::a);  // H-N4
    }
}

// K-T12: the overlap is 1 - (1 - t), which is not t below 1e-9 or so.
TEST(ClipVolume, ThinOverlaps) {
  const Boxes boxes;
  for (const int i : {0, 1})
    for (const int j : {0, 1})
      for (double t = 1e-2; t > 1e-15; t /= 10) {
        const Transform X = shift(0.2, 0.1, 1 - t);
        const double true_t = 0.5 - (X.p.z() - 0.5), V = 0.8 * 0.9 * true_t;
        const Intersection common = clip(boxes.set[i], boxes.set[j], X);
        expect_valid(common, boxes.set[i], boxes.set[j], X, 1e-15);
        EXPECT_NEAR(common.volume / V, 1, 2e-16 / t) << t;
        EXPECT_EQ(common.face_count(), 6);
        // V / A, half the thickness, against 1e-7 of the pair's size
        EXPECT_EQ(common.overlap,
                  0.5 * t < 1e-7 * 2 * std::sqrt(3) ? OverlapKind::touching : OverlapKind::solid)
            << t;
        EXPECT_GT(common.area_A.normalized().z(), 0.99);
        EXPECT_NEAR(projected_area(common, Vec3::UnitZ()), 0.72, 1e-12);
      }
}

TEST(ClipVolume, TouchingOrApart) {
  const Boxes boxes;
  for (const int i : {0, 1})
    for (const int j : {0, 1}) {
      EXPECT_EQ(clip(boxes.set[i], boxes.set[j], shift(0, 0, 1 + 1e-9)).overlap, OverlapKind::none);
      EXPECT_EQ(clip(boxes.set[i], boxes.set[j], shift(0.3, 0, 5)).overlap, OverlapKind::none);
      // face, edge and corner: nothing, or something without volume
      for (const Vec3& p : {Vec3(0.2, 0.1, 1), Vec3(0, 1, 1), Vec3(1, 1, 1)}) {
        const Transform X(Mat3::Identity(), p);
        const Intersection common = clip(boxes.set[i], boxes.set[j], X);
        EXPECT_NE(common.overlap, OverlapKind::solid);
        EXPECT_LT(common.volume, 1e-15);
        expect_valid(common, boxes.set[i], boxes.set[j], X, 1e-15);
      }
    }
}

TEST(ClipVolume, HalfSpace) {
  const Boxes boxes;
  const Convex &box = boxes.set[1], &floor = boxes.set[2];
  for (const double depth : {1e-12, 1e-6, 0.01, 0.5, 0.99}) {
    const Transform X_AB = shift(3, -2, 0.5 - depth);
    for (const bool swap : {false, true}) {
      const Transform X = swap ? X_AB.inverse() : X_AB;
      const Intersection common = swap ? clip(box, floor, X) : clip(floor, box, X);
      expect_valid(common, swap ? box : floor, swap ? floor : box, X, 1e-15);
      EXPECT_NEAR(common.volume, depth, 1e-15);
      EXPECT_NEAR(common.area_A.z(), swap ? -1 : 1, 1e-15);
      int floors = 0;
      for (const auto& f : common.faces) floors += f.side == (swap ? Side::b : Side::a);
      EXPECT_EQ(floors, 1);
    }
  }
  // wholly under it
  EXPECT_NEAR(clip(floor, box, shift(0, 0, -7)).volume, 1, 1e-14);
  EXPECT_EQ(clip(floor, box, shift(0, 0, 0.51)).overlap, OverlapKind::none);
  EXPECT_EQ(clip(floor, floor, {}).overlap, OverlapKind::none);
}

TEST(ClipVolume, NestedAndSame) {
  Random random(3);
  for (int k = 0; k < 40; ++k) {
    const Polyhedron p = volume_solid(random, k % kVolumeKinds, 40);
    const double V = solid_polyhedron(p).mass;
    const SolidPair same(p, p, {});
    const Intersection common = clip(same);
    expect_valid(common, same.A(), same.B(), {}, 1e-12);
    EXPECT_NEAR(common.volume, V, 1e-9 * V + volume_tolerance(common, V, same.L()));
    EXPECT_LE(common.area_B.norm(), 1e-13 * common.area);
    for (const auto& f : common.faces) EXPECT_EQ(f.side, Side::a);

    const SolidPair nested(kUnitBox, grown(p, 0.3), shift(0.02, 0.01, 0.03));
    const Intersection inner = clip(nested);
    expect_valid(inner, nested.A(), nested.B(), nested.X_AB, 1e-12);
    EXPECT_NEAR(inner.volume, 0.027 * V, 1e-9 * V + volume_tolerance(inner, V, nested.L()));
    for (const auto& f : inner.faces) EXPECT_EQ(f.side, Side::b);
  }
}

// Against the independent volume: all kinds of solids, sizes, depths.
TEST(ClipVolume, AgreesWithTheReference) {
  Random random(4);
  int solid = 0, pairs = 0;
  for (const Soak soak(0.7); soak.goes_on() || pairs < 60; ++pairs) {
    const SolidPair s = random_volume_pair(random, pairs);
    const Intersection common = clip(s);
    expect_valid(common, s.A(), s.B(), s.X_AB, 1e-12);
    expect_reference_volume(common, s.A(), s.B(), s.X_AB);
    if (HasFatalFailure()) FAIL() << "pair " << pairs;
    solid += common.overlap == OverlapKind::solid;
  }
  EXPECT_GT(solid, pairs / 3);
}

TEST(ClipVolume, AlignedCopies) {
  Random random(5);
  for (int k = 0; k < 60; ++k) {
    const Polyhedron p = volume_solid(random, k % 4, 30);
    // along an edge or a face, or turned about a face's normal: flush faces everywhere
    const Polyhedron::Edge& e = p.edges[static_cast<int>(random.uniform(0, p.edge_count()))];
    const Polyhedron::Face& f = p.faces[static_cast<int>(random.uniform(0, p.face_count()))];
    Transform X(Mat3::Identity(), random.uniform(0, 1) * (p.vertices[e.head] - p.vertices[e.tail]));
    if (k % 3 == 1) X.R = Eigen::AngleAxisd(random.uniform(0, 3), f.eta).toRotationMatrix();
    if (k % 3 == 1) X.p = f.offset * f.eta - X.R * (f.offset * f.eta);
    if (k % 3 == 2) X.R = Eigen::AngleAxisd(1e-9 * random.uniform(0, 1), f.eta).toRotationMatrix();
    const SolidPair s(p, p, X);
    const Intersection common = clip(s);
    expect_valid(common, s.A(), s.B(), s.X_AB, 1e-12);
    expect_reference_volume(common, s.A(), s.B(), s.X_AB);
  }
}

// K-T13, and a thousand planes in one point.
TEST(ClipVolume, ThousandsOfVertices) {
  Random random(6);
  std::vector<Vec3> cloud, cone{{0, 0, 1}};
  for (int i = 0; i < 2500; ++i) cloud.push_back(0.5 * random.direction());
  for (int i = 0; i < 1000; ++i) {
    const double a = 2 * std::numbers::pi * i / 1000;
    cone.emplace_back(std::cos(a), std::sin(a), 0);
  }
  const Polyhedron ball = convex_hull(cloud), spike = convex_hull(cone);
  ASSERT_GT(ball.vertex_count(), 2000);
  for (const double depth : {1e-3, 0.3}) {
    const SolidPair s(
        ball, ball,
        Transform(random.rotation().toRotationMatrix(), (1 - depth) * random.direction()));
    const Intersection common = clip(s);
    expect_valid(common, s.A(), s.B(), s.X_AB, 1e-13);
    EXPECT_GT(common.face_count(), 4);
    if (depth < 0.01) expect_reference_volume(common, s.A(), s.B(), s.X_AB);
  }
  const SolidPair tip(spike, kUnitBox, shift(0.1, 0.05, 1.4));
  const Intersection common = clip(tip);
  expect_valid(common, tip.A(), tip.B(), tip.X_AB, 1e-13);
  expect_reference_volume(common, tip.A(), tip.B(), tip.X_AB);
  EXPECT_NEAR(common.volume, std::numbers::pi / 3 * 1e-3, 2e-8);
}

// A prism or a cone with so many sides; the radius at its top is `top` times that at its foot.
Polyhedron many_sided(int sides, double radius, double z, double top) {
  std::vector<Vec3> points;
  for (int k = 0; k < sides; ++k) {
    const double a = 2 * std::numbers::pi * k / sides;
    points.emplace_back(radius * std::cos(a), radius * std::sin(a), -z);
    if (top > 0) points.emplace_back(top * radius * std::cos(a), top * radius * std::sin(a), z);
  }
  if (top == 0) points.emplace_back(0, 0, z);
  return convex_hull(points);
}

// Faces with more edges than are gone around: thick, flat and thin solids, stacked on each
// other, flush, turned and tilted by little and by much.
TEST(ClipVolume, FacesOfManyEdges) {
  Random random(10);
  int solid = 0, pairs = 0;
  for (const Soak soak(0.5); soak.goes_on() || pairs < 60; ++pairs) {
    const auto any = [&] {
      const double z[] = {0.3, 1e-4, 30};
      const double top[] = {1, 1, 0.5, 0};
      return many_sided(static_cast<int>(random.uniform(17, 60)), random.uniform(0.3, 1),
                        z[static_cast<int>(random.uniform(0, 3))],
                        top[static_cast<int>(random.uniform(0, 4))]);
    };
    const Polyhedron a = any(), b = pairs % 3 == 0 ? a : any();
    Transform X;
    const double tilt[] = {0, 0, 1e-12, 1e-6, 0.1, 2};
    const Vec3 axis = pairs % 2 ? random.direction() : Vec3(Vec3::UnitZ());
    X.R = Eigen::AngleAxisd(tilt[static_cast<int>(random.uniform(0, 6))], axis).toRotationMatrix();
    X.p = random.in_cube(0.1);
    if (pairs % 4 < 2) {
      // one on the other, by very little
      double up = -HUGE_VAL, down = HUGE_VAL;
      for (const Vec3& v : a.vertices) up = std::max(up, v.z());
      for (const Vec3& v : b.vertices) down = std::min(down, (X.R * v).z());
      X.p.z() = up - down - std::pow(10, random.uniform(-12, -1)) * std::min(a.size, b.size);
    }
    const SolidPair s(a, b, X);
    const Intersection common = clip(s);
    expect_valid(common, s.A(), s.B(), s.X_AB, 1e-12);
    expect_reference_volume(common, s.A(), s.B(), s.X_AB);
    if (HasFatalFailure()) FAIL() << "pair " << pairs;
    solid += common.overlap == OverlapKind::solid;
  }
  EXPECT_GT(solid, pairs / 3);
}

// H-17: the work grows as the number of features, on faces of many edges (prisms on each other
// and on the floor) as on many faces of few (balls, deep in each other).
TEST(ClipVolume, WorkGrowsAsFeatures) {
  ClipBuffers buffers;
  Intersection common;
  const auto looks = [&](const Convex& a, const Convex& b, const Transform& X) {
    clip_volume(a, b, X, buffers, common);
    return static_cast<double>(buffers.looks);
  };
  const auto by_prisms = [&](int sides) {
    const Polyhedron p = many_sided(sides, 1, 1, 1);
    const SolidPair s(p, p, shift(0.1, 0, 1.999));
    return looks(s.A(), s.B(), s.X_AB);
  };
  const auto by_floor = [&](int sides) {
    ConvexSet set;
    set.add(Shape{ShapeKind::plane, {0, 0, 0}}, {});
    set.add(many_sided(sides, 1, 1, 1));
    return looks(set[0], set[1], shift(0, 0, 0.999));
  };
  const auto by_balls = [&](int points) {
    Random random(11);
    std::vector<Vec3> cloud;
    for (int i = 0; i < points; ++i) cloud.push_back(random.direction());
    const Polyhedron p = convex_hull(cloud);
    const SolidPair s(p, p, Transform(random.rotation().toRotationMatrix(), Vec3(0.3, 0.1, 0.2)));
    return looks(s.A(), s.B(), s.X_AB);
  };
  // eight times as many: 8 if linear, 64 if quadratic
  EXPECT_LT(by_prisms(512) / by_prisms(64), 12);
  EXPECT_LT(by_floor(512) / by_floor(64), 12);
  EXPECT_LT(by_balls(2000) / by_balls(250), 12);
}

TEST(ClipVolume, SwappedAndMoved) {
  Random random(7);
  for (int k = 0; k < 100; ++k) {
    const Polyhedron a = volume_solid(random, k % kVolumeKinds, 30),
                     b = volume_solid(random, k % 5, 30);
    const Pose X_AB = volume_placement(random, a, b);
    const SolidPair s(a, b, Transform(X_AB)), t(b, a, Transform(X_AB).inverse());
    Intersection ab = clip(s);
    const Intersection ba = clip(t);
    const double near = volume_tolerance(ab, ab.volume, s.L());
    EXPECT_NEAR(ab.volume, ba.volume, near);
    if (ab.overlap != OverlapKind::solid) continue;
    const Transform& X = s.X_AB;
    EXPECT_LT((X.R * ba.area_B - ab.area_A).norm(), 1e-9 * ab.area);
    EXPECT_LT((X * (ba.origin + ba.centroid) - (ab.origin + ab.centroid)).norm() * ab.volume,
              1e-8 * ab.volume * s.L() + near * s.L());
    // in the world, far away: what is left of the placement is all that is lost
    const Pose X_WA{1e4 * random.direction(), random.rotation()};
    const Transform again = relative(X_WA, X_WA * X_AB);
    const Intersection far = clip(s.A(), s.B(), again);
    EXPECT_NEAR(far.volume, ab.volume, near + 1e-11 * ab.area);
    const Vec3 centroid = ab.origin + ab.centroid;
    place(ab, X_WA);
    EXPECT_LT((ab.origin + ab.centroid - X_WA * centroid).norm(), 1e-11);
  }
}

TEST(ClipVolume, AWarmCallAllocatesNothing) {
  Random random(8);
  const Polyhedron a = volume_solid(random, 1, 60), b = volume_solid(random, 1, 60);
  const SolidPair s(a, b, shift(0.1, 0.2, 0.3));
  ClipBuffers buffers;
  Intersection common;
  clip_volume(s.A(), s.B(), s.X_AB, buffers, common);
  const double volume = common.volume;
  const long before = test::allocation_count();
  clip_volume(s.A(), s.B(), s.X_AB, buffers, common);
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(common.volume, volume);  // nothing is remembered
}

// H-T6: H-E1 against quadrature, H-E2, H-E4.
TEST(Intersection, HeightIntegrals) {
  Random random(9);
  // degree 2 exactly: the midpoints of the sides; the moment is of degree 2
  for (int k = 0; k < 200; ++k) {
    const Vec3 p = random.in_cube(1), a = random.in_cube(1), b = random.in_cube(1);
    const double h = random.uniform(-1, 1), ha = random.uniform(-1, 1), hb = random.uniform(-1, 1);
    const HeightIntegral one = triangle_integral(p, a, b, h, ha, hb);
    Vec3 P = Vec3::Zero(), M = Vec3::Zero();
    for (const auto& [s, t] : {std::pair(0.5, 0.), {0., 0.5}, {0.5, 0.5}}) {
      const Vec3 f = (h + s * ha + t * hb) * a.cross(b) / 6;
      P += f;
      M += (p + s * a + t * b).cross(f);
    }
    EXPECT_LT((one.force - P).norm(), 1e-14);
    EXPECT_LT((one.moment - M).norm(), 1e-14);
  }
  for (int k = 0; k < 60; ++k) {
    const Polyhedron a = volume_solid(random, k % 4, 30), b = volume_solid(random, k % 3, 30);
    const SolidPair s(a, b, Transform(volume_placement(random, a, b)));
    const Intersection common = clip(s);
    if (common.overlap != OverlapKind::solid) continue;
    const Vec3 n = random.direction();
    const HeightIntegral surface = surface_integral(common, n), volume = volume_integral(common, n);
    EXPECT_LT((surface.force - volume.force).norm(), 1e-14);
    EXPECT_LT((surface.moment - volume.moment).norm(), 1e-14);
    // the shadow: the hull of the projected vertices, as a prism of height 2 along n
    std::vector<Vec3> shadow;
    for (const Vec3& v : common.vertices)
      for (const double z : {-1., 1.}) shadow.push_back(v + (z - v.dot(n)) * n);
    const double area = projected_area(common, n);
    if (area > 1e-4) {
      EXPECT_NEAR(2 * area, solid_polyhedron(convex_hull(shadow)).mass, 1e-8 * area);
    }
  }
}

}  // namespace
}  // namespace abut
