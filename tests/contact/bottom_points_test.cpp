// The bottom of a volume of penetration (Drumwright, III-A; D-8, D-E7, D-E11, D-T9).
#include "abut/contact/penalty/surface/bottom_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "abut/collide/volume/clip_volume.h"
#include "abut/contact/penalty/surface/bottom_surface.h"
#include "abut/math/rank_set.h"
#include "abut/shape/hull.h"

namespace abut {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::vector<int> bottom(const std::vector<Vec2>& flat, const std::vector<double>& depth) {
  BottomScan scan;
  const std::span<const int> kept = scan.find(flat, depth, 1e-9);
  return {kept.begin(), kept.end()};
}

TEST(RankSet, FindsNeighboursAsASetDoes) {
  std::mt19937 random(1);
  for (const int n : {1, 63, 64, 65, 5000, 300000}) {
    RankSet ranks;
    ranks.reset(n);
    std::set<int> set;
    std::uniform_int_distribution<int> any(0, n - 1);
    for (int i = 0; i < 2000; ++i) {
      const int x = any(random);
      if (i % 3 == 2) {
        ranks.erase(x);
        set.erase(x);
      } else {
        ranks.insert(x);
        set.insert(x);
      }
      const int y = any(random);
      const auto above = set.upper_bound(y), at_least = set.lower_bound(y);
      ASSERT_EQ(ranks.after(y), above == set.end() ? -1 : *above);
      ASSERT_EQ(ranks.before(y), at_least == set.begin() ? -1 : *std::prev(at_least));
    }
    EXPECT_EQ(ranks.after(-1), set.empty() ? -1 : *set.begin());
  }
}

// F-10: neither all points, nor the lowest k. By points alone the scan finds
// all of the bottom and little else; by faces nothing else (docs/decisions.md).
TEST(BottomPoints, DT9_AreThoseOfTheFacesThatLookDown) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto direction = [&] {
    return Vec3(Vec3(normal(random), normal(random), normal(random)).normalized());
  };
  int volumes = 0, kept = 0, all = 0, sides = 0;
  ClipBuffers buffers;
  Intersection common;
  while (volumes < 300) {
    ConvexSet solids;
    for (int s = 0; s < 2; ++s) {
      std::vector<Vec3> points;
      for (int i = 0; i < 12 + 20 * s; ++i) points.push_back(direction());
      solids.add(convex_hull(points));
    }
    const Quat turned(normal(random), normal(random), normal(random), normal(random));
    const Pose X_AB{1.6 * direction(), turned.normalized()};
    clip_volume(solids[0], solids[1], relative({}, X_AB), buffers, common);
    if (common.overlap != OverlapKind::solid) continue;
    // skew: not the contact's normal
    const Vec3 n = direction(), t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    std::set<int> oracle;
    bool steep = false;
    for (const Intersection::Face& f : common.faces) {
      const double slope = f.area.dot(n) / f.area.norm();
      steep = steep || std::abs(slope) < 1e-5;
      if (slope < 0)
        for (const int v : common.loop(f)) oracle.insert(v);
    }
    if (steep) continue;
    std::vector<Vec2> flat;
    std::vector<double> depth;
    for (const Vec3& v : common.vertices) {
      flat.emplace_back(t1.dot(v), t2.dot(v));
      depth.push_back(-n.dot(v));
    }
    const std::vector<int> found = bottom(flat, depth);
    for (const int v : oracle) {
      // where several vertices are in one place, one of them is enough
      double nearest = 1;
      for (const int k : found)
        nearest = std::min(
            nearest,
            (flat[static_cast<std::size_t>(k)] - flat[static_cast<std::size_t>(v)]).norm());
      EXPECT_LT(nearest, 1e-9);
    }
    for (const int k : found) sides += oracle.count(k) == 0;
    ++volumes;
    kept += static_cast<int>(found.size());
    all += common.vertex_count();
  }
  EXPECT_LT(kept, 0.9 * all);
  EXPECT_LT(sides, 0.02 * kept);
}

// D-X5: the trapezoid of fig. 4, sunk into the ground: the wide bottom is kept.
TEST(BottomPoints, OfATrapezoidSunkInTheGround) {
  const std::vector<Vec2> flat{{-1, 0}, {1, 0}, {-1, 1}, {1, 1}, {-0.7, 0.5}, {0.7, 0.5}};
  EXPECT_THAT(bottom(flat, {0.3, 0.3, 0.3, 0.3, 0.1, 0.1}), UnorderedElementsAre(0, 1, 2, 3));
}

