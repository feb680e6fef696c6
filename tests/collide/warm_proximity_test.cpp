// Answers from memory, in the axes of A and of the world: along walks of solids of every kind they
// are what a query without memory finds.
#include "abut/collide/proximity/warm/warm_proximity.h"
#include "abut/collide/proximity/proximity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "abut/collide/proximity/cold/core_counts.h"
#include "collide/random_solids.h"

namespace abut::testing {
namespace {

TEST(WarmProximity, IsTheSameInTheWorldsAxes) {
  const CoreCounts before = core_counts();
  int asked = 0, same_features = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const double size = std::pow(10, random.uniform(-3, 3)), far = seed % 4 == 0 ? 1e4 * size : 0;
    const double motion = std::pow(10, random.uniform(-6, -2));
    ConvexSet solids;
    for (int i = 0; i < 2; ++i)
      solids.add(shrunk(random_solid(random, pick(random, 0, kSolidKinds - 1), 40), size));
    const Polyhedron &P = *solids[0].polyhedron, &Q = *solids[1].polyhedron;
    const double L = pair_size(solids[0], solids[1]), tolerance = 1e-9 * L + 1e-14 * far;
    const Pose X_AB = random_placement(random, P, Q);
    Pose X_WA{far * random.direction(), random.rotation()};
    Pose X_WB = X_WA * X_AB;
    WarmStart in_a, in_world;
    for (int step = 0; step < 12; ++step) {
      X_WB.p += motion * size * random.direction();
      X_WB.q = Quat(Eigen::AngleAxisd(motion, random.direction())) * X_WB.q;
      X_WB.q.normalize();
      const Transform placed_A(X_WA), placed_B(X_WB);
      const PlacedConvex A{solids[0], placed_A}, B{solids[1], placed_B};
      const Proximity cold = proximity(A, B);
      const Proximity world = proximity(A, B, &in_world);
      const Proximity local = proximity(solids[0], X_WA, solids[1], X_WB, &in_a);
      SCOPED_TRACE(fmt::format("seed {} step {}", seed, step));
      const double steady = cold.distance < 0 ? 1e-6 * L : 0;
      ASSERT_LE(world.distance, cold.distance + tolerance);
      ASSERT_GE(world.distance, cold.distance - steady - tolerance);
      ASSERT_NEAR(world.distance, local.distance, steady + tolerance);
      ASSERT_NEAR(world.normal.norm(), 1, 1e-12);
      ASSERT_LT((world.p_A + world.distance * world.normal - world.p_B).norm(), tolerance);
      ASSERT_LT(outside(P, placed_A.inverse() * world.p_A), 2e-9 * L + tolerance);
      ASSERT_LT(outside(Q, placed_B.inverse() * world.p_B), 2e-9 * L + tolerance);
      ++asked;
      if (world.a != local.a || world.b != local.b) continue;
      ++same_features;
      // features that are all but parallel have many points, and touching ones a normal of rounding
      if (std::abs(world.distance) > 1e-4 * L) {
        ASSERT_LT((world.normal - local.normal).norm(), 1e-6);
      }
    }
  }
  EXPECT_GT(same_features, asked * 95 / 100);
  EXPECT_GT(core_counts().same_features - before.same_features, asked);
}

// Touching solids: whether their normal is one of many is asked in A's frame, wherever they are.
TEST(WarmProximity, KissingIsSeenInTheWorldsAxes) {
  ConvexSet solids;
  solids.add(box_polyhedron({0.5, 0.5, 0.5}));
  solids.add(box_polyhedron({0.5, 0.5, 0.5}));
  Random random(3);
  const Transform X_WA(random.pose(5));
  const struct {
    Vec3 at;
    bool indeterminate;
  } cases[] = {{{0.2, 0.1, 1}, false}, {{1, 1, 1}, true}, {{1, 1, 1 + 1e-9}, true}};
  for (const auto& c : cases) {
    const Transform X_WB = X_WA * Transform(Mat3::Identity(), c.at);
    WarmStart warm_start;
    for (int i = 0; i < 3; ++i) {
      const Proximity d =
          proximity(PlacedConvex{solids[0], X_WA}, PlacedConvex{solids[1], X_WB}, &warm_start);
      ASSERT_NEAR(d.distance, 0, 2e-9);
      ASSERT_EQ(d.indeterminate, c.indeterminate) << "at " << c.at.transpose() << ", query " << i;
    }
  }
}

// A warm start with numbers of another solid, or of none.
TEST(WarmProximity, DoesNotTrustAWarmStart) {
  ConvexSet solids;
  solids.add(box_polyhedron({0.5, 0.5, 0.5}));
  solids.add(box_polyhedron({0.4, 0.5, 0.5}));
  const Transform X_WA, X_WB(Mat3::Identity(), {0.2, 0.1, 0.8});
  for (const FeatureKind kind : {FeatureKind::vertex, FeatureKind::edge, FeatureKind::face,
                                 FeatureKind::surface, FeatureKind::none})
    for (const int index : {0, 7, 8, 11, 12, 1 << 27})
      for (const double bound : {-1.0, 0.0}) {
        WarmStart warm_start;
        warm_start.feature_a = packed({kind, index});
        warm_start.feature_b = packed({FeatureKind::vertex, index % 9});
        warm_start.bound = bound;
        const Proximity d =
            proximity(PlacedConvex{solids[0], X_WA}, PlacedConvex{solids[1], X_WB}, &warm_start);
        EXPECT_NEAR(d.distance, -0.2, 1e-12);
      }
}

}  // namespace
}  // namespace abut::testing
