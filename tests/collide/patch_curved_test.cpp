// Patches with half-spaces, capsules, cylinders and round solids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <numbers>

#include "collide/patch_testing.h"
#include "support/soak.h"

namespace abut::test {
namespace {

const double kPi = std::numbers::pi;
const Feature kFloor{FeatureKind::face, 0};

class PatchOfCurved : public ::testing::Test {
 protected:
  const Convex* shape(ShapeKind kind, const Vec3& size = Vec3::Zero()) {
    ConvexSet& set = sets.emplace_back();
    return &set[set.add(Shape{kind, size}, ShapeAssets{})];
  }
  const Convex* hull(Polyhedron p) {
    ConvexSet& set = sets.emplace_back();
    return &set[set.add(std::move(p))];
  }

  // Of what stands with its lowest point at height `low` over a floor through the origin.
  static Proximity over_floor(double low, const Vec3& nearest, const Feature& b,
                              const Convex* below = nullptr) {
    Proximity d;
    d.distance = low;
    d.normal = Vec3::UnitZ();
    d.p_B = nearest;
    d.p_A = nearest - low * d.normal;
    const bool on_box = below && below->polyhedron;
    d.a = on_box ? highest(*below->polyhedron, Vec3::UnitZ()) : kFloor;
    d.b = b;
    return d;
  }
  // Same points, one by one, whichever solid is A.
  static void expect_mirrored(const PatchPair& p, const Proximity& d, double reach,
                              const ContactData& data) {
    const double tolerance = 1e-12 + 1e-15 * p.X_WA.p.norm();
    const ContactData back = p.swapped().patch(swapped(d), {.reach = reach});
    ASSERT_EQ(ids(back), mirrored(ids(data)));
    for (int i = 0; i < data.points.count(); ++i)
      for (int k = 0; k < data.points.count(); ++k)
        if (back.points.id[k] == mirrored(data.points.id[i])) {
          EXPECT_NEAR(back.points.psi[k], data.points.psi[i], tolerance);
          EXPECT_LT((back.points.p_A[k] - data.points.p_B[i]).norm(), tolerance);
        }
  }

