// Polygons of planar worlds.
#include "abut/collide/planar/planar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "abut/collide/collide.h"
#include "abut/collide/planar/planar_features.h"
#include "abut/collide/planar/planar_world.h"
#include "abut/model/kinematics.h"
#include "abut/shape/hull.h"
#include "support/allocations.h"
#include "support/exact_proximity.h"
#include "support/random_worlds.h"
#include "support/soak.h"

namespace abut::test {
namespace {

using testing::HasSubstr;

const double kPi = std::numbers::pi;
const WorldPlane kXy;

Polygon polygon(std::vector<Vec2> points) {
  Polygon p;
  set_points(p, points);
  return p;
}
Polygon half_plane(const Vec2& point, const Vec2& eta) {
  Polygon p;
  set_half_plane(p, point, eta.normalized());
  return p;
}
Polygon box(double x, double y, double half = 0.5) {
  return polygon(
      {{x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}});
}
Polygon moved(Polygon p, double angle, const Vec2& by) {
  std::vector<Vec2> points = p.points;
  for (Vec2& x : points) x = Eigen::Rotation2Dd(angle) * x + by;
  return polygon(points);
}
// Points on an ellipse in random places.
Polygon random_polygon(Random& r, int corners) {
  std::vector<double> angles;
  for (int i = 0; i < corners; ++i)
    angles.push_back(2 * kPi * (i + r.uniform(-0.3, 0.3)) / corners);
  const double flat = r.uniform(0.05, 1), turn = r.uniform(0, 6);
  std::vector<Vec2> points;
  for (const double a : angles)
    points.push_back(Eigen::Rotation2Dd(turn) * Vec2(std::cos(a), flat * std::sin(a)));
  return polygon(points);
}
Polyhedron prism(const Polygon& p, double half, const WorldPlane& plane = kXy) {
  std::vector<Vec3> points;
  for (const Vec2& x : p.points)
    for (const double h : {-half, half}) points.push_back(plane.lifted(x) + h * plane.normal());
  return convex_hull(points);
}
ContactData patch(const Polygon& a, const Polygon& b, double reach) {
  ContactData out;
  append_planar_patch(a, b, kXy, planar_proximity(a, b, kXy), reach, Vec3::Zero(), out);
  return out;
}

// distance -----------------------------------------------------------------------------

TEST(Planar, DistanceIsThatOfThickPrisms) {
  Random r(1);
  int overlapping = 0, apart = 0;
  for (const Soak soak(0.3); soak.goes_on();) {
    const Polygon a = random_polygon(r, r.integer(3, 12));
    const Polygon b = moved(random_polygon(r, r.integer(3, 12)), r.uniform(0, 6),
                            Vec2(r.uniform(-1.5, 1.5), r.uniform(-1.5, 1.5)));
    const Proximity d = planar_proximity(a, b, kXy);
    // far thicker than wide: they never part along the normal
    const Exact e = exact_proximity(prism(a, 10), prism(b, 10), Transform());
    ASSERT_NEAR(d.distance, e.distance(), 1e-9);
    ++(d.distance > 0 ? apart : overlapping);
    EXPECT_NEAR(d.normal.norm(), 1, 1e-14);
    EXPECT_EQ(d.normal.z(), 0);
    EXPECT_LT((d.p_B - d.p_A - d.distance * d.normal).norm(), 1e-12);
    // on what they are said to be on
    const auto check = [](const Polygon& p, const Feature& f, const Vec3& x) {
      const Vec2 q(x.x(), x.y());
      if (f.kind == FeatureKind::vertex) {
        EXPECT_LT((p.point(f.index) - q).norm(), 1e-12);
      } else {
        ASSERT_EQ(f.kind, FeatureKind::edge);
        EXPECT_NEAR(p.height_above(f.index, q), 0, 1e-12);
        const Vec2 side = p.point(p.next(f.index)) - p.point(f.index);
        const double t = side.dot(q - p.point(f.index)) / side.squaredNorm();
        EXPECT_GT(t, -1e-9);
        EXPECT_LT(t, 1 + 1e-9);
      }
    };
    check(a, d.a, d.p_A);
    check(b, d.b, d.p_B);
    // the normal parts them by the distance, and from both sides it is the same
    double gap = 1e300, top = -1e300;
    for (const Vec2& p : b.points) gap = std::min(gap, kXy.flat(d.normal).dot(p));
    for (const Vec2& p : a.points) top = std::max(top, kXy.flat(d.normal).dot(p));
    EXPECT_NEAR(gap - top, d.distance, 1e-12);
    EXPECT_NEAR(planar_proximity(b, a, kXy).distance, d.distance, 1e-12);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(overlapping, 5);
  EXPECT_GT(apart, 5);
}

TEST(Planar, HalfPlanes) {
  const Polygon floor = half_plane({7, 0}, {0, 1}), cube = box(0, 0.6);
  const Proximity d = planar_proximity(floor, cube, kXy);
  EXPECT_NEAR(d.distance, 0.1, 1e-15);
  EXPECT_EQ(d.normal, Vec3(0, 1, 0));
  EXPECT_EQ(d.a, (Feature{FeatureKind::edge, 0}));
  EXPECT_EQ(d.b.kind, FeatureKind::vertex);
  const Proximity back = planar_proximity(cube, floor, kXy);
  EXPECT_EQ(back.normal, Vec3(0, -1, 0));
  EXPECT_EQ(back.distance, d.distance);
  EXPECT_NEAR(planar_proximity(floor, box(3, -2), kXy).distance, -2.5, 1e-15);
  EXPECT_EQ(patch(floor, cube, 0.2).points.count(), 2);
  EXPECT_EQ(patch(cube, floor, 0.2).points.count(), 2);
}

TEST(Planar, TouchingVerticesHaveNoNormalOfTheirOwn) {
  EXPECT_TRUE(planar_proximity(box(0, 0), box(1, 1), kXy).indeterminate);
  EXPECT_FALSE(planar_proximity(box(0, 0), box(1, 0.9), kXy).indeterminate);
  EXPECT_FALSE(planar_proximity(box(0, 0), box(1, 0), kXy).indeterminate);
  EXPECT_FALSE(
      planar_proximity(box(0, 0), moved(box(0, 0), kPi / 4, {0.2, 0.5 + std::sqrt(0.5)}), kXy)
          .indeterminate);
}

// patches ------------------------------------------------------------------------------

TEST(Planar, PatchesShowOnePointForEachVertexOverAnEdge) {
  for (const double tilt : {0.0, 1e-9, 1e-5, -1e-4}) {
    const ContactData on_big = patch(box(0, 0, 2), moved(box(0, 0), tilt, {0.3, 2.5}), 1e-3);
    ASSERT_EQ(on_big.points.count(), 2);
    const ContactData equal = patch(box(0, 0), moved(box(0, 0), tilt, {0.3, 1}), 1e-3);
    ASSERT_EQ(equal.points.count(), 2);
    EXPECT_NEAR(std::abs(equal.points.p_A[0].x() - equal.points.p_A[1].x()), 0.7, 1e-3);
  }
  EXPECT_EQ(patch(box(0, 0), box(0, 1), 1e-3).points.count(), 2);
  EXPECT_TRUE(patch(box(0, 0), box(0, 1.1), 1e-3).patches.empty());
  EXPECT_EQ(
      patch(box(0, 0), moved(box(0, 0), kPi / 4, {0.1, 0.5 + std::sqrt(0.5)}), 1e-3).points.count(),
      1);
}

TEST(Planar, IfAllPointsSeparateTheBodiesDo) {
  Random r(3);
  for (const Soak soak(0.2); soak.goes_on();) {
    const Polygon a = random_polygon(r, r.integer(3, 9));
    Polygon b = moved(random_polygon(r, r.integer(3, 9)), r.uniform(0, 6),
                      Vec2(r.uniform(-1.5, 1.5), r.uniform(-1.5, 1.5)));
    const Proximity d = planar_proximity(a, b, kXy);
    const ContactData data = patch(a, b, d.distance + 1e-4);
    ASSERT_EQ(data.patches.size(), 1u);
    const Vec2 n = kXy.flat(d.normal);
    Vec2 v(r.uniform(-1, 1), r.uniform(-1, 1));
    const double omega = r.uniform(-1, 1);
    double slowest = 1e300;
    for (const Vec3& p : data.points.p_B)
      slowest = std::min(slowest, n.dot(v + omega * Vec2(-p.y(), p.x())));
    v -= slowest * n;
    const Polygon after = moved(b, 1e-6 * omega, 1e-6 * v);
    EXPECT_GE(planar_proximity(a, after, kXy).distance, d.distance - 2e-11);
    if (testing::Test::HasFailure()) break;
  }
}

// area ---------------------------------------------------------------------------------

TEST(Planar, AreaOfTheOverlap) {
  PlanarScratch scratch;
  const PlanarOverlap quarter = planar_overlap(box(0, 0), box(0.5, 0.5), scratch);
  EXPECT_NEAR(quarter.area, 0.25, 1e-15);
  EXPECT_LT((quarter.centroid - Vec2(0.25, 0.25)).norm(), 1e-15);
  EXPECT_EQ(planar_overlap(box(0, 0), box(2, 0), scratch).area, 0);
  const PlanarOverlap half = planar_overlap(half_plane({0, 0}, {0, 1}), box(3, 0), scratch);
  EXPECT_NEAR(half.area, 0.5, 1e-15);
  EXPECT_LT((half.centroid - Vec2(3, -0.25)).norm(), 1e-15);

  // the triangles of P-X5 after A went 0.5 to the left without a force
  const auto direction = [](double degrees) {
    return Vec2(std::cos(degrees * kPi / 180), std::sin(degrees * kPi / 180));
  };
  const double s = std::sqrt(0.75);
  EXPECT_NEAR(planar_overlap(polygon({{0, 0}, {-0.5, s}, {-1, 0}}),
                             polygon({{-0.4, 0}, {0.6, 0}, {0.1, s}}), scratch)
                  .area,
              0.069282, 1e-6);
  EXPECT_NEAR(planar_overlap(
                  polygon({{0, 0}, direction(110), direction(170)}),
                  moved(polygon({{0, 0}, direction(10), direction(70)}), 0, {-0.4, 0.05}), scratch)
                  .area,
              0.087524, 1e-6);
}

TEST(Planar, AreasAddUp) {
  // what a line cuts a polygon into has its area and centroid
  Random r(4);
  PlanarScratch scratch;
  for (int i = 0; i < 200; ++i) {
    const Polygon p = random_polygon(r, r.integer(3, 12));
    const Vec2 x(r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3)), eta(r.uniform(-1, 1), 0.5);
    const PlanarOverlap low = planar_overlap(p, half_plane(x, eta), scratch),
                        high = planar_overlap(p, half_plane(x, -eta), scratch),
                        all = planar_overlap(p, box(0, 0, 9), scratch);
    EXPECT_NEAR(low.area + high.area, all.area, 1e-14);
    EXPECT_LT(
        (low.area * low.centroid + high.area * high.centroid - all.area * all.centroid).norm(),
        1e-14);
  }
}

// features -----------------------------------------------------------------------------

TEST(Planar, FeaturesOfTwoWedges) {
  // P-X5, F11-T: B left, A right; of C1 to C4 only C2 (va, upper edge of B) and C3
  // (vb, upper edge of A) are applicable
  const auto direction = [](double degrees) {
    return Vec2(std::cos(degrees * kPi / 180), std::sin(degrees * kPi / 180));
  };
  const Polygon b = polygon({{0, 0}, direction(110), direction(170)});
  const Polygon a = moved(polygon({{0, 0}, direction(10), direction(70)}), 0, {0.1, 0.05});
  PlanarFeatures f;
  find_features(a, b, 0.2, f);
  ASSERT_EQ(f.corners.size(), 1u);
  const PlanarCorner& corner = f.corners[0];
  EXPECT_EQ(corner.a, 0);
  EXPECT_EQ(corner.b, 0);
  EXPECT_NEAR(corner.distance, std::hypot(0.1, 0.05), 1e-15);
  const std::array<bool, 4> applicable{false, true, true, false};
  for (std::size_t k = 0; k < 4; ++k) {
    ASSERT_GE(corner.contact[k], 0);
    const PlanarContact& c = f.contacts[static_cast<std::size_t>(corner.contact[k])];
    EXPECT_EQ(c.vertex_of_a, k < 2);
    EXPECT_EQ(c.vertex, 0);
    EXPECT_EQ(c.edge, k % 2 == 0 ? 2 : 0);  // coming in, going out
    EXPECT_EQ(c.applicability >= 0, applicable[k]) << k;
    EXPECT_LT((c.p_B - c.p_A - c.psi * c.normal).norm(), 1e-15);
  }
  // the wedge's planes: va is 0.1, 0.05 from vb; B's upper edge leaves at 110 degrees
  EXPECT_NEAR(f.contacts[static_cast<std::size_t>(corner.contact[1])].psi,
              0.1 * std::cos(20 * kPi / 180) + 0.05 * std::sin(20 * kPi / 180), 1e-15);
}

TEST(Planar, FeaturesWithinReachOfBoxes) {
  PlanarFeatures f;
  find_features(box(0, 0), box(0.3, 1.001), 0.01, f);
  EXPECT_TRUE(f.corners.empty());
  ASSERT_EQ(f.contacts.size(), 2u);  // one vertex of each over the other's edge
  EXPECT_TRUE(f.contacts[0].vertex_of_a);
  EXPECT_EQ(f.contacts[0].edge, 0);
  EXPECT_NEAR(f.contacts[0].psi, 0.001, 1e-15);
  EXPECT_NEAR(f.contacts[0].applicability, 0, 1e-15);
  EXPECT_EQ(f.contacts[0].normal, Vec2(0, 1));
  EXPECT_FALSE(f.contacts[1].vertex_of_a);
  EXPECT_EQ(f.contacts[1].normal, Vec2(0, 1));
  // aligned: two corners, each with its four contacts
  find_features(box(0, 0), box(0, 1.001), 0.01, f);
  EXPECT_EQ(f.corners.size(), 2u);
  EXPECT_EQ(f.contacts.size(), 8u);
  // a half-plane has an edge and no vertices
  find_features(half_plane({0, 0}, {0, 1}), box(5, 0.501), 0.01, f);
  EXPECT_EQ(f.contacts.size(), 2u);
  EXPECT_TRUE(f.corners.empty());
}

// worlds -------------------------------------------------------------------------------

TEST(Planar, ThicknessNeverMatters) {
  Random r(5);
  for (const char* name : {"xy", "yz", "zx"}) {
    const WorldPlane plane = *plane_named(name);
    EXPECT_LT((plane.lifted({1, 0}).cross(plane.lifted({0, 1})) - plane.normal()).norm(), 1e-15);
    const Polygon shape_a = random_polygon(r, 5), shape_b = random_polygon(r, 7);
    const Pose X_WB{plane.lifted({0.7, 0.4}) + 0.3 * plane.normal(),
                    Quat(Eigen::AngleAxisd(0.4, plane.normal()))};
    std::vector<Proximity> answers;
    std::vector<ContactData> patches(2);
    for (const double half : {0.005, 5.0}) {
      ConvexSet solids;
      solids.add(prism(shape_a, half, plane));
      solids.add(prism(shape_b, half, plane));
      Polygon a, b;
      ASSERT_TRUE(make_polygon(solids[0], Pose{}, plane, Vec3::Zero(), a));
      ASSERT_TRUE(make_polygon(solids[1], X_WB, plane, Vec3::Zero(), b));
      EXPECT_EQ(a.vertex_count(), 5);
      answers.push_back(planar_proximity(a, b, plane));
      append_planar_patch(a, b, plane, answers.back(), 0.3, Vec3::Zero(),
                          patches[answers.size() - 1]);
    }
    EXPECT_EQ(answers[0].distance, answers[1].distance);
    EXPECT_EQ(answers[0].normal, answers[1].normal);
    EXPECT_EQ(answers[0].normal[plane.n], 0);
    EXPECT_EQ(patches[0].points.psi, patches[1].points.psi);
    EXPECT_EQ(patches[0].points.id, patches[1].points.id);
    EXPECT_GE(patches[0].points.count(), 1);
  }
}

TEST(Planar, SizesAreThoseOfThePolygons) {
  for (const double half : {0.005, 5.0}) {
    World world;
    world.texts.push_back({"abut.plane", "xy", {}});
    world.worldbody.plane({Vec3::Zero(), Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY())});
    BodyDesc& body = world.body("b", {0, 1, 0}, Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ())));
    body.slide("x", Vec3::UnitX());
    body.slide("y", Vec3::UnitY());
    body.hinge("turn", Vec3::UnitZ());
    body.box({0.3, 0.4, half});
    const Collider collider(compile(world));
    ASSERT_EQ(collider.sizes().size(), 2u);
    EXPECT_EQ(collider.sizes()[0], 0);
    EXPECT_NEAR(collider.sizes()[1], 1, 1e-14);
  }
}

