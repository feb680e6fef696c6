// How a least translation is followed from query to query: faces of the difference and their
// neighbours, the proof that none is nearer, and walks of many sizes and jumps.
#include "abut/collide/proximity/warm/follow_overlap.h"
#include "abut/collide/proximity/proximity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "abut/collide/proximity/cold/core_counts.h"
#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/warm/cap_certificate.h"
#include "collide/random_solids.h"

namespace abut::testing {
namespace {

// Two solids that overlap more or less, and the depth by the separating axes.
struct Overlap {
  explicit Overlap(unsigned seed, int most_points = 40) {
    Random random(seed);
    const double size = std::pow(10, random.uniform(-3, 3));
    for (int i = 0; i < 2; ++i)
      solids.add(shrunk(random_solid(random, pick(random, 0, kSolidKinds - 1), most_points), size));
    const Pose X = random_placement(random, *solids[0].polyhedron, *solids[1].polyhedron);
    X_AB = Transform(X);
    L = pair_size(solids[0], solids[1]);
    SatScratch scratch;
    depth = -sat_proximity(*solids[0].polyhedron, *solids[1].polyhedron, X_AB, scratch).distance;
  }
  PolyhedronPair pair() const { return {solids[0], solids[1], X_AB}; }
  // Some face of the difference.
  bool any_face(Random& random, DifferenceFace& face) const {
    const Polyhedron& A = *solids[0].polyhedron;
    const int f = pick(random, 0, A.face_count() - 1);
    const int v = solids[1].support->farthest(
        -(X_AB.R.transpose() * A.faces[static_cast<std::size_t>(f)].eta));
    if (!difference_face(pair(), {FeatureKind::face, f}, {FeatureKind::vertex, v}, {}, face))
      return false;
    DifferenceFace next;
    for (int steps = pick(random, 0, 6); steps > 0; --steps)
      if (neighbour(pair(), face, pick(random, 0, face.count - 1), next)) face = next;
    return true;
  }
  // From there to one that the origin's projection is inside of: maybe the nearest, maybe not.
  void go_down(DifferenceFace& face) const {
    DifferenceFace next;
    for (int steps = 0; steps < 40; ++steps) {
      int out = -1;
      for (int k = 0; k < face.count; ++k)
        if (face.room(k) < 0) out = k;
      if (out < 0 || !neighbour(pair(), face, out, next)) return;
      face = next;
    }
  }

  ConvexSet solids;
  Transform X_AB;
  double L = 0, depth = 0;
};

TEST(InnerBalls, AreInsideTheSolid) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const Polyhedron p =
        random_solid(random, static_cast<int>(seed) % kSolidKinds, seed % 20 == 0 ? 900 : 60);
    ConvexSet set;
    const Convex& c = set[set.add(p)];
    for (int v = 0; v < p.vertex_count(); ++v) {
      const InnerBall& b = c.balls->under(v);
      ASSERT_GE(b.radius, 0);
      ASSERT_LE(outside(p, b.center), -b.radius + 1e-14 * p.size)
          << "seed " << seed << " vertex " << v;
    }
  }
}

TEST(DifferenceFace, IsOutermostAndSoAreItsNeighbours) {
  int asked = 0, told = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Overlap c(seed);
    Random random(seed);
    DifferenceFace face, next, back;
    if (!c.any_face(random, face)) continue;
    const std::vector<Vec3> points =
        vertex_differences(*c.solids[0].polyhedron, *c.solids[1].polyhedron, c.X_AB);
    for (int k = 0; k < face.count; ++k) {
      ++asked;
      if (!neighbour(c.pair(), face, k, next)) continue;
      ++told;
      SCOPED_TRACE(fmt::format("seed {} edge {}", seed, k));
      ASSERT_NEAR(next.normal.norm(), 1, 1e-12);
      for (const Vec3& w : points) ASSERT_LE(-w.dot(next.normal), next.distance + 1e-7 * c.L);
      // it has the edge, the other way round
      int shared = -1;
      for (int i = 0; i < next.count; ++i) {
        const auto &p = next.corner[static_cast<std::size_t>(i)], &q = next.next(i);
        const auto &r = face.corner[static_cast<std::size_t>(k)], &s = face.next(k);
        if (p.a == s.a && p.b == s.b && q.a == r.a && q.b == r.b) shared = i;
        ASSERT_NEAR(p.v.dot(next.normal), next.distance, 1e-7 * c.L);
      }
      ASSERT_GE(shared, 0);
    }
  }
  EXPECT_GT(told, asked / 2);
}

