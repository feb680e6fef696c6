#include "abut/collide/manifold/planar_set.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "collide/random_solids.h"

namespace abut {
namespace {

using testing::pick;
using testing::Random;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

PlanarSet hull(std::vector<Vec2> points) {
  PlanarSet set;
  planar_hull(points, 1e-9, 1e-14, set);
  return set;
}

PlanarIntersection common(const PlanarSet& p, const PlanarSet& q) {
  PlanarIntersection out;
  intersect(p, q, 1e-9, 1e-14, out);
  return out;
}

double area(const std::vector<Vec2>& loop) {
  double twice = 0;
  for (std::size_t i = 0; i < loop.size(); ++i)
    twice += cross(loop[i], loop[(i + 1) % loop.size()]);
  return twice / 2;
}

// The referee: a polygon cut by one side of another after the other.
std::vector<Vec2> clipped(std::vector<Vec2> loop, const PlanarSet& by) {
  for (int i = 0; i < by.count(); ++i) {
    const Vec2 from = by.point(i), along = by.after(i) - from;
    std::vector<Vec2> kept;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec2 &a = loop[k], &b = loop[(k + 1) % loop.size()];
      const double da = cross(along, a - from), db = cross(along, b - from);
      if (da >= 0) kept.push_back(a);
      if ((da < 0) != (db < 0)) kept.push_back(a + da / (da - db) * (b - a));
    }
    loop = kept;
  }
  return loop;
}

std::vector<Vec2> random_points(Random& random, int n, double half) {
  std::vector<Vec2> out;
  for (int i = 0; i < n; ++i)
    out.emplace_back(random.uniform(-half, half), random.uniform(-half, half));
  return out;
}

TEST(PlanarSet, hull_holds_every_point_and_turns_left) {
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    const std::vector<Vec2> points = random_points(random, pick(random, 3, 40), 1);
    const PlanarSet set = hull(points);
    for (int i = 0; i < set.count(); ++i) {
      EXPECT_EQ(set.point(i), points[static_cast<std::size_t>(set.source[i])]);
      for (const Vec2& x : points)
        EXPECT_GE(cross(set.after(i) - set.point(i), x - set.point(i)), -1e-8);
      EXPECT_GT(cross(set.after(i) - set.point(i), set.after((i + 1) % set.count()) - set.point(i)),
                0);
    }
  }
}

TEST(PlanarSet, hull_of_little) {
  EXPECT_EQ(hull({}).count(), 0);
  EXPECT_EQ(hull({{1, 2}}).count(), 1);
  EXPECT_EQ(hull({{1, 2}, {1, 2}, {1, 2 + 1e-10}}).count(), 1);
  EXPECT_EQ(hull({{0, 0}, {1, 0}, {0.5, 0}, {0.3, 1e-10}}).count(), 2);
  EXPECT_EQ(hull({{0, 0}, {0, 1}, {0, 0.5}}).count(), 2);
  // a corner that is none, and a doubled one
  EXPECT_EQ(hull({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 1e-11}, {1, 1 + 1e-11}}).count(), 4);
  // thinner than a segment's width
  EXPECT_EQ(hull({{0, 0}, {1e-6, 0}, {1e-6, 5e-9}, {0, 5e-9}}).count(), 2);
}

TEST(PlanarSet, polygons_have_in_common_what_clipping_leaves) {
  Random random(2);
  int empty = 0;
  for (int k = 0; k < 500; ++k) {
    const PlanarSet p = hull(random_points(random, pick(random, 3, 20), 1));
    std::vector<Vec2> other = random_points(random, pick(random, 3, 20), 1);
    const Vec2 shift(random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5));
    for (Vec2& x : other) x += shift;
    const PlanarSet q = hull(other);
    const PlanarIntersection both = common(p, q);
    const double expected = area(clipped(p.points, q));
    EXPECT_NEAR(both.set.count() > 2 ? area(both.set.points) : 0, expected, 1e-8);
    empty += expected == 0;
    for (int i = 0; i < both.set.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_EQ(place_in(p, both.set.point(i), 1e-9).kind, both.in_p[at].kind);
      EXPECT_EQ(place_in(q, both.set.point(i), 1e-9).kind, both.in_q[at].kind);
    }
    EXPECT_EQ(common(q, p).set.count(), both.set.count());
  }
  EXPECT_GT(empty, 50);
  EXPECT_LT(empty, 450);
}