  std::deque<ConvexSet> sets;  // one for each solid: their addresses must stay
  const Convex* floor = shape(ShapeKind::plane);
};

// half-spaces --------------------------------------------------------------------------

TEST_F(PatchOfCurved, AHalfSpaceTakesAllVerticesThatFaceItWithinReach) {
  Random r(1);
  for (const Soak soak(0.2); soak.goes_on();) {
    ConvexSet set;
    set.add(Shape{ShapeKind::plane, Vec3::Zero()}, {});
    set.add(random_hull(r, r.integer(4, 200), 1));
    const Convex& body = set[1];
    const Polyhedron& p = *body.polyhedron;
    // a slanted floor, far away at times
    const double far = r.integer(0, 1) == 0 ? 0 : 1e4;
    const Pose X_WF{r.vec(1 + far), r.quat()};
    Pose X_WB{X_WF.p, r.quat()};
    const Vec3 n = X_WF.q * Vec3::UnitZ();
    const int lowest = support_brute_force(p, X_WB.q.conjugate() * -n);
    X_WB.p += (r.uniform(-0.2, 0.1) - n.dot(X_WB * p.vertices[lowest] - X_WF.p)) * n;
    const Vec3 nearest = X_WB * p.vertices[lowest];
    Proximity d = over_floor(n.dot(nearest - X_WF.p), nearest, {FeatureKind::vertex, lowest});
    d.normal = n;
    d.p_A = nearest - d.distance * n;

    const double reach = d.distance + std::pow(10, r.uniform(-6, 0));
    const PatchPair pair{&set[0], &body, X_WF, X_WB};
    const ContactData data = pair.patch(d, {.reach = reach});
    check_patch(pair, d, reach, data);
    const auto names = ids(data);
    for (int v = 0; v < p.vertex_count(); ++v) {
      const double height = n.dot(X_WB * p.vertices[v] - X_WF.p);
      const auto name = point_id(kFloor, {FeatureKind::vertex, v});
      if (height < reach - 1e-9 && shown(p, {FeatureKind::vertex, v}, X_WB.q.conjugate() * -n)) {
        EXPECT_TRUE(names.contains(name)) << v;
      }
      if (height > reach + 1e-9) {
        EXPECT_FALSE(names.contains(name)) << v;
      }
    }
    expect_mirrored(pair, d, reach, data);
    if (HasFailure()) break;
  }
}

TEST_F(PatchOfCurved, ABoxOnAFloorShowsFourPointsTiltedOrNot) {
  const Convex* box = shape(ShapeKind::box, {0.5, 0.4, 0.001});  // thinner than the reach
  for (const double tilt : {0.0, 1e-9, 1e-5, 1e-3}) {
    const Pose X{{3, 4, 0.001}, turned(tilt, {1, 2, 0})};
    const Polyhedron& p = *box->polyhedron;
    const int v = support_brute_force(p, X.q.conjugate() * Vec3(0, 0, -1));
    const Vec3 nearest = X * p.vertices[v];
    const PatchPair pair{floor, box, Pose{}, X};
    const ContactData data =
        pair.patch(over_floor(nearest.z(), nearest, {FeatureKind::vertex, v}), {.reach = 0.01});
    EXPECT_EQ(data.points.count(), 4);
    for (int i = 0; i < data.points.count(); ++i) {
      EXPECT_NEAR(data.points.p_A[i].z(), 0, 1e-15);
      EXPECT_NEAR(data.points.psi[i], data.points.p_B[i].z(), 1e-15);
    }
  }
}

TEST_F(PatchOfCurved, ANeedleOnItsPointShowsThePoint) {
  // its faces are too steep to be seen from below
  const Convex* needle = hull(
      convex_hull(std::vector<Vec3>{{0, 0, 0}, {1e-3, 0, 1}, {-1e-3, 1e-3, 1}, {-1e-3, -1e-3, 1}}));
  const Convex* table = shape(ShapeKind::box, {1, 1, 0.5});
  const Polyhedron& p = *needle->polyhedron;
  const int tip = support_brute_force(p, {0, 0, -1});
  for (const Convex* below : {floor, table}) {
    const PatchPair pair{below, needle, at(0, 0, below == table ? -0.5 : 0), at(0.1, 0.2, 0.01)};
    const Proximity d = over_floor(0.01, {0.1, 0.2, 0.01}, {FeatureKind::vertex, tip}, below);
    const ContactData data = pair.patch(d, {.reach = 0.02});
    ASSERT_EQ(data.points.count(), 1);
    EXPECT_EQ(data.points.id[0], point_id(d.a, d.b));
    EXPECT_LT((data.points.p_B[0] - Vec3(0.1, 0.2, 0.01)).norm(), 1e-15);
    EXPECT_TRUE(pair.patch(d, {.reach = 0.009}).patches.empty());
  }
}

// round solids -------------------------------------------------------------------------

TEST_F(PatchOfCurved, SpheresAndEllipsoidsShowTheWitness) {
  const Convex* ball = shape(ShapeKind::sphere, {0.3, 0, 0});
  const Convex* egg = shape(ShapeKind::ellipsoid, {0.3, 0.2, 0.3});
  const Convex* box = shape(ShapeKind::box, {1, 1, 1});
  for (const Convex* solid : {ball, egg})
    for (const Convex* below : {floor, box}) {
      const PatchPair pair{below, solid, at(0, 0, below == box ? -1 : 0), at(0.1, 0.2, 0.299)};
      const Proximity d =
          over_floor(-0.001, {0.1, 0.2, -0.001}, Feature{FeatureKind::surface, 0}, below);
      const ContactData data = pair.patch(d, {.reach = 0.1});
      ASSERT_EQ(data.points.count(), 1);
      EXPECT_EQ(data.points.psi[0], -0.001);
      EXPECT_LT((data.points.p_A[0] - Vec3(0.1, 0.2, 0)).norm(), 1e-15);
      EXPECT_EQ(data.points.id[0], point_id(d.a, d.b));
    }
}

// capsules -----------------------------------------------------------------------------

TEST_F(PatchOfCurved, ACapsuleShowsItsEndsWithinReach) {
  const Convex* capsule = shape(ShapeKind::capsule, {0.1, 0.5, 0});
  const Convex* box = shape(ShapeKind::box, {1, 1, 1});
  for (const Convex* below : {floor, box})
    for (const double tilt : {0.0, 1e-5, 0.01, 0.3, kPi / 2}) {
      const Quat q = turned(kPi / 2 + tilt, Vec3::UnitY());
      const double low = 0.002;
      const double lowest = 0.5 * std::sin(tilt) + 0.1;
      const PatchPair pair{below, capsule, at(0, 0, below == box ? -1 : 0),
                           at(0.1, 0.2, lowest + low, q)};
      const Vec3 end = pair.X_WB * Vec3(0, 0, 0.5);
      const Proximity d = over_floor(low, end - Vec3(0, 0, 0.1), {FeatureKind::surface, 0}, below);
      for (const double reach : {0.003, 0.05, 2.0}) {
        const bool both = std::sin(tilt) + low <= reach && tilt < 1;
        const ContactData data = pair.patch(d, {.reach = reach});
        EXPECT_EQ(data.points.count(), both ? 2 : 1) << tilt << " " << reach;
        check_patch(pair, d, reach, data);
        for (int i = 0; i < data.points.count(); ++i) {
          const Feature f = feature_b(data.points.id[i]);
          ASSERT_EQ(f.kind, FeatureKind::vertex);
          const Vec3 core = pair.X_WB * Vec3(0, 0, f.index == 0 ? -0.5 : 0.5);
          EXPECT_LT((data.points.p_B[i] - (core - Vec3(0, 0, 0.1))).norm(), 1e-14);
          EXPECT_NEAR(data.points.p_A[i].z(), 0, 1e-15);
        }
        expect_mirrored(pair, d, reach, data);
      }
    }
}

TEST_F(PatchOfCurved, ACapsuleThatOverhangsShowsTheEdgesOfTheTable) {
  const Convex* capsule = shape(ShapeKind::capsule, {0.1, 2, 0});
  const Convex* box = shape(ShapeKind::box, {1, 1, 1});
  const double tilt = 0.01;
  const PatchPair pair{box, capsule, at(0, 0, -1),
                       at(0, 0.3, 0.2, turned(kPi / 2 + tilt, Vec3::UnitY()))};
  // the deeper crossing is at x = 1, where the surface is 0.1 / cos(tilt) below the axis
  const double low = 0.2 - std::tan(tilt) - 0.1 / std::cos(tilt);
  Proximity d = over_floor(low, {1, 0.3, low}, {FeatureKind::surface, 0}, box);
  const ContactData data = pair.patch(d, {.reach = 0.5});
  ASSERT_EQ(data.points.count(), 2);
  check_patch(pair, d, 0.5, data);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::abs(data.points.p_A[i].x()), 1, 1e-14);
    // on the capsule: its radius from the axis
    const Vec3 x = pair.X_WB.inverse() * data.points.p_B[i];
    EXPECT_NEAR(std::hypot(x.x(), x.y()), 0.1, 1e-14);
  }
}