// "Covered" is a proof, and "better" is one of the opposite.
TEST(CapCertificate, IsNeverWrong) {
  int covered = 0, better = 0, all = 0;
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    const Overlap c(seed, 24);
    Random random(seed);
    DifferenceFace face;
    if (!(c.depth > 1e-6 * c.L)) continue;
    ++all;
    // the nearest face, or any other
    if (seed % 2 == 0) {
      if (!c.any_face(random, face)) continue;
      if (seed % 4 == 0) c.go_down(face);
    } else {
      const Proximity d = proximity(c.solids[0], c.solids[1], c.X_AB);
      if (!difference_face(c.pair(), d.a, d.b, d.normal, face)) continue;
    }
    if (!(face.distance > 0)) continue;
    const double slack = face.distance * std::pow(10, random.uniform(-9, -2));
    const double asked = face.distance - slack;
    const CapCertificate found = certify_by_caps(c.pair(), face, slack);
    SCOPED_TRACE(fmt::format("seed {}: asked {:.17g}, truly {:.17g}", seed, asked, c.depth));
    if (found.answer == CapCertificate::certified) {
      ++covered;
      ASSERT_GE(c.depth, asked - 1e-10 * c.L);
    } else if (found.answer == CapCertificate::better) {
      ++better;
      ASSERT_LE(c.depth, face.distance + 1e-10 * c.L);
    }
  }
  EXPECT_GT(covered, all / 8);
  EXPECT_GT(better, all / 8);
}

// Round hulls of many vertices, where faces change in nearly every query; slow and fast, with jumps
// between, near and far from the origin.
TEST(FollowOverlap, IsTheLeastAlongWalks) {
  CoreCounts before = core_counts();
  int overlapping = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const double size = std::pow(10, random.uniform(-3, 3)), far = seed % 3 == 0 ? 1e4 * size : 0;
    const double motion = std::pow(10, random.uniform(-5, -1.5));
    ConvexSet solids;
    for (int i = 0; i < 2; ++i) {
      std::vector<Vec3> points;
      const Vec3 half = Vec3(0.4, 0.4, 0.4) + random.in_cube(0.15);
      for (int n = pick(random, 8, seed % 10 == 0 ? 600 : 120); n > 0; --n)
        points.push_back(size * half.cwiseProduct(random.direction()));
      solids.add(convex_hull(points));
    }
    const double L = pair_size(solids[0], solids[1]);
    const Vec3 origin = far * random.direction();
    Pose X_WA{origin, random.rotation()};
    WarmStart warm_start;
    Pose X_WB = X_WA;
    for (int step = 0; step < 60; ++step) {
      if (step % 20 == 0) X_WB = {origin + 0.6 * size * random.direction(), random.rotation()};
      X_WB.p += motion * size * random.direction();
      X_WB.q = Quat(Eigen::AngleAxisd(motion, random.direction())) * X_WB.q;
      X_WB.q.normalize();
      const Proximity cold = proximity(solids[0], X_WA, solids[1], X_WB);
      const Proximity warm = proximity(solids[0], X_WA, solids[1], X_WB, &warm_start);
      SCOPED_TRACE(fmt::format("seed {} step {}", seed, step));
      const double tolerance = 1e-9 * L + 1e-15 * far;
      ASSERT_LE(warm.distance, cold.distance + tolerance);
      ASSERT_GE(warm.distance, cold.distance - (cold.distance < 0 ? 1e-6 * L : 0) - tolerance);
      ASSERT_LT((warm.p_A + warm.distance * warm.normal - warm.p_B).norm(), tolerance);
      if (cold.distance < -1e-4 * L) ++overlapping;
    }
  }
  // and that is how they were found
  const CoreCounts& now = core_counts();
  EXPECT_GT(now.followed - before.followed, overlapping / 20);
  EXPECT_GT(now.followed - before.followed + now.same_features - before.same_features,
            8 * overlapping / 10);
}

// The same question again is answered with the same features.
TEST(FollowOverlap, ItsAnswerAnswersAgain) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    const Overlap c(seed);
    if (!(c.depth > 1e-4 * c.L)) continue;
    Random random(seed);
    WarmStart warm_start;
    proximity(c.solids[0], c.solids[1], c.X_AB, &warm_start);
    Transform X = c.X_AB;
    X.p += 1e-2 * c.L * random.direction();
    const Proximity first = proximity(c.solids[0], c.solids[1], X, &warm_start);
    const Proximity again = proximity(c.solids[0], c.solids[1], X, &warm_start);
    ASSERT_EQ(first.a, again.a) << "seed " << seed;
    ASSERT_EQ(first.b, again.b) << "seed " << seed;
    ASSERT_NEAR(first.distance, again.distance, 1e-13 * c.L);
  }
}

}  // namespace
}  // namespace abut::testing
