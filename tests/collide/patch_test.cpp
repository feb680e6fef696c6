// Patches of polyhedra.
#include "abut/collide/patch/patch.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "collide/patch_testing.h"
#include "support/allocations.h"
#include "support/soak.h"

namespace abut::test {
namespace {

using testing::Each;
using testing::IsSubsetOf;

const double kPi = std::numbers::pi;

class PatchOfBoxes : public ::testing::Test {
 protected:
  PatchOfBoxes() {
    for (const Vec3& half : {Vec3(0.5, 0.5, 0.5), Vec3(2, 2, 0.5), Vec3(1, 1, 1e-3)})
      solids.add(Shape{ShapeKind::box, half}, ShapeAssets{});
  }
  PatchPair pair(int a, int b, const Pose& X_AB) const {
    return {&solids[a], &solids[b], Pose{}, X_AB};
  }
  void expect_count(const PatchPair& pair, double reach, int count) const {
    SCOPED_TRACE(fmt::format("B at {} {} {}", pair.X_WB.p.x(), pair.X_WB.p.y(), pair.X_WB.p.z()));
    const Proximity d = pair.proximity();
    const ContactData data = pair.patch(d, {.reach = reach});
    EXPECT_EQ(data.points.count(), count);
    check_patch(pair, d, reach, data);
    const ContactData back = pair.swapped().patch(swapped(d), {.reach = reach});
    EXPECT_EQ(ids(back), mirrored(ids(data)));
  }

  ConvexSet solids;
  static constexpr int kCube = 0, kTable = 1, kPlate = 2;
};

TEST_F(PatchOfBoxes, CubeOnCube) {
  // K-T9, the patch's view of it
  expect_count(pair(kCube, kCube, at(0, 0, 1)), 1e-3, 4);
  expect_count(pair(kCube, kCube, at(0, 0, 1, turned(kPi / 4, Vec3::UnitZ()))), 1e-3, 8);
  expect_count(pair(kCube, kCube, at(0.25, 0.25, 1)), 1e-3, 4);
  expect_count(pair(kCube, kCube, at(0.25, 0, 1)), 1e-3, 4);
  expect_count(pair(kCube, kCube, at(0, 0, 0.9)), 1e-3, 4);
  expect_count(pair(kTable, kCube, at(0.3, 0.1, 1)), 1e-3, 4);
  expect_count(pair(kTable, kCube, at(1.9, 0.1, 1)), 1e-3, 4);
  expect_count(pair(kTable, kCube, at(2, 2, 1, turned(kPi / 4, Vec3::UnitZ()))), 1e-3, 3);
  // on an edge, on a vertex, edges crossed
  const double edge = 0.5 + std::sqrt(0.5), vertex = 0.5 + std::sqrt(0.75);
  const Quat on_edge = turned(kPi / 4, Vec3::UnitX());
  const Quat on_vertex = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitZ());
  expect_count(pair(kTable, kCube, at(0, 0, edge, on_edge)), 1e-3, 2);
  expect_count(pair(kTable, kCube, at(0.2, 0.1, vertex, on_vertex)), 1e-3, 1);
  const Quat crossed = turned(kPi / 2, Vec3::UnitZ()) * on_edge;
  const Convex& cube = solids[kCube];
  expect_count({&cube, &cube, at(0, 0, 0, on_edge), at(0.1, 0.1, std::sqrt(2.0), crossed)}, 1e-3,
               1);
}

TEST_F(PatchOfBoxes, NothingBeyondReach) {
  const PatchPair apart = pair(kCube, kCube, at(0, 0, 1.1));
  EXPECT_TRUE(apart.patch(0.05).patches.empty());
  EXPECT_EQ(apart.patch(0.15).points.count(), 4);
  EXPECT_THAT(apart.patch(0.15).points.psi, Each(testing::DoubleNear(0.1, 1e-15)));
}

TEST_F(PatchOfBoxes, ABoxTiltedABitShowsFourPoints) {
  for (const double tilt : {1e-12, 1e-9, 1e-7, 1e-5, 1e-3})
    for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(1, 2, 0), Vec3(1, 1, 0.5)})
      for (const double gap : {-1e-4, 0.0, 1e-4}) {
        const PatchPair tilted = pair(kTable, kCube, at(0.2, 0.1, 1 + gap, turned(tilt, axis)));
        expect_count(tilted, 3e-3, 4);
        // the gaps are those of the corners
        const ContactData data = tilted.patch(3e-3);
        for (std::size_t i = 0; i < data.points.psi.size(); ++i) {
          const int v = feature_b(data.points.id[i]).index;
          ASSERT_EQ(feature_b(data.points.id[i]).kind, FeatureKind::vertex);
          const double z = (tilted.X_WB * solids[kCube].polyhedron->vertices[v]).z();
          EXPECT_NEAR(data.points.psi[i], z - 0.5, 1e-12 + 2 * tilt * tilt);
        }
      }
}