// K-14: all five, and nothing in common.
TEST(PlanarSet, every_pair_of_kinds) {
  const PlanarSet square = hull({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  const PlanarSet corner = hull({{0.5, 0.5}, {2, 0.5}, {2, 2}, {0.5, 2}});
  const auto segment = [](double x0, double y0, double x1, double y1) {
    return hull({{x0, y0}, {x1, y1}});
  };
  const auto point = [](double x, double y) { return hull({{x, y}}); };
  const auto count = [](const PlanarSet& p, const PlanarSet& q) {
    EXPECT_EQ(common(q, p).set.count(), common(p, q).set.count());
    return common(p, q).set.count();
  };
  // polygon and polygon: in full, side by side, corner to corner, apart
  EXPECT_EQ(count(square, square), 4);
  EXPECT_EQ(count(square, corner), 4);
  EXPECT_EQ(count(square, hull({{1, 0.2}, {2, 0.1}, {2, 0.7}})), 1);
  EXPECT_EQ(count(square, hull({{1, 0.2}, {2, 0.2}, {2, 0.7}, {1, 0.7}})), 2);
  EXPECT_EQ(count(square, hull({{1, 1}, {2, 1}, {2, 2}, {1, 2}})), 1);
  EXPECT_EQ(count(square, hull({{1.1, 1}, {2, 1}, {2, 2}})), 0);
  // polygon and segment: through, within, along a side, at a corner, apart
  EXPECT_EQ(count(square, segment(-1, 0.3, 2, 0.6)), 2);
  EXPECT_EQ(count(square, segment(0.1, 0.3, 0.9, 0.6)), 2);
  EXPECT_EQ(count(square, segment(0.5, 0, 3, 0)), 2);
  EXPECT_EQ(count(square, segment(0, 2, 2, 0)), 1);
  EXPECT_EQ(count(square, segment(0, 2.1, 2.1, 0)), 0);
  // segment and segment: crossing, meeting, overlapping, end to end, apart
  EXPECT_EQ(count(segment(0, 0, 1, 1), segment(0, 1, 1, 0)), 1);
  EXPECT_EQ(count(segment(0, 0, 1, 1), segment(0.5, 0.5, 1, 0)), 1);
  EXPECT_EQ(count(segment(0, 0, 1, 0), segment(0.5, 0, 2, 0)), 2);
  EXPECT_EQ(count(segment(0, 0, 1, 0), segment(1, 0, 2, 0)), 1);
  EXPECT_EQ(count(segment(0, 0, 1, 0), segment(0, 0.1, 1, 0.1)), 0);
  EXPECT_EQ(count(segment(0, 0, 1, 0), segment(1.1, 0, 2, 0)), 0);
  // points
  EXPECT_EQ(count(square, point(0.3, 0.3)), 1);
  EXPECT_EQ(count(square, point(1, 0.3)), 1);
  EXPECT_EQ(count(square, point(1.1, 0.3)), 0);
  EXPECT_EQ(count(segment(0, 0, 1, 1), point(0.2, 0.2)), 1);
  EXPECT_EQ(count(segment(0, 0, 1, 1), point(0.2, 0.3)), 0);
  EXPECT_EQ(count(point(0.2, 0.3), point(0.2, 0.3 + 1e-10)), 1);
  EXPECT_EQ(count(point(0.2, 0.3), point(0.2, 0.3 + 1e-8)), 0);
}

}  // namespace
}  // namespace abut
