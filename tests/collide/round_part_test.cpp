// Closed forms of what round solids have in common with others, and facets that follow the contact,
// held to integrals over lines along the normal that share no code with them.
#include "abut/collide/volume/round_part.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "abut/collide/proximity/proximity.h"
#include "abut/collide/volume/clip_volume.h"
#include "abut/collide/volume/contact_facets.h"
#include "support/allocations.h"
#include "support/random.h"

namespace abut {
namespace {

// Where a line p + t n is inside a solid, in the solid's frame: t from first to second.
struct Range {
  double low = -1e9, high = 1e9;
  void below(double slope, double room) {  // slope t <= room
    if (slope > 0) high = std::min(high, room / slope);
    if (slope < 0) low = std::max(low, room / slope);
    if (slope == 0 && room < 0) high = -1e9;
  }
  void within(double a, double b, double c) {  // a t^2 + 2 b t + c <= 0, a >= 0
    if (a < 1e-14) return below(2 * b, -c);
    const double root = b * b - a * c;
    if (root <= 0) return void(high = -1e9);
    low = std::max(low, (-b - std::sqrt(root)) / a);
    high = std::min(high, (-b + std::sqrt(root)) / a);
  }
  void ball(const Vec3& p, const Vec3& n, double r) {
    within(n.squaredNorm(), p.dot(n), p.squaredNorm() - r * r);
  }
};

Range inside(const Convex& c, const Vec3& p, const Vec3& n) {
  Range t;
  const Vec3& s = c.dimensions;
  switch (c.kind) {
    case ShapeKind::plane:
      t.below(n.z(), -p.z());
      break;
    case ShapeKind::box:
      for (int k = 0; k < 3; ++k) {
        t.below(n[k], s[k] - p[k]);
        t.below(-n[k], s[k] + p[k]);
      }
      break;
    case ShapeKind::sphere:
      t.ball(p, n, s[0]);
      break;
    case ShapeKind::ellipsoid:
      t.ball(p.cwiseQuotient(s), n.cwiseQuotient(s), 1);
      break;
    case ShapeKind::cylinder:
      t.ball(Vec3(p.x(), p.y(), 0), Vec3(n.x(), n.y(), 0), s[0]);
      t.below(n.z(), s[1] - p.z());
      t.below(-n.z(), s[1] + p.z());
      break;
    default: {  // a capsule is convex: from the first to the last of its three parts
      Range barrel, low, high;
      barrel.ball(Vec3(p.x(), p.y(), 0), Vec3(n.x(), n.y(), 0), s[0]);
      barrel.below(n.z(), s[1] - p.z());
      barrel.below(-n.z(), s[1] + p.z());
      low.ball(p + Vec3(0, 0, s[1]), n, s[0]);
      high.ball(p - Vec3(0, 0, s[1]), n, s[0]);
      t = {1e9, -1e9};
      for (const Range& part : {barrel, low, high})
        if (part.high > part.low) t = {std::min(t.low, part.low), std::max(t.high, part.high)};
    }
  }
  return t;
}

struct Integral {
  double volume = 0, area = 0, arm = 0;
  Vec3 centroid = Vec3::Zero(), middle = Vec3::Zero();
  Mat3 second = Mat3::Zero();  // about `about`
};

struct Two {
  ConvexSet set;
  Pose X_WA, X_WB;
  Two(const Shape& a, const Pose& A, const Shape& b, const Pose& B) : X_WA(A), X_WB(B) {
    set.add(a, {});
    set.add(b, {});
  }
  Proximity distance() const { return proximity(set[0], X_WA, set[1], X_WB); }