TEST_F(PatchOfBoxes, CrossedEdgesOfAlmostParallelFacesShowThoseToo) {
  // B's corner region overhangs A's: the deepest place is an edge crossing, the faces are
  // a thousandth of a radian from parallel, and all corners are within reach
  const Quat tilt = turned(1e-3, Vec3(1, -1, 0)) * turned(0.5, Vec3::UnitZ());
  const PatchPair p = pair(kCube, kCube, at(0.9, 0.1, 1, tilt));
  const Proximity d = p.proximity();
  const ContactData data = p.patch(d, {.reach = 0.01});
  check_patch(p, d, 0.01, data);
  EXPECT_GE(data.points.count(), 3);
  EXPECT_THAT(sure_corners(p, d.normal, 0.01, 1e-9), IsSubsetOf(ids(data)));
}

TEST_F(PatchOfBoxes, ThinPlates) {
  expect_count(pair(kPlate, kPlate, at(0, 0, 2e-3)), 1e-4, 4);
  expect_count(pair(kPlate, kPlate, at(0.3, -0.2, 2e-3, turned(0.3, Vec3::UnitZ()))), 1e-4, 6);
  // a reach of many thicknesses does not reach round to the other side
  expect_count(pair(kPlate, kPlate, at(0, 0, 2e-3)), 0.1, 4);
  expect_count(pair(kTable, kPlate, at(0, 0, 0.501, turned(1e-5, Vec3::UnitX()))), 0.1, 4);
}

TEST_F(PatchOfBoxes, IdsStayUnderTinyMotions) {
  Random r(3);
  for (const Pose& X : {at(0, 0, 1), at(0.25, 0.25, 1), at(0.25, 0, 1),
                        at(0, 0, 1, turned(kPi / 4, Vec3::UnitZ()))}) {
    const PatchPair still = pair(kCube, kCube, X);
    const std::set<std::uint64_t> names = ids(still.patch(1e-3));
    for (int i = 0; i < 100; ++i) {
      const Vec3 turn = r.vec(1e-11);
      const PatchPair moved =
          pair(kCube, kCube, Pose{X.p + r.vec(1e-11), turned(turn.norm(), turn) * X.q});
      EXPECT_EQ(ids(moved.patch(1e-3)), names);
    }
  }
}

TEST_F(PatchOfBoxes, StacksFarAway) {
  // ten cubes on each other, at 10 km
  for (int k = 0; k < 10; ++k) {
    const PatchPair p = {&solids[kCube], &solids[kCube], at(1e4, -1e4, 1e4 + k),
                         at(1e4, -1e4, 1e4 + k + 1)};
    const Proximity d = p.proximity();
    EXPECT_NEAR(d.distance, 0, 1e-11);
    const ContactData data = p.patch(d, {.reach = 1e-6});
    check_patch(p, d, 1e-6, data);
    EXPECT_EQ(data.points.count(), 4);
  }
}