TEST_F(PatchOfCurved, CapsulesSideBySideShowTheEndsOfTheirOverlap) {
  const Convex* a = shape(ShapeKind::capsule, {0.1, 0.5, 0});
  const Convex* b = shape(ShapeKind::capsule, {0.2, 0.3, 0});
  for (const double askew : {0.0, 1e-7, 1e-3, 0.05}) {
    // along x, B a bit to the right: they overlap from x = -0.1 to 0.5
    const Quat along = turned(kPi / 2, Vec3::UnitY());
    const PatchPair pair{a, b, at(0, 0, 0, along),
                         at(0.2, 0, 0.301, turned(askew, Vec3::UnitZ()) * along)};
    Proximity d;
    d.distance = 0.001;
    d.normal = Vec3::UnitZ();
    d.p_A = {0.2, 0, 0.1};
    d.p_B = {0.2, 0, 0.101};
    d.a = d.b = {FeatureKind::surface, 0};
    const ContactData data = pair.patch(d, {.reach = 0.01});
    // askew, the crossing is deeper than the ends
    ASSERT_EQ(data.points.count(), askew >= 1e-3 ? 3 : 2) << askew;
    EXPECT_NEAR(data.points.psi[0], 0.001, askew * askew + 1e-15);
    for (int i = 0; i < data.points.count(); ++i) {
      const Vec3 x = pair.X_WA.inverse() * data.points.p_A[i];
      const Vec3 y = pair.X_WB.inverse() * data.points.p_B[i];
      // the sideways offset is measured across the line midway between the two
      const double cut = 1e-4 * askew * askew + 1e-15;
      EXPECT_NEAR(std::hypot(x.x(), x.y()), 0.1, cut);
      EXPECT_NEAR(std::hypot(y.x(), y.y()), 0.2, cut);
      EXPECT_NEAR((data.points.p_B[i] - data.points.p_A[i]).z(), data.points.psi[i], 1e-15);
    }
    if (askew == 0) {
      std::set<double> places;
      for (const Vec3& p : data.points.p_A) places.insert(std::round(p.x() * 1e9) / 1e9);
      EXPECT_EQ(places, (std::set<double>{-0.1, 0.5}));
    }
    expect_mirrored(pair, d, 0.01, data);
  }
  // crossed, there is one
  const Quat along = turned(kPi / 2, Vec3::UnitY());
  const PatchPair crossed{a, b, at(0, 0, 0, along), at(0, 0, 0.3, turned(kPi / 2, Vec3::UnitX()))};
  Proximity d;
  d.distance = 0;
  d.normal = Vec3::UnitZ();
  d.p_A = d.p_B = {0, 0, 0.1};
  d.a = d.b = {FeatureKind::surface, 0};
  EXPECT_EQ(crossed.patch(d, {.reach = 0.01}).points.count(), 1);
}

// cylinders ----------------------------------------------------------------------------