TEST(Planar, AllocatesNothingWhenWarm) {
  Random r(6);
  ConvexSet solids;
  solids.add(prism(random_polygon(r, 6), 1));
  Polygon a, b;
  ContactData out;
  PlanarFeatures features;
  PlanarScratch scratch;
  const auto query = [&] {
    out.clear();
    make_polygon(solids[0], Pose{}, kXy, Vec3::Zero(), a);
    make_polygon(solids[0], Pose{{0.5, 0.5, 0}, Quat(1, 0, 0, 0)}, kXy, Vec3::Zero(), b);
    append_planar_patch(a, b, kXy, planar_proximity(a, b, kXy), 1, Vec3::Zero(), out);
    find_features(a, b, 1, features);
    planar_overlap(a, b, scratch);
  };
  query();
  const long before = allocation_count();
  query();
  EXPECT_EQ(allocation_count(), before);
}

World planar_world() {
  World w;
  w.texts.push_back({"abut.plane", "zx", {}});
  w.worldbody.plane();
  BodyDesc& body = w.worldbody.body("brick", {0, 0, 1});
  body.slide("x", {1, 0, 0});
  body.slide("z", {0, 0, 1});
  body.hinge("turn", {0, 1, 0});
  body.box({0.2, 0.5, 0.1});
  return w;
}
std::string trouble(const World& w) {
  const Model model = compile(w);
  return planar_trouble(model, *plane_of(model));
}