TEST_F(PatchOfBoxes, FewerPointsKeepTheExtremes) {
  const PatchPair p = pair(
      kCube, kCube, at(0, 0, 1, turned(1e-4, Vec3(1, 0.3, 0)) * turned(kPi / 4, Vec3::UnitZ())));
  const Proximity d = p.proximity();
  const ContactData all = p.patch(d, {.reach = 1e-2});
  ASSERT_EQ(all.points.count(), 8);
  const double deepest = *std::min_element(all.points.psi.begin(), all.points.psi.end());
  double area_before = 0;
  for (int most = 1; most <= 8; ++most) {
    const ContactData few = p.patch(d, {.reach = 1e-2, .max_points = most});
    EXPECT_EQ(few.points.count(), most);
    EXPECT_THAT(ids(few), IsSubsetOf(ids(all)));
    EXPECT_EQ(*std::min_element(few.points.psi.begin(), few.points.psi.end()), deepest);
    if (most < 3) continue;
    // four of a regular octagon can span a square: 2 / (2 sqrt 2) of its area
    std::vector<Vec2> ring;
    for (const Vec3& x : few.points.p_A) ring.emplace_back(x.x(), x.y());
    std::sort(ring.begin(), ring.end(), [](const Vec2& a, const Vec2& b) {
      return std::atan2(a.y(), a.x()) < std::atan2(b.y(), b.x());
    });
    double area = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vec2 &a = ring[i], &b = ring[(i + 1) % ring.size()];
      area += 0.5 * (a.x() * b.y() - a.y() * b.x());
    }
    EXPECT_GT(area, area_before);
    if (most == 4) {
      EXPECT_GT(area, 0.58 * 2 * (std::sqrt(2.0) - 1));
    }
    area_before = area;
  }
  EXPECT_EQ(p.patch(d, {.reach = 1e-2, .max_points = 9}).points.count(), 8);
}

// hulls --------------------------------------------------------------------------------

// Two random hulls, near contact.
struct RandomPair {
  ConvexSet solids;
  PatchPair pair;
  double reach;

  RandomPair(Random& r, int most_vertices) {
    const double size = std::pow(10, r.uniform(-2, 2));
    for (int i = 0; i < 2; ++i) {
      if (r.integer(0, 3) == 0)
        solids.add(Shape{ShapeKind::box, size * Vec3(r.uniform(0.02, 1), 0.5, 0.7)}, {});
      else
        solids.add(random_hull(r, r.integer(4, most_vertices), size));
    }
    pair = {&solids[0], &solids[1], {r.vec(size), r.quat()}, {r.vec(size), r.quat()}};
    // to touch, or nearly
    const Proximity d = pair.proximity();
    const double gap = pair.size() * (r.integer(0, 2) == 0 ? 0 : r.uniform(-0.05, 0.01));
    pair.X_WB.p += (gap - d.distance) * d.normal;
    reach = std::max(0.0, gap) + pair.size() * std::pow(10, r.uniform(-8, -0.7));
  }
};

// The face of B whose normal is nearest to -n, turned by the least rotation to be it: faces
// that lie on each other are the rule at rest and the exception at random.
void lay_flat(RandomPair& random, const Vec3& n) {
  const Polyhedron& B = *random.pair.B->polyhedron;
  Pose& X = random.pair.X_WB;
  int best = 0;
  for (int f = 1; f < B.face_count(); ++f)
    if ((X.q * B.faces[f].eta).dot(n) < (X.q * B.faces[best].eta).dot(n)) best = f;
  X.q = (Quat::FromTwoVectors(X.q * B.faces[best].eta, -n) * X.q).normalized();
  const Proximity d = random.pair.proximity();
  X.p -= d.distance * d.normal;
}

// The same names, halves swapped; but where a vertex comes within the tolerance of an edge,
// the corners beside it, which are all but one, may be shown from one side and not from
// the other.
void expect_same_seen_from_b(const PatchPair& p, const Proximity& d, double reach,
                             const ContactData& data) {
  const ContactData back = p.swapped().patch(swapped(d), {.reach = reach});
  const auto expect_in = [&](const ContactData& some, const ContactData& all) {
    const auto names = mirrored(ids(all));
    for (int i = 0; i < some.points.count(); ++i) {
      if (names.contains(some.points.id[i])) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const Vec3& x : all.points.p_B)
        nearest = std::min(nearest, (x - some.points.p_A[i]).norm());
      EXPECT_LT(nearest, 1e-6 * p.size());
    }
  };
  expect_in(data, back);
  expect_in(back, data);
}