// The lowest point of a cylinder.
Vec3 lowest_of(const Convex& c, const Pose& X) {
  const Mat3 R = X.q.toRotationMatrix();
  const Vec3 axis = R.col(2), across = -(R(2, 0) * R.col(0) + R(2, 1) * R.col(1));
  const Vec3 side = across.norm() > 0 ? Vec3(across.normalized()) : Vec3(R.col(0));
  return X.p - (axis.z() > 0 ? 1 : -1) * c.dimensions[1] * axis + c.dimensions[0] * side;
}

TEST_F(PatchOfCurved, AStandingCylinderShowsItsRim) {
  const Convex* can = shape(ShapeKind::cylinder, {0.3, 0.5, 0});
  const Convex* box = shape(ShapeKind::box, {1, 1, 1});
  Random r(5);
  for (const Convex* below : {floor, box})
    for (const double tilt : {0.0, 1e-10, 1e-5, 1e-3})
      for (const bool upside_down : {false, true})
        for (int k = 0; k < 20; ++k) {
          const double azimuth = r.uniform(0, 6);
          const Pose X{{0.1, 0.2, 0.502},
                       turned(tilt, {std::cos(azimuth), std::sin(azimuth), 0}) *
                           turned(upside_down ? kPi : 0, Vec3::UnitX())};
          const PatchPair pair{below, can, at(0, 0, below == box ? -1 : 0), X};
          const Vec3 nearest = lowest_of(*can, X);
          const Proximity d = over_floor(nearest.z(), nearest, {FeatureKind::surface, 0}, below);
          const ContactData data = pair.patch(d, {.reach = 0.01});
          check_patch(pair, d, 0.01, data);
          if (tilt < 1e-9) {
            EXPECT_EQ(data.points.count(), 8);
          } else {
            EXPECT_GE(data.points.count(), 8);
            EXPECT_LE(data.points.count(), 9);
          }
          for (int i = 0; i < data.points.count(); ++i) {
            const Vec3 x = X.inverse() * data.points.p_B[i];
            EXPECT_NEAR(std::hypot(x.x(), x.y()), 0.3, 1e-14);
            EXPECT_NEAR(std::abs(x.z()), 0.5, 1e-14);
          }
          expect_mirrored(pair, d, 0.01, data);
        }
}

TEST_F(PatchOfCurved, ALyingCylinderShowsTheLineItLiesOn) {
  const Convex* log = shape(ShapeKind::cylinder, {0.3, 0.5, 0});
  const Convex* box = shape(ShapeKind::box, {1, 1, 1});
  for (const Convex* below : {floor, box}) {
    std::set<std::uint64_t> names;
    for (const double tilt : {1e-12, -1e-12, 1e-6, -1e-6, 1e-3})
      for (const double roll : {0.0, 0.1, 1.0, 2.0, 3.0}) {
        const Pose X{{0.1, 0.2, 0.3},
                     turned(kPi / 2 - tilt, Vec3::UnitY()) * turned(roll, Vec3::UnitZ())};
        const PatchPair pair{below, log, at(0, 0, below == box ? -1 : 0), X};
        const Vec3 nearest = lowest_of(*log, X);
        const Proximity d = over_floor(nearest.z(), nearest, {FeatureKind::surface, 0}, below);
        const ContactData data = pair.patch(d, {.reach = 0.01});
        ASSERT_EQ(data.points.count(), 2);
        check_patch(pair, d, 0.01, data);
        EXPECT_NEAR((data.points.p_B[0] - data.points.p_B[1]).norm(), 1, 1e-14);
        if (names.empty()) names = ids(data);
        EXPECT_EQ(ids(data), names);  // whatever it rolls
        expect_mirrored(pair, d, 0.01, data);
      }
  }
}

TEST_F(PatchOfCurved, CylindersOnEachOther) {
  const Convex* low = shape(ShapeKind::cylinder, {0.3, 0.5, 0});
  const Convex* high = shape(ShapeKind::cylinder, {0.2, 0.5, 0});
  const PatchPair stack{low, high, at(0, 0, -0.5), at(0.05, 0, 0.5)};
  const Proximity d = over_floor(0, {0.05, 0, 0}, {FeatureKind::surface, 0});
  const ContactData data = stack.patch(d, {.reach = 0.01});
  EXPECT_EQ(data.points.count(), 8);
  check_patch(stack, d, 0.01, data);
  // two logs side by side
  const Quat along = turned(kPi / 2, Vec3::UnitX());
  const PatchPair logs{low, high, at(0, 0, -0.3, along), at(0, 0.4, 0.2, along)};
  EXPECT_EQ(logs.patch(d, {.reach = 0.01}).points.count(), 2);
}

}  // namespace
}  // namespace abut::test