TEST(BottomPoints, OfPointsLinesAndTies) {
  EXPECT_THAT(bottom({{2, 3}}, {0.1}), ElementsAre(0));
  // one over the other: the deeper
  EXPECT_THAT(bottom({{0, 0}, {0, 0}}, {0.1, 0.2}), ElementsAre(1));
  // along a line: outwards from the deepest; what is between two deeper ones goes
  EXPECT_THAT(bottom({{0, 0}, {1, 1}, {2, 2}, {0.5, 0.5}}, {3, 2, 1, 0.5}), ElementsAre(0, 1, 2));
  // of equals the lowest, then the right-most
  EXPECT_THAT(bottom({{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {1, 1, 1, 1}), ElementsAre(1, 0, 3, 2));
  // a box on its corner: the deepest is in the middle, which an order by angles has no place for
  EXPECT_THAT(bottom({{0, 0}, {1, 0}, {-0.5, 0.9}, {-0.5, -0.9}, {0.1, 0.1}}, {4, 1, 1, 1, 3}),
              UnorderedElementsAre(0, 1, 2, 3, 4));
}

TEST(BottomPoints, TakeNLogNOperations) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> to_one(0, 1);
  for (const bool bowl : {true, false}) {
    double before = 0;
    for (const int n : {1600, 12800, 100000}) {
      std::vector<Vec2> flat;
      std::vector<double> depth;
      for (int i = 0; i < n; ++i) {
        // a bowl keeps all; a rim that is deep anywhere takes most off the polygon again
        const double angle = 2 * M_PI * to_one(random);
        const double r = bowl ? std::sqrt(to_one(random)) : 1;
        flat.emplace_back(r * std::cos(angle), r * std::sin(angle));
        depth.push_back(bowl ? 1 - r * r : to_one(random));
      }
      BottomScan scan;
      const std::size_t kept = scan.find(flat, depth, 1e-14).size();
      if (bowl) {
        EXPECT_EQ(kept, static_cast<std::size_t>(n)) << "each is outside those that are deeper";
      }
      const auto operations = static_cast<double>(scan.operations());
      EXPECT_LT(operations, 8 * n * std::log2(n));
      if (before > 0) {
        EXPECT_LT(operations / before, 12) << n;  // D-T9: for 8 times as many
      }
      before = operations;
    }
  }
}

TEST(LumpedAreas, IntegrateWhatIsLinear) {
  std::vector<Vec2> flat;
  std::vector<int> loop;
  for (int i = 0; i < 9; ++i) {
    const double angle = 0.09 * i * i;  // uneven
    flat.emplace_back(2 + std::cos(angle), std::sin(angle));
    loop.push_back(i);
  }
  std::vector<double> area(flat.size(), 0.0);
  add_lumped_areas(flat, loop, area);
  double whole = 0, exact = 0;
  Vec2 first = Vec2::Zero(), exact_first = Vec2::Zero();
  for (std::size_t i = 0; i < flat.size(); ++i) {
    EXPECT_GT(area[i], 0);
    whole += area[i];
    first += area[i] * flat[i];
  }
  for (std::size_t k = 2; k < flat.size(); ++k) {
    const Vec2 a = flat[k - 1] - flat[0], b = flat[k] - flat[0];
    const double triangle = 0.5 * (a.x() * b.y() - a.y() * b.x());
    exact += triangle;
    exact_first += triangle / 3 * (flat[0] + flat[k - 1] + flat[k]);
  }
  EXPECT_NEAR(whole, exact, 1e-14);
  EXPECT_LT((first - exact_first).norm(), 1e-14);
  // a square shares evenly
  std::vector<double> square(4, 0.0);
  const std::vector<int> corners{0, 1, 2, 3};
  add_lumped_areas(std::vector<Vec2>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, corners, square);
  for (const double a : square) EXPECT_NEAR(a, 0.25, 1e-15);
}

// With shares that depend on the number of corners an arch of stones was kicked whenever one split.
TEST(LumpedAreas, DoNotChangeWhereACornerSplits) {
  const double cut = 1e-9;
  const std::vector<Vec2> flat{{0, 0}, {3, 0}, {3, 1 - cut}, {3 - cut, 1}, {0, 1}};
  std::vector<double> area(flat.size(), 0.0);
  add_lumped_areas(flat, std::vector<int>{0, 1, 2, 3, 4}, area);
  EXPECT_NEAR(area[0], 0.75, 1e-8);
  EXPECT_NEAR(area[1], 0.75, 1e-8);
  EXPECT_NEAR(area[2] + area[3], 0.75, 1e-8);
  EXPECT_NEAR(area[4], 0.75, 1e-8);
}

}  // namespace
}  // namespace abut
