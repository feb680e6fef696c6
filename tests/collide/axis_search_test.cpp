// The search over few separating axes: the same bits on every vector unit, and the same least
// translation as all of the axes.
#include "abut/collide/proximity/cold/axis_search.h"

#include <gtest/gtest.h>

#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/collide/solid/convex.h"
#include "support/polyhedra.h"
#include "support/soak.h"

namespace abut::test {
namespace {

// What core_proximity() asks, from the direction between the centers.
AxisProblem problem(const Convex& A, const Convex& B, const Transform& X_AB) {
  AxisProblem q{};
  q.a = A.axes;
  q.b = B.axes;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) q.R[i][j] = X_AB.R(i, j);
    q.p[i] = X_AB.p[i];
    q.center_a[i] = A.center[i];
    q.center_b[i] = B.center[i];
  }
  q.inner_a = A.inner;
  q.inner_b = B.inner;
  const Vec3 u = (X_AB * B.center - A.center).normalized();
  const int a = A.support->farthest(u), b = B.support->farthest(-(X_AB.R.transpose() * u));
  q.deep_a[0] = q.deep_a[1] = a;
  q.deep_b[0] = q.deep_b[1] = b;
  q.bound = u.dot(A.support->vertex(a) - X_AB * B.support->vertex(b));
  q.slack = 1e-8 * pair_size(A, B);
  q.face_bias = kFaceBias * pair_size(A, B);
  return q;
}

TEST(AxisSearch, FindsTheLeastOfAllAxesWithEveryVectorUnit) {
  SatScratch scratch;
  int found = 0, edges = 0, taken_back = 0;
  // first a prism beside one whose edges are all but parallel to its own
  unsigned round = 0;
  for (const Soak soak(1); soak.goes_on() || round < 300; ++round) {
    const unsigned seed = round == 0 ? 55776 : round;
    Random r(seed);
    const double size = r.magnitude(1e-3, 1e3);
    ConvexSet solids;
    solids.add(random_polyhedron(r, 33, size));
    solids.add(random_polyhedron(r, 33, size));
    const Convex &a = solids[0], &b = solids[1];
    for (int k = 0; k < 20 && a.axes && b.axes; ++k) {
      // near each other and in each other
      Transform X_AB(r.quat().toRotationMatrix(), Vec3::Zero());
      const Vec3 way = r.direction();
      const double reach =
          way.dot(a.support->vertex(a.support->farthest(way))) -
          way.dot(X_AB.R * b.support->vertex(b.support->farthest(-(X_AB.R.transpose() * way))));
      X_AB.p = (reach - r.magnitude(1e-4, 0.3) * size) * way;
      AxisProblem q = problem(a, b, X_AB);
      q.margin = r.chance(2) ? 0 : r.uniform(0, 0.01) * pair_size(a, b);
      if (!(q.bound > 0)) continue;
      const AxisFound best = axis_units().front().search(q);
      for (const AxisUnit& unit : axis_units()) {
        const AxisFound same = unit.search(q);
        ASSERT_EQ(same.kind, best.kind) << unit.name << ", seed " << seed;
        ASSERT_EQ(same.a, best.a) << unit.name << ", seed " << seed;
        ASSERT_EQ(same.b, best.b) << unit.name << ", seed " << seed;
        ASSERT_EQ(same.depth, best.depth) << unit.name << ", seed " << seed;
        ASSERT_EQ(same.others, best.others) << unit.name << ", seed " << seed;
      }
      if (best.kind == AxisFound::none || best.kind == AxisFound::too_many) continue;
      const SatProximity all = sat_proximity(*a.polyhedron, *b.polyhedron, X_AB, scratch);
      // less than the least there is: who asks sees that it is not so, and finds it otherwise
      if (best.kind == AxisFound::edges && all.distance <= 0 &&
          best.depth < -all.distance - 1e-10 * pair_size(a, b)) {
        ASSERT_NEAR(proximity(a, b, X_AB).distance, all.distance, 1e-10 * pair_size(a, b));
        ++taken_back;
      } else if (best.depth < 0) {
        ASSERT_GT(all.distance, 0) << "seed " << seed;
      } else {
        ASSERT_NEAR(best.depth, -all.distance, 1e-10 * pair_size(a, b)) << "seed " << seed;
      }
      ++found;
      edges += best.kind == AxisFound::edges;
    }
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(edges, 50);
  EXPECT_GE(taken_back, 1);
  EXPECT_LE(taken_back, 1 + found / 10000);
}

TEST(AxisTable, IsNotMadeOfSliversAndLargeSolids) {
  Random r(1);
  EXPECT_TRUE(axis_table(box_polyhedron({1, 2, 3})));
  EXPECT_FALSE(axis_table(box_polyhedron({1, 2, 1e-5})));
  EXPECT_FALSE(axis_table(random_polyhedron(r, Sort::on_sphere, 100, 1)));
}

}  // namespace
}  // namespace abut::test