TEST(Planar, SaysWhatKeepsAWorldFromBeingPlanar) {
  EXPECT_EQ(trouble(planar_world()), "");
  EXPECT_FALSE(plane_of(compile(World{})).has_value());

  World w = planar_world();
  w.texts[0].data = "xz";
  EXPECT_THROW(plane_of(compile(w)), WorldError);
  w.texts[0].data = "xy";  // the joints are for another plane
  EXPECT_THAT(trouble(w), HasSubstr("joint 'z' of body 'brick' leaves the plane"));

  w = planar_world();
  BodyDesc& ball = w.worldbody.body("ball", {1, 0, 1});
  ball.slide("bx", {1, 0, 0});
  ball.slide("bz", {0, 0, 1});
  ball.hinge("bturn", {0, 1, 0});
  ball.sphere(0.1);
  EXPECT_THAT(trouble(w), HasSubstr("(sphere) is no prism along the plane's normal"));
  ball.geoms[0].contype = ball.geoms[0].conaffinity = 0;  // for show
  EXPECT_EQ(trouble(w), "");

  w = planar_world();
  w.worldbody.bodies[0].joints.pop_back();
  EXPECT_THAT(trouble(w), HasSubstr("has 2 slides in the plane and 0 hinges"));
  w = planar_world();
  w.worldbody.bodies[0].joints[1].axis = {2, 0, 0};
  EXPECT_THAT(trouble(w), HasSubstr("two slides along one axis"));
  w = planar_world();
  w.worldbody.bodies[0].joints[0].axis = {1, 0.01, 0};
  EXPECT_THAT(trouble(w), HasSubstr("joint 'x' of body 'brick' leaves the plane"));

  w = planar_world();
  w.worldbody.box({1, 1, 1}, {{0, 0, 0}, Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX()))});
  EXPECT_THAT(trouble(w), HasSubstr("(box) is no prism"));
  w = planar_world();
  w.worldbody.plane({{0, 0, 0}, Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX()))});
  EXPECT_THAT(trouble(w), HasSubstr("half-space across the plane"));
  // turned about the normal, all is well
  w = planar_world();
  w.worldbody.plane({{0, 0, 0}, Quat(Eigen::AngleAxisd(0.1, Vec3::UnitY()))});
  EXPECT_EQ(trouble(w), "");
}