TEST(PatchOfHulls, HoldsEveryCornerWithinReach) {
  Random r(1);
  int corners = 0;
  for (const Soak soak(0.5, 500); soak.goes_on();) {
    RandomPair random(r, 40);
    if (r.integer(0, 1) == 0) lay_flat(random, random.pair.proximity().normal);
    const PatchPair& p = random.pair;
    const Proximity d = p.proximity();
    if (d.distance > random.reach) continue;
    // a sliver on its point shows the witness alone, which the referee does not know
    if (!shown(*p.A->polyhedron, d.a, p.X_WA.q.conjugate() * d.normal) ||
        !shown(*p.B->polyhedron, d.b, p.X_WB.q.conjugate() * -d.normal))
      continue;
    const ContactData data = p.patch(d, {.reach = random.reach});
    check_patch(p, d, random.reach, data);
    const auto sure = sure_corners(p, d.normal, random.reach, 1e-6 * p.size());
    EXPECT_THAT(sure, IsSubsetOf(ids(data)));
    corners += static_cast<int>(sure.size());
    expect_same_seen_from_b(p, d, random.reach, data);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(corners, 500);
}

// Seen along another direction than that of their distance, solids need not be above each other
// where they are nearest: the patch is found all the same.
TEST(PatchOfHulls, AlongAnyDirectionHoldsEveryCorner) {
  Random r(11);
  int corners = 0, beside = 0;
  PatchScratch scratch;
  for (const Soak soak(0.5, 500); soak.goes_on();) {
    const RandomPair random(r, 40);
    const PatchPair& p = random.pair;
    const Proximity d = p.proximity();
    const Vec3 n = (d.normal + r.vec(1)).normalized();
    const double reach = 10 * p.size();
    const auto sure = sure_corners(p, n, reach, 1e-6 * p.size());
    if (sure.empty()) continue;
    for (const Vec3& between : {Vec3(0.5 * (d.p_A + d.p_B)), p.X_WA.p}) {
      ContactData data;
      append_patch_along(n, between, *p.A, p.X_WA, *p.B, p.X_WB, {reach}, scratch, data);
      EXPECT_THAT(sure, IsSubsetOf(ids(data)));
    }
    corners += static_cast<int>(sure.size());
    const auto misses = [&](const Convex& solid, const Pose& X) {
      const Passage on = pass(transformed(*solid.polyhedron, X), 0.5 * (d.p_A + d.p_B), n);
      return !(on.leave > on.enter);
    };
    beside += misses(*p.A, p.X_WA) || misses(*p.B, p.X_WB);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(corners, 500);
  EXPECT_GT(beside, 20);
}

// Condition (2) of Cheng Yi and Drumwright, K-T10: B moves by a random twist that no point objects
// to.
TEST(PatchOfHulls, IfAllPointsSeparateTheBodiesDo) {
  Random r(2);
  for (const Soak soak(0.5); soak.goes_on();) {
    RandomPair random(r, 30);
    if (r.integer(0, 1) == 0) lay_flat(random, random.pair.proximity().normal);
    const PatchPair& p = random.pair;
    const double L = p.size();
    const Proximity d = p.proximity();
    const double reach = d.distance + 1e-4 * L;  // more than they move below
    const ContactData data = p.patch(d, {.reach = reach});
    ASSERT_EQ(data.patches.size(), 1u);
    Vec3 v = r.vec(L), omega = r.vec(1);
    double slowest = std::numeric_limits<double>::infinity();
    for (const Vec3& x : data.points.p_B)
      slowest = std::min(slowest, d.normal.dot(v + omega.cross(x - p.X_WB.p)));
    v -= slowest * d.normal;
    // so short that what is of second order (1e-11 L in 1e-6 s) is nothing: the bound is on
    // the speed, 1e-5 L a second
    const double dt = 1e-7;
    PatchPair after = p;
    after.X_WB.p += dt * v;
    after.X_WB.q = (turned(dt * omega.norm(), omega) * p.X_WB.q).normalized();
    EXPECT_GE(after.proximity().distance - d.distance, -1e-5 * dt * L);
    // and it can fail: pushed at, they do not
    after.X_WB.p -= 2 * dt * 1e-3 * L * d.normal;
    EXPECT_LT(after.proximity().distance - d.distance, dt * 10 * L);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(PatchOfHulls, MovesWithThePair) {
  Random r(4);
  for (const Soak soak(0.2); soak.goes_on();) {
    RandomPair random(r, 20);
    const PatchPair& p = random.pair;
    const double L = p.size();
    const Proximity d = p.proximity();
    const ContactData data = p.patch(d, {.reach = random.reach});
    const Pose X{r.vec(1e4), r.quat()};
    const PatchPair far = p.moved(X);
    Proximity d_far = d;
    d_far.normal = X.q * d.normal;
    d_far.p_A = X * d.p_A;
    d_far.p_B = X * d.p_B;
    const ContactData moved = far.patch(d_far, {.reach = random.reach});
    if (ids(moved) != ids(data)) {
      // a corner may be at the edge of reach, or two at one place
      EXPECT_LE(std::abs(moved.points.count() - data.points.count()), 2);
      continue;
    }
    for (std::size_t i = 0; i < data.points.psi.size(); ++i) {
      EXPECT_NEAR(moved.points.psi[i], data.points.psi[i], 1e-9 * L + 1e-9);
      EXPECT_LT((moved.points.p_A[i] - X * data.points.p_A[i]).norm(), 1e-8 * L + 1e-8);
    }
    if (testing::Test::HasFailure()) break;
  }
}

TEST(PatchOfHulls, NearlyCoplanarFacesCountAsOne) {
  // A table whose top is a shallow tent of four triangles, under a cube that stands on all:
  // the four corners are there, and those where the ridges leave the cube.
  ConvexSet solids;
  solids.add(convex_hull(std::vector<Vec3>{
      {-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {0.1, 0.2, 1e-6}, {0, 0, -1}}));
  solids.add(Shape{ShapeKind::box, {0.5, 0.5, 0.5}}, {});
  const PatchPair p = {&solids[0], &solids[1], Pose{}, at(0, 0, 0.5 + 1e-6)};
  const ContactData data = p.patch(1e-4);
  check_patch(p, p.proximity(), 1e-4, data);
  EXPECT_EQ(data.points.count(), 9);  // 4 corners, 4 crossings, the top of the tent
}

TEST(PatchOfHulls, BigHulls) {
  Random r(5);
  ConvexSet solids;
  std::vector<Vec3> ball;
  for (int i = 0; i < 2000; ++i) ball.push_back(r.vec(1).normalized());
  solids.add(convex_hull(ball));
  solids.add(Shape{ShapeKind::box, {1, 1, 0.5}}, {});
  for (int i = 0; i < 20; ++i) {
    for (const bool two : {false, true}) {
      PatchPair p = {&solids[two ? 0 : 1],
                     &solids[0],
                     {Vec3::Zero(), two ? r.quat() : Quat(1, 0, 0, 0)},
                     {{0.3, 0.2, 1.6}, r.quat()}};
      const Proximity apart = p.proximity();
      p.X_WB.p -= (apart.distance + 1e-4) * apart.normal;
      const Proximity d = p.proximity();
      const ContactData data = p.patch(d, {.reach = 2e-2});
      check_patch(p, d, 2e-2, data);
      if (!two) {
        EXPECT_THAT(sure_corners(p, d.normal, 2e-2, 1e-6), IsSubsetOf(ids(data)));
      }
      EXPECT_GE(data.points.count(), 3);
    }
  }
}

TEST(PatchOfHulls, AllocatesNothingWhenWarm) {
  Random r(6);
  RandomPair random(r, 30);
  PatchScratch scratch;
  ContactData out;
  const PatchPair& p = random.pair;
  const Proximity d = p.proximity();
  const auto query = [&] {
    out.clear();
    for (int i = 0; i < 3; ++i)
      append_patch(*p.A, p.X_WA, *p.B, p.X_WB, d, {.reach = random.reach, .max_points = i}, scratch,
                   out);
  };
  query();
  const long before = allocation_count();
  for (int i = 0; i < 10; ++i) query();
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(out.patches.size(), 3u);
}

}  // namespace
}  // namespace abut::test