  // Over a rectangle of these half widths around `about`, across n.
  Integral integrate(const Vec3& about, const Vec3& n, const Vec2& half, int lines) const {
    const Vec3 t = std::abs(n.x()) < 1e-9 ? Vec3(Vec3::UnitX()) : n.unitOrthogonal(),
               s = n.cross(t);
    const Vec2 width = 2 * half / lines;
    const double cell = width.prod();
    Integral sum;
    for (int i = 0; i < lines; ++i)
      for (int k = 0; k < lines; ++k) {
        const Vec3 y =
            (-half[0] + (i + 0.5) * width[0]) * t + (-half[1] + (k + 0.5) * width[1]) * s;
        const Vec3 p = about + y;
        Range x = inside(set[0], X_WA.q.conjugate() * (p - X_WA.p), X_WA.q.conjugate() * n);
        const Range z = inside(set[1], X_WB.q.conjugate() * (p - X_WB.p), X_WB.q.conjugate() * n);
        x = {std::max(x.low, z.low), std::min(x.high, z.high)};
        if (x.high <= x.low) continue;
        const double v = cell * (x.high - x.low);
        sum.volume += v;
        sum.centroid += v * (p + 0.5 * (x.low + x.high) * n);
        sum.area += cell;
        sum.middle += cell * p;
        sum.second += cell * y * y.transpose();
        sum.arm += cell * y.norm();
      }
    sum.centroid /= sum.volume;
    sum.middle /= sum.area;
    sum.second /= sum.area;
    sum.arm /= sum.area;
    return sum;
  }
};

bool expect_equal_to_integral(const Two& two) {
  const Proximity d = two.distance();
  RoundPart part;
  if (!find_round_part(two.set[0], two.X_WA, two.set[1], two.X_WB, d.a, d.b, part)) return false;
  const double size = std::sqrt(part.axes[0].squaredNorm() + part.axes[1].squaredNorm());
  const Integral sum = two.integrate(part.middle, part.normal, Vec2::Constant(1.02 * size), 400);
  // queries of ellipsoids are iterations
  EXPECT_LT((part.normal - d.normal).norm(), 1e-7);
  EXPECT_NEAR(part.depth(), -d.distance, 1e-7 * pair_size(two.set[0], two.set[1]));
  EXPECT_NEAR(part.volume / sum.volume, 1, 1e-4);
  EXPECT_NEAR(part.area / sum.area, 1, 1e-3);
  EXPECT_LT((part.centroid - sum.centroid).norm(), 1e-4 * size);
  const Vec3 off = part.middle - sum.middle;
  EXPECT_LT((off - off.dot(part.normal) * part.normal).norm(), 1e-3 * size);
  EXPECT_LT((part.second() - sum.second).norm(), 2e-3 * sum.second.norm());
  EXPECT_NEAR(part.arm() / sum.arm, 1, 5e-3);
  return true;
}

const Shape kPlane{ShapeKind::plane, {0, 0, 0}};
const Shape kBall{ShapeKind::sphere, {0.1, 0, 0}};
const Shape kEgg{ShapeKind::ellipsoid, {0.1, 0.15, 0.25}};
const Shape kPill{ShapeKind::capsule, {0.1, 0.3, 0}};
const Shape kRoller{ShapeKind::cylinder, {0.1, 0.3, 0}};
const Shape kBox{ShapeKind::box, {0.5, 0.4, 0.3}};

// The way that `depth` is left of the plane's solid, for a shape that is turned at random.
Pose sunk(const Shape& shape, const Shape& ground, double depth, test::Random& random) {
  Pose X{Vec3(0, 0, 5), random.quat()};
  const Pose at_ground{ground.kind == ShapeKind::box ? Vec3(0, 0, -0.3) : Vec3::Zero(),
                       Quat::Identity()};
  X.p.z() -= Two(ground, at_ground, shape, X).distance().distance + depth;
  return X;
}

TEST(RoundPart, CapsAreTheIntegralOverLines) {
  test::Random random(1);
  int found = 0;
  for (int i = 0; i < 12; ++i)
    for (const Shape& shape : {kBall, kEgg, kPill})
      for (const Shape& ground : {kPlane, kBox}) {
        const double depth = std::array{1e-4, 1e-3, 1e-2, 3e-2}[static_cast<std::size_t>(i % 4)];
        const Pose X = sunk(shape, ground, depth, random);
        const Pose G{ground.kind == ShapeKind::box ? Vec3(0, 0, -0.3) : Vec3::Zero(),
                     Quat::Identity()};
        found += expect_equal_to_integral({ground, G, shape, X});
        found += expect_equal_to_integral({shape, X, ground, G});
      }
  EXPECT_GT(found, 100);  // of 144; capsules that lie have none
}

TEST(RoundPart, LensesAreTheIntegralOverLines) {
  test::Random random(2);
  int found = 0;
  for (int i = 0; i < 10; ++i) {
    const Shape other{ShapeKind::sphere, {0.03 + 0.04 * i, 0, 0}};
    for (const Shape& shape : {kBall, kPill}) {
      const Pose X{Vec3(1, 2, 3), random.quat()};
      const Vec3 way = (X.q * Vec3(0.1 * i - 0.5, 0.2, 1)).normalized();
      Pose Y{X.p + 5 * way, random.quat()};
      Y.p -= (Two(shape, X, other, Y).distance().distance) * way;
      // along a line that is not the normal: closer until they overlap
      for (int k = 0; k < 100 && Two(shape, X, other, Y).distance().distance > -1e-3; ++k)
        Y.p -= 2e-3 * way;
      found += expect_equal_to_integral({shape, X, other, Y});
      found += expect_equal_to_integral({other, Y, shape, X});
    }
  }
  EXPECT_GT(found, 30);
}

TEST(RoundPart, BallsAtEveryDepth) {
  for (const double z : {0.099, 0.05, 0.0, -0.05, -0.099, -0.2}) {
    const Two two(kPlane, {}, kBall, {Vec3(0, 0, z), Quat::Identity()});
    const Proximity d = two.distance();
    RoundPart part;
    ASSERT_TRUE(find_round_part(two.set[0], {}, two.set[1], two.X_WB, d.a, d.b, part));
    const Integral sum = two.integrate(Vec3::Zero(), Vec3::UnitZ(), {0.1, 0.1}, 400);
    EXPECT_NEAR(part.volume / sum.volume, 1, 1e-3) << z;
    EXPECT_NEAR(part.area / sum.area, 1, 2e-3) << z;
    EXPECT_LT((part.centroid - sum.centroid).norm(), 1e-4 * 0.1) << z;
  }
}

// Beyond the edge of a face, or through a thin plate, there is no cap.
TEST(RoundPart, NoneOverAnEdge) {
  RoundPart part;
  const auto found = [&](const Shape& box, const Vec3& p) {
    const Two two(box, {}, kBall, {p, Quat::Identity()});
    const Proximity d = two.distance();
    return find_round_part(two.set[0], {}, two.set[1], two.X_WB, d.a, d.b, part);
  };
  EXPECT_TRUE(found(kBox, {0.48, 0, 0.399}));
  EXPECT_FALSE(found(kBox, {0.495, 0, 0.399}));  // the rim's radius is 14 mm
  EXPECT_FALSE(found(kBox, {0.501, 0, 0.399}));
  EXPECT_FALSE(found({ShapeKind::box, {0.5, 0.5, 0.0005}}, {0, 0, 0.099}));
}

struct Facets {
  ContactFacets A, B;
  ClipBuffers buffers;
  Intersection common;
  void clip(const Two& two) {
    const Proximity d = two.distance();
    const Vec3 n_A = two.X_WA.q.conjugate() * d.normal, n_B = two.X_WB.q.conjugate() * -d.normal;
    clip_volume(A.around(two.set[0], n_A, n_A.unitOrthogonal(), -d.distance),
                B.around(two.set[1], n_B, n_B.unitOrthogonal(), -d.distance),
                relative(two.X_WA, two.X_WB), buffers, common);
  }
};

// Planes that are moved are those of the vertices, and all is convex. Borders and spokes, which
// clipping does not ask for, stay as they were made.
std::string trouble(const Polyhedron& p) {
  std::vector<std::vector<int>> loops;
  for (int f = 0; f < p.face_count(); ++f)
    loops.emplace_back(p.face_loop(f).begin(), p.face_loop(f).end());
  const Polyhedron anew = make_polyhedron(p.vertices, loops);
  for (std::size_t f = 0; f < p.faces.size(); ++f)
    if ((p.faces[f].eta - anew.faces[f].eta).norm() > 1e-6 ||
        std::abs(p.faces[f].offset - anew.faces[f].offset) > 1e-7)
      return fmt::format("plane of face {}", f);
  return validate(anew, 1e-7);
}

TEST(ContactFacets, VolumesAreTheIntegralOverLines) {
  test::Random random(3);
  Facets facets;
  for (const double depth : {1e-4, 1e-3, 1e-2})
    for (const Shape& shape : {kBall, kEgg, kPill, kRoller})
      for (const double lies : {1e-2, 1e-3, 0.0}) {
        Pose X{Vec3(0, 0, 1), Quat::Identity()};
        const double tilt = lies * random.uniform(-1, 1);
        X.q = Quat(Eigen::AngleAxisd(std::numbers::pi / 2 + tilt, Vec3::UnitX())) *
              Quat(Eigen::AngleAxisd(random.uniform(0, 6), Vec3::UnitZ()));
        X.p.z() -= Two(kPlane, {}, shape, X).distance().distance + depth;
        const Two two(kPlane, {}, shape, X);
        facets.clip(two);
        const Vec3 c = facets.common.origin + facets.common.centroid;
        // the largest radius of curvature is 0.25^2 / 0.1
        const bool is_long = shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder;
        const double wide =
            std::sqrt(2 * (shape.kind == ShapeKind::ellipsoid ? 0.7 : 0.11) * depth);
        // one that leans touches at one end alone: no lines where there is nothing
        const double length = std::min(0.65, depth / std::max(std::abs(tilt), 1e-9) + wide);
        const Integral sum = two.integrate(c, Vec3::UnitZ(), {wide, is_long ? length : wide}, 300);
        const auto what = [&] { return fmt::format("{} {} {}", int(shape.kind), depth, tilt); };
        EXPECT_NEAR(facets.common.volume / sum.volume, 1, 0.02) << what();
        EXPECT_LT((c - sum.centroid).norm(), 0.02 * std::sqrt(sum.area)) << what();
        EXPECT_EQ(
            trouble(
                *facets.B.around(two.set[1], Vec3(0.6, 0, 0.8), Vec3::UnitY(), depth).tessellation),
            "")
            << what();
      }
}

// Whatever way round it is turned, a roller's common part is under its axis and as large.
TEST(ContactFacets, NothingTurnsWithARoller) {
  Facets facets;
  double volumes[2] = {0, 0};
  for (int i = 0; i < 50; ++i)
    for (const Shape& shape : {kPill, kRoller}) {
      const Pose X{Vec3(0.3, -0.2, 0.1 - 1e-4),
                   Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX())) *
                       Quat(Eigen::AngleAxisd(0.02 * i, Vec3::UnitZ()))};
      facets.clip({kPlane, {}, shape, X});
      const Vec3 c = facets.common.origin + facets.common.centroid;
      EXPECT_NEAR(c.x(), 0.3, 1e-12);
      EXPECT_NEAR(c.y(), -0.2, 1e-9);
      double& volume = volumes[shape.kind == ShapeKind::cylinder];
      if (i == 0) volume = facets.common.volume;
      EXPECT_NEAR(facets.common.volume / volume, 1, 1e-9);
    }
}

