// Patches of few points against all points: by linear programs over the motions that the rows
// allow, and by the wrenches that the points can give.
#include "abut/collide/patch/patch_reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "abut/collide/patch/hull_above.h"
#include "abut/collide/patch/tolerances.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/math/linear_program.h"
#include "collide/patch_testing.h"
#include "support/allocations.h"

namespace abut::test {
namespace {

using testing::IsSubsetOf;
using testing::Le;
using testing::SizeIs;

const double kPi = std::numbers::pi;
const double kReach = 1e-4;

PatchPoint point(int name, double u, double v, double psi) { return {u, v, 0, psi, name, 0}; }

std::vector<PatchPoint> reduced(const std::vector<PatchPoint>& all, int most,
                                double* error = nullptr,
                                std::span<const std::uint64_t> kept_before = {}) {
  PatchScratch scratch;
  scratch.points = all;
  const double e = keep_few(scratch, {most, kReach, 2, kept_before});
  if (error) *error = e;
  return scratch.points;
}

std::vector<std::uint64_t> names(const std::vector<PatchPoint>& points) {
  std::vector<std::uint64_t> out;
  for (const PatchPoint& p : points) out.push_back(static_cast<std::uint64_t>(p.a) << 32);
  return out;
}

double radius(const std::vector<PatchPoint>& points) {
  Vec2 middle = Vec2::Zero();
  for (const PatchPoint& p : points) middle += Vec2(p.u, p.v) / double(points.size());
  double r = 0;
  for (const PatchPoint& p : points) r = std::max(r, (Vec2(p.u, p.v) - middle).norm());
  return r;
}

// The deepest that any point can come by a motion a + b u + c v (m) that the rows of `kept` allow,
// a + b u + c v <= psi, and that tilts the pair by |b|, |c| <= tilt: what the rows of `all` would
// not allow.
double deepest_allowed(const std::vector<PatchPoint>& all, const std::vector<PatchPoint>& kept,
                       double tilt) {
  const double unit = std::max(tilt, kReach), t = tilt / unit;
  LinearProgram lp(3, 10);  // a / unit, b / tilt, c / tilt
  for (const PatchPoint& p : kept) lp.add({1, t * p.u, t * p.v}, p.psi / unit);
  lp.add({0, 1, 0}, 1), lp.add({0, -1, 0}, 1), lp.add({0, 0, 1}, 1), lp.add({0, 0, -1}, 1);
  double deepest = 0;
  for (const PatchPoint& p : all) {
    const LinearProgram::Answer best = lp.maximise({1, t * p.u, t * p.v});
    EXPECT_TRUE(best.feasible);
    deepest = std::max(deepest, unit * best.value - p.psi);
  }
  return deepest;
}

// How much more power a unit of normal force with friction can give at one of `all` than at one of
// `kept`, over random twists, per unit of angular velocity: the distance of the two wrench cones.
double cone_distance(const std::vector<PatchPoint>& all, const std::vector<PatchPoint>& kept,
                     double mu) {
  Random r(5);
  double worst = 0;
  const auto most = [&](const std::vector<PatchPoint>& points, const Vec3& v, const Vec3& w) {
    double power = -1e300;
    for (const PatchPoint& p : points) {
      const Vec3 speed = v + w.cross(Vec3(p.u, p.v, p.w));
      power = std::max(power, speed.z() + mu * speed.head<2>().norm());
    }
    return power;
  };
  for (int i = 0; i < 2000; ++i) {
    const Vec3 v = r.vec(1), w = r.vec(1).normalized();
    worst = std::max(worst, most(all, v, w) - most(kept, v, w));
  }
  return worst;
}

std::vector<PatchPoint> random_polygon(Random& r, int corners, int inside) {
  std::vector<PatchPoint> points;
  for (int i = 0; i < corners; ++i) {
    const double t = r.uniform(0, 2 * kPi);
    points.push_back(point(i, std::cos(t), 0.6 * std::sin(t), 0));
  }
  for (int i = 0; i < inside; ++i) {  // between three of them
    double x = r.uniform(0, 1), y = r.uniform(0, 1);
    if (x + y > 1) x = 1 - x, y = 1 - y;
    const PatchPoint &a = points[std::size_t(r.integer(0, corners - 1))],
                     &b = points[std::size_t(r.integer(0, corners - 1))],
                     &c = points[std::size_t(r.integer(0, corners - 1))];
    points.push_back(point(corners + i, a.u + x * (b.u - a.u) + y * (c.u - a.u),
                           a.v + x * (b.v - a.v) + y * (c.v - a.v), 0));
  }
  return points;
}

TEST(HullAbove, KnowsDistances) {
  HullAbove hull(10);
  hull.add({0, 0, 0});
  EXPECT_DOUBLE_EQ(hull.distance({3, 4, 0}, 0), 5);
  EXPECT_DOUBLE_EQ(hull.distance({0, 0, 5}, 0), 0);   // above
  EXPECT_DOUBLE_EQ(hull.distance({0, 0, -2}, 0), 2);  // below
  hull.add({2, 0, 0});
  EXPECT_NEAR(hull.distance({1, 1, 3}, 0), 1, 1e-12);
  EXPECT_NEAR(hull.distance({1, 3, -4}, 0), 5, 1e-12);
  hull.add({0, 2, 0});
  EXPECT_NEAR(hull.distance({0.5, 0.5, -0.1}, 0), 0.1, 1e-12);
  EXPECT_NEAR(hull.distance({2, 2, 1}, 0), std::sqrt(2), 1e-12);
  EXPECT_EQ(hull.distance({0.5, 0.5, 0.1}, 0), 0);
}

// The distance is the largest support of x over that of the set, over directions that do not look
// up.
TEST(HullAbove, AgreesWithDirections) {
  Random r(3);
  for (int round = 0; round < 100; ++round) {
    HullAbove hull(4);
    std::vector<Vec3> points;
    const int count = r.integer(1, 16);
    const double flat = round % 3 == 0 ? 0 : 1;
    for (int i = 0; i < count; ++i) {
      points.push_back(r.vec(1).cwiseProduct(Vec3(1, 1, flat)));
      hull.add(points.back());
    }
    const Vec3 x = 1.5 * r.vec(1);
    const double far = hull.distance(x, 0);
    double sampled = 0;
    for (int k = 0; k < 4000; ++k) {
      Vec3 d = r.vec(1).normalized();
      if (d.z() > 0) d.z() = k % 2 ? 0 : -d.z();
      if (!(d.norm() > 0)) continue;
      d.normalize();
      double support = -1e300;
      for (const Vec3& p : points) support = std::max(support, d.dot(p));
      sampled = std::max(sampled, d.dot(x) - support);
    }
    EXPECT_GE(far, sampled * (1 - 1e-6) - 1e-12);
    EXPECT_LE(far, sampled + 0.02 * (1 + far));
    EXPECT_LE(hull.distance(x, 0.3), std::max(0.3, far * (1 + 1e-5)));
  }
}

TEST(KeepFew, LosesNothingOfFewCorners) {
  Random r(1);
  for (int round = 0; round < 50; ++round) {
    const int corners = r.integer(1, 16);
    const std::vector<PatchPoint> all = random_polygon(r, corners, 40);
    double error = 1;
    const std::vector<PatchPoint> few = reduced(all, 16, &error);
    EXPECT_THAT(few, SizeIs(Le(std::size_t(corners))));
    EXPECT_LE(error, kPatchTolerance);
    EXPECT_LE(deepest_allowed(all, few, 1), 1.5e-3 * radius(all));
    EXPECT_LE(cone_distance(all, few, 0.7), 1.3e-3 * radius(all));
    EXPECT_THAT(names(few), IsSubsetOf(names(all)));
  }
}

// Of more corners 16 stay, and the error is what was said.
TEST(KeepFew, SaysWhatRoundOutlinesLose) {
  for (const int corners : {17, 24, 32, 64, 100, 256}) {
    std::vector<PatchPoint> all;
    for (int i = 0; i < corners; ++i)
      all.push_back(point(i, std::cos(2 * kPi * i / corners), std::sin(2 * kPi * i / corners), 0));
    double error = 0;
    const std::vector<PatchPoint> few = reduced(all, 16, &error);
    EXPECT_EQ(few.size(), 16u);
    EXPECT_NEAR(deepest_allowed(all, few, 1), error, 0.5 * error) << corners;
    EXPECT_LE(cone_distance(all, few, 0.7), 1.3 * error) << corners;
    // a regular polygon that loses one of two or three corners; of many, a circle's 16-gon
    const double least = 1 - std::cos(kPi / 16);
    if (corners < 32) {
      EXPECT_NEAR(error, 1 - std::cos(2 * kPi / corners), 1e-6) << corners;
    } else {
      EXPECT_GE(error, least * (1 - 1e-6)) << corners;
      EXPECT_LE(error, 1.3 * least) << corners;
    }
  }
}

// Gaps as convex as those of a patch are, of few facets: no motion of a step may bring a dropped
// point deeper than the kept ones allow.
TEST(KeepFew, LosesNoGapOfFewFacets) {
  Random r(2);
  for (int round = 0; round < 50; ++round) {
    std::vector<PatchPoint> all = random_polygon(r, r.integer(3, 8), 60);
    const Vec2 slope(r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3));
    const double bend = round % 2 ? r.uniform(0, 0.4) : 0;  // along v = 0
    for (int i = 0; i < 8; ++i) all.push_back(point(100 + i, 0.2 * i - 0.7, 0, 0));
    for (PatchPoint& p : all)
      p.psi = kReach * (slope.dot(Vec2(p.u, p.v)) + bend * std::abs(p.v)) - 0.2 * kReach;
    double error = 1;
    const std::vector<PatchPoint> few = reduced(all, 16, &error);
    const auto deepest = [](const std::vector<PatchPoint>& points) {
      double least = 1;
      for (const PatchPoint& p : points) least = std::min(least, p.psi);
      return least;
    };
    EXPECT_LE(error, kPatchTolerance);
    const double range = kReach - deepest(all);
    EXPECT_LE(deepest(few), deepest(all) + 1e-5 * range);
    EXPECT_LE(deepest_allowed(all, few, range), 2.2e-3 * range);
    EXPECT_LE(deepest_allowed(all, few, 1e-3 * range), 2e-5 * range);
  }
}

// Bowls have no redundant point. The deepest stays, and the error is bounded.
TEST(KeepFew, BoundsWhatBowlsLose) {
  Random r(4);
  std::vector<PatchPoint> all;
  for (int i = 0; i < 400; ++i) {
    const double u = r.uniform(-1, 1), v = r.uniform(-1, 1);
    all.push_back(point(i, u, v, 0.5 * kReach * (u * u + v * v)));
  }
  all.push_back(point(400, 0, 0, 0));
  const std::vector<PatchPoint> few = reduced(all, 16);
  EXPECT_EQ(few.size(), 16u);
  EXPECT_EQ(few.back().a, 400);
  // turned by no more than would bring the rim down
  EXPECT_LE(deepest_allowed(all, few, 0.5 * kReach), 0.1 * kReach);
}

// Rounding that changes from step to step does not change which points stay, if these are
// remembered.
TEST(KeepFew, KeepsPointsFromStepToStep) {
  Random r(6);
  std::vector<PatchPoint> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(point(i, std::cos(2 * kPi * i / 100), std::sin(2 * kPi * i / 100), 0));
  std::vector<std::uint64_t> kept = names(reduced(all, 16));
  const std::vector<std::uint64_t> first = kept;
  int changes_without = 0;
  for (int step = 0; step < 100; ++step) {
    for (PatchPoint& p : all) {
      p.u += r.uniform(-1e-6, 1e-6), p.v += r.uniform(-1e-6, 1e-6);
      p.psi = r.uniform(-1e-9, 1e-9);
    }
    double error = 0;
    kept = names(reduced(all, 16, &error, kept));
    ASSERT_EQ(kept, first) << step;
    EXPECT_LE(error, 0.03);
    changes_without += names(reduced(all, 16)) != first;
  }
  EXPECT_GT(changes_without, 50);
}

// A remembered set that has become much worse than a new one goes.
TEST(KeepFew, LetsGoOfPointsThatDoNotDo) {
  std::vector<PatchPoint> all;
  for (int i = 0; i < 64; ++i)
    all.push_back(point(i, std::cos(2 * kPi * i / 64), std::sin(2 * kPi * i / 64), 0));
  std::vector<std::uint64_t> half;
  for (std::uint64_t i = 0; i < 16; ++i) half.push_back(i << 32);
  double error = 1;
  const std::vector<PatchPoint> few = reduced(all, 16, &error, half);
  EXPECT_LE(error, 0.03);
  EXPECT_NE(names(few), half);
  // names that are not there do no harm
  EXPECT_EQ(names(reduced(all, 16, nullptr, std::vector<std::uint64_t>{77ull << 32, 1})),
            names(reduced(all, 16)));
}

// meshes -------------------------------------------------------------------------------

// A prism of a gear's outline: what a mesh of it collides as.
Polyhedron gear(int teeth, double r, double height) {
  std::vector<Vec3> points;
  for (int i = 0; i < 4 * teeth; ++i) {
    const double t = 2 * kPi * i / (4 * teeth), tip = i % 4 < 2 ? r : 0.8 * r;
    for (const double z : {-height, height})
      points.emplace_back(tip * std::cos(t), tip * std::sin(t), z);
  }
  return convex_hull(points);
}

// All that comes out of a pair of meshes that lie on each other, tilted a bit and turned.
TEST(PatchOfMeshes, HaveFewPointsOfTheSameCone) {
  Random r(7);
  struct Case {
    const char* name;
    Polyhedron a, b;
    double error;  // of the outline, of its radius
  };
  const Polyhedron plate = box_polyhedron({2, 2, 0.1});
  const Case cases[] = {{"gear on plate", gear(8, 1, 0.2), plate, 0.07},
                        {"gear on gear", gear(20, 1, 0.2), gear(20, 0.9, 0.2), 0.04},
                        {"disc on plate", gear(64, 1, 0.1), plate, 0.025},
                        {"hulls", random_hull(r, 60, 1), random_hull(r, 60, 1), 0.05}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    ConvexSet solids;
    solids.add(c.a), solids.add(c.b);
    for (int round = 0; round < 5; ++round) {
      const Pose X_WB = at(0.01 * round, 0, 3, turned(0.3 * round, Vec3::UnitZ()));
      PatchPair p{&solids[0], &solids[1], Pose{}, X_WB};
      const Proximity apart = proximity(*p.A, p.X_WA, *p.B, p.X_WB);
      p.X_WB.p -= apart.distance * apart.normal;
      p.X_WB.q = turned(1e-6, r.vec(1)) * p.X_WB.q;
      const Proximity d = proximity(*p.A, p.X_WA, *p.B, p.X_WB);
      const double reach = 1e-4 * p.size();
      const ContactData all = p.patch(d, {.reach = reach});
      const ContactData few = p.patch(d, {.reach = reach, .max_points = 16});
      EXPECT_LE(few.points.count(), 16);
      EXPECT_THAT(ids(few), IsSubsetOf(ids(all)));
      if (all.points.count() <= 16) {
        EXPECT_EQ(ids(few), ids(all));
        continue;
      }
      Vec3 middle = Vec3::Zero();
      for (const Vec3& x : all.points.p_A) middle += x / all.points.count();
      double size = 0, lost = 0;
      for (const Vec3& x : all.points.p_A) size = std::max(size, (x - middle).norm());
      for (int k = 0; k < 360; ++k) {
        const Vec3 t = turned(2 * kPi * k / 360, d.normal) * d.normal.unitOrthogonal();
        const auto support = [&](const ContactData& data) {
          double most = -1e300;
          for (const Vec3& x : data.points.p_A) most = std::max(most, t.dot(x));
          return most;
        };
        lost = std::max(lost, support(all) - support(few));
      }
      EXPECT_LE(lost, c.error * size);
      EXPECT_NEAR(*std::min_element(few.points.psi.begin(), few.points.psi.end()), d.distance,
                  1e-5 * (reach - d.distance) + 1e-9);
    }
  }
}

}  // namespace
}  // namespace abut::test