// A brick that has sunk into the floor, as the step sees it.
ContactData contacts_of(double half_thickness) {
  World w;
  w.texts.push_back({"abut.plane", "zx", {}});
  w.worldbody.plane();
  BodyDesc& body = w.worldbody.body("brick", {0, 0, 0.09});
  body.slide("x", {1, 0, 0});
  body.slide("z", {0, 0, 1});
  body.hinge("turn", {0, 1, 0});
  body.box({0.2, half_thickness, 0.1});
  const Model model = compile(w);
  Collider collider(model);
  Derived derived(model);
  positions(model, State(model), Input(model), derived);
  ContactData out;
  std::vector<PairQuery> queries;
  collider.find(model, derived, {}, {}, out, queries);
  return out;
}

TEST(Planar, TheColliderSendsPairsOfPlanarWorldsToThePolygons) {
  const ContactData thin = contacts_of(0.01), thick = contacts_of(10);
  ASSERT_EQ(thin.patches.size(), 1u);
  EXPECT_EQ(thin.patches[0].count(), 2);  // not the 4 of a box
  EXPECT_NEAR(thin.patches[0].distance, -0.01, 1e-15);
  EXPECT_EQ(thin.points.p_A, thick.points.p_A);
  EXPECT_EQ(thin.points.p_B, thick.points.p_B);
  EXPECT_EQ(thin.points.psi, thick.points.psi);
  EXPECT_EQ(thin.points.id, thick.points.id);

  World w = planar_world();
  w.worldbody.body("ball", {3, 0, 1}).free();
  EXPECT_THROW(Collider(compile(w)), WorldError);
}

}  // namespace
}  // namespace abut::test