// Facets and closed forms are the same thing, so that a ball at an edge goes over smoothly.
TEST(ContactFacets, AreNearTheClosedForm) {
  Facets facets;
  RoundPart part;
  for (const double depth : {1e-6, 1e-4, 1e-2}) {
    const Two two(kPlane, {}, kBall, {Vec3(0, 0, 0.1 - depth), Quat::Identity()});
    const Proximity d = two.distance();
    ASSERT_TRUE(find_round_part(two.set[0], {}, two.set[1], two.X_WB, d.a, d.b, part));
    facets.clip(two);
    EXPECT_NEAR(facets.common.volume / part.volume, 1, 0.01) << depth;
    EXPECT_NEAR(projected_area(facets.common, Vec3::UnitZ()) / part.area, 1, 0.02) << depth;
  }
}

TEST(ContactFacets, DoNotAllocate) {
  Facets facets;
  const auto ask = [&] {
    for (const Shape& shape : {kBall, kEgg, kPill, kRoller})
      facets.clip({kPlane, {}, shape, {Vec3(0, 0, 0.099), Quat::Identity()}});
  };
  ask();
  ConvexSet set;
  for (const Shape& shape : {kBall, kEgg, kPill, kRoller}) set.add(shape, {});
  const long before = test::allocation_count();
  for (int i = 0; i < 4; ++i) facets.A.around(set[i], Vec3(0.6, 0, 0.8), Vec3::UnitY(), 1e-3);
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace abut
