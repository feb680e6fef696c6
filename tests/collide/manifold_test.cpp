#include "abut/collide/manifold/manifold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "abut/collide/manifold/contact_plane.h"
#include "abut/collide/proximity/cold/sat.h"
#include "collide/random_solids.h"
#include "support/allocations.h"
#include "support/soak.h"

namespace abut {
namespace {

using test::Soak;
using testing::outside;
using testing::pick;
using testing::Random;
using testing::random_placement;
using testing::random_solid;

constexpr double kEighth = std::numbers::pi / 4;
// Stands a cube on a corner.
const double kTilt = std::atan(std::sqrt(2.0));

Quat turn(double angle, const Vec3& axis) { return Quat(Eigen::AngleAxisd(angle, axis)); }

struct Pair {
  ConvexSet solids;
  ManifoldScratch scratch;
  KissingManifold m;

  Pair(Polyhedron a, Polyhedron b) {
    solids.add(std::move(a));
    solids.add(std::move(b));
  }
  Pair(const Shape& a, const Shape& b) {
    solids.add(a, {});
    solids.add(b, {});
  }
  const Convex& A() const { return solids[0]; }
  const Convex& B() const { return solids[1]; }

  const KissingManifold& touch(const Pose& X_WA, const Pose& X_WB, const Vec3& normal,
                               bool strict = false) {
    Proximity d;
    d.normal = normal;
    kissing_manifold(A(), X_WA, B(), X_WB, d, {strict}, scratch, m);
    return m;
  }
};

Pair two_cubes() { return {box_polyhedron({0.5, 0.5, 0.5}), box_polyhedron({0.5, 0.5, 0.5})}; }

// How much lower than its middle a turned cube reaches.
double below(const Quat& q) {
  const Polyhedron cube = box_polyhedron({0.5, 0.5, 0.5});
  double least = 0;
  for (const Vec3& v : cube.vertices) least = std::min(least, (q * v).z());
  return -least;
}

struct Case {
  const char* what;
  Quat q_a, q_b;  // of the lower and the upper cube
  Vec2 shift;
  int points;
  FeatureKind a, b;
  bool indeterminate;
};

// K-T9, each touching, apart and overlapping by 0.1 m along z, here and far away.
TEST(Manifold, cubes_in_every_way) {
  const Quat flat = Quat::Identity(), on_edge_x = turn(kEighth, Vec3::UnitX()),
             on_edge_y = turn(kEighth, Vec3::UnitY()),
             on_corner = turn(kTilt, Vec3(1, -1, 0).normalized());
  using enum FeatureKind;
  const Case cases[] = {
      {"aligned", flat, flat, {0, 0}, 4, face, face, false},
      {"turned by 45 degrees", flat, turn(kEighth, Vec3::UnitZ()), {0, 0}, 8, face, face, false},
      {"offset by a quarter", flat, flat, {0.25, 0.25}, 4, face, face, false},
      {"edge on face", flat, on_edge_x, {0.25, 0.1}, 2, face, edge, false},
      {"face on edge", on_edge_x, flat, {0.25, 0.1}, 2, edge, face, false},
      {"vertex on face", flat, on_corner, {0.1, 0.2}, 1, face, vertex, false},
      {"face on vertex", on_corner, flat, {0.1, 0.2}, 1, vertex, face, false},
      {"parallel edges", on_edge_x, on_edge_x, {0.25, 0}, 2, edge, edge, false},
      {"crossing edges", on_edge_x, on_edge_y, {0.1, 0.2}, 1, edge, edge, false},
      {"vertex on vertex", on_corner, on_corner, {0, 0}, 1, vertex, vertex, true},
      {"vertex on edge", on_edge_x, on_corner, {0.1, 0}, 1, edge, vertex, true},
      {"edges end to end", on_edge_x, on_edge_x, {1, 0}, 1, vertex, vertex, true},
      {"faces side by side", flat, flat, {1, 0.3}, 2, edge, edge, false},
      {"faces corner to corner", flat, flat, {1, 1}, 1, vertex, vertex, true},
      {"vertex on a face's edge", flat, on_corner, {0.5, 0.2}, 1, edge, vertex, true},
      {"edge across a face's edge", flat, on_edge_x, {0.8, 0.1}, 2, face, edge, false},
      {"beside each other", flat, flat, {1.5, 0}, 0, none, none, false},
  };
  const Pose places[] = {{}, {{1e4, -2e4, 5e3}, turn(1.1, Vec3(1, 2, 3).normalized())}};
  Pair pair = two_cubes();
  const double L = pair_size(pair.A(), pair.B());
  for (const Case& c : cases)
    for (const double gap : {0.0, 0.1, -0.1})
      for (const Pose& X : places) {
        SCOPED_TRACE(::testing::Message() << c.what << ", gap " << gap);
        const Pose X_WA = X * Pose{{0, 0, 0}, c.q_a};
        // a cube reaches as far up as down
        const double z = below(c.q_a) + below(c.q_b) + gap;
        const Pose X_WB = X * Pose{{c.shift.x(), c.shift.y(), z}, c.q_b};
        const Vec3 normal = X.q * Vec3::UnitZ();
        KissingManifold m = pair.touch(X_WA, X_WB, normal);
        ASSERT_EQ(m.count(), c.points);
        EXPECT_EQ(m.a.kind, c.a);
        EXPECT_EQ(m.b.kind, c.b);
        EXPECT_EQ(m.indeterminate, c.indeterminate && gap == 0);
        if (c.points > 0) {
          EXPECT_NEAR(m.distance, gap, 1e-11);
          EXPECT_NEAR(m.offset, normal.dot(X_WA.p) + below(c.q_a) + gap / 2, 1e-11);
        }
        for (const Vec3& p : m.points) {
          EXPECT_NEAR(normal.dot(p), m.offset, 1e-11);
          const Vec3 on_a = X_WA.inverse() * Vec3(p - 0.5 * m.distance * normal);
          const Vec3 on_b = X_WB.inverse() * Vec3(p + 0.5 * m.distance * normal);
          EXPECT_LT(std::abs(outside(*pair.A().polyhedron, on_a)), kKissing * L);
          EXPECT_LT(std::abs(outside(*pair.B().polyhedron, on_b)), kKissing * L);
        }
        EXPECT_EQ(std::set(m.ids.begin(), m.ids.end()).size(), m.ids.size());
        // the paper keeps to faces (K-E8)
        const bool has_face = c.a == face || c.b == face;
        EXPECT_EQ(pair.touch(X_WA, X_WB, normal, true).count(), has_face ? c.points : 0);
      }
}

// K-T6 (Fig. 7): a box on the top edge of a prism.
TEST(Manifold, a_box_on_the_edge_of_a_prism) {
  const double r = 1;
  std::vector<Vec3> prism;  // a triangle in y, z, its top at z = 0, along x
  for (const double x : {-1.0, 1.0})
    for (const Vec2& p : {Vec2(0, 0), Vec2(-r, -r), Vec2(r, -r)})
      prism.emplace_back(x, p.x(), p.y());
  Pair pair(box_polyhedron({0.6, 0.4, 0.3}), convex_hull(prism));
  const Transform X_AB(Mat3::Identity(), Vec3(0.1, 0, -0.3));
  SatScratch scratch;
  const SatProximity d = sat_proximity(*pair.A().polyhedron, *pair.B().polyhedron, X_AB, scratch);
  EXPECT_NEAR(d.distance, 0, 1e-15);
  EXPECT_LT((d.normal - Vec3(0, 0, -1)).norm(), 1e-15);

  kissing_manifold(pair.A(), pair.B(), X_AB, d, {}, pair.scratch, pair.m);
  EXPECT_EQ(pair.m.kind, ManifoldKind::segment);
  EXPECT_NEAR(pair.m.offset, 0.3, 1e-15);
  ASSERT_EQ(pair.m.count(), 2);
  EXPECT_NEAR(std::min(pair.m.points[0].x(), pair.m.points[1].x()), -0.6, 1e-12);
  EXPECT_NEAR(std::max(pair.m.points[0].x(), pair.m.points[1].x()), 0.6, 1e-12);

  const ContactPlane plane = contact_plane(pair.A(), pair.B(), X_AB, Vec3(0.2, 0, -0.3));
  EXPECT_TRUE(plane.found);
  EXPECT_FALSE(plane.indeterminate);
  EXPECT_LT((plane.normal - Vec3(0, 0, -1)).norm(), 1e-15);
  EXPECT_NEAR(plane.offset, 0.3, 1e-15);
}

TEST(Manifold, contact_planes_of_cubes) {
  Pair pair = two_cubes();
  const auto plane = [&](const Quat& q, const Vec3& shift, const Vec3& point) {
    return contact_plane(pair.A(), pair.B(), {q.toRotationMatrix(), shift}, point);
  };
  const Quat on_corner = turn(kTilt, Vec3(1, -1, 0).normalized());
  // face on face, a vertex on a face: K-12 as printed would call this indeterminate
  EXPECT_FALSE(plane(Quat::Identity(), {0.2, 0, 1}, {0.1, 0, 0.5}).indeterminate);
  EXPECT_LT((plane(Quat::Identity(), {0.2, 0, 1}, {0.1, 0, 0.5}).normal - Vec3::UnitZ()).norm(),
            1e-12);
  const Vec3 above(0.1, 0.1, 0.5 + below(on_corner));
  const ContactPlane corner = plane(on_corner, above, {0.1, 0.1, 0.5});
  EXPECT_TRUE(corner.found && !corner.indeterminate);
  EXPECT_LT((corner.normal - Vec3::UnitZ()).norm(), 1e-12);
  // corner on corner
  EXPECT_TRUE(plane(Quat::Identity(), {1, 1, 1}, {0.5, 0.5, 0.5}).indeterminate);
  // a point that is off by 1e-7 is found by widening
  const ContactPlane near = plane(Quat::Identity(), {0, 0, 1}, {0, 0, 0.5 + 1e-7});
  EXPECT_TRUE(near.found);
  EXPECT_GT(near.tolerance, 1e-8);
  // nothing there; crossing edges have no face between them
  EXPECT_FALSE(plane(Quat::Identity(), {0, 0, 1}, {0, 0, 0.3}).found);
  const Quat lower = turn(kEighth, Vec3::UnitX()), upper = turn(kEighth, Vec3::UnitY());
  const Quat q_ab = lower.conjugate() * upper;
  const Vec3 p_ab = lower.conjugate() * Vec3(0, 0, std::sqrt(2));
  EXPECT_FALSE(plane(q_ab, p_ab, 0.5 * p_ab).found);
}

TEST(Manifold, points_keep_their_names_while_things_tremble) {
  Random random(1);
  Pair pair = two_cubes();
  const Pose X_WB{{0.2, 0.1, 1}, Quat::Identity()};
  const std::vector<std::uint64_t> ids = pair.touch({}, X_WB, Vec3::UnitZ()).ids;
  EXPECT_EQ(ids.size(), 4u);
  for (int k = 0; k < 20; ++k) {
    const Pose moved{X_WB.p + random.in_cube(1e-10), turn(1e-10, random.direction())};
    auto now = pair.touch({}, moved, Vec3::UnitZ()).ids;
    auto then = ids;
    std::ranges::sort(now);
    std::ranges::sort(then);
    EXPECT_EQ(now, then);
  }
}

// Touching pairs: overlapping ones moved apart by their depth, and faces and edges laid
// on faces.
struct Touching {
  Polyhedron A, B;
  Transform X_AB;
  Proximity d;
};
Touching random_touching(Random& random, SatScratch& scratch) {
  for (;;) {
    Touching t{random_solid(random, pick(random, 0, 4), 20),
               random_solid(random, pick(random, 0, 4), 20),
               {},
               {}};
    if (pick(random, 0, 1) == 0) {
      const Polyhedron::Edge& eb = t.B.edges[pick(random, 0, t.B.edge_count() - 1)];
      const int fa = pick(random, 0, t.A.face_count() - 1);
      const Vec3& n = t.A.faces[fa].eta;
      const Vec3 down = pick(random, 0, 1) == 0
                            ? t.B.faces[eb.f1].eta
                            : (t.B.faces[eb.f1].eta + t.B.faces[eb.f2].eta).normalized();
      const Quat q = turn(random.uniform(0, 6), n) * Quat::FromTwoVectors(down, Vec3(-n));
      // its head somewhere on the face
      Vec3 place = t.A.vertices[t.A.face_loop(fa)[0]];
      for (const int v : t.A.face_loop(fa))
        place += random.uniform(0, 1) * (t.A.vertices[v] - place);
      const Vec3 other = q * t.B.vertices[eb.head];
      t.X_AB = Transform(q.toRotationMatrix(), place - other);
    } else {
      t.X_AB = Transform(random_placement(random, t.A, t.B));
    }
    t.d = sat_proximity(t.A, t.B, t.X_AB, scratch);
    if (t.d.distance > 0) continue;
    t.X_AB.p -= t.d.distance * t.d.normal;
    return t;
  }
}

// K-T10, eq. 2: if no point of the manifold closes, the solids do not.
TEST(Manifold, if_its_points_part_the_solids_part) {
  Random random(2);
  SatScratch scratch;
  int of_count[4] = {0, 0, 0, 0};
  for (const Soak soak(0.5, 500); soak.goes_on();) {
    const Touching t = random_touching(random, scratch);
    Pair pair(t.A, t.B);
    kissing_manifold(pair.A(), pair.B(), t.X_AB, t.d, {}, pair.scratch, pair.m);
    const KissingManifold& m = pair.m;
    const double L = t.A.size + t.B.size;
    ASSERT_GT(m.count(), 0) << t.d.distance;
    ++of_count[std::min(m.count() - 1, 3)];
    for (const Vec3& p : m.points) {
      EXPECT_LT(std::abs(outside(t.A, p)), kKissing * L);
      EXPECT_LT(std::abs(outside(t.B, t.X_AB.inverse() * p)), kKissing * L);
    }
    for (int k = 0; k < 5; ++k) {
      // a twist of B about A's origin, just so that no point closes
      const Vec3 omega = random.direction();
      Vec3 v = random.direction();
      double least = 1e300;
      for (const Vec3& p : m.points) least = std::min(least, m.normal.dot(v + omega.cross(p)));
      v -= least * m.normal;
      // The same rate as the 1e-11 after 1e-6 s of K-T10, in less time: what is of second
      // order, as the normal of nearly parallel edges turns, must not hide it.
      const double dt = 1e-8;
      const Mat3 R = Mat3(Eigen::AngleAxisd(dt, omega));
      const Transform later(R * t.X_AB.R, R * t.X_AB.p + dt * v);
      EXPECT_GE(sat_proximity(t.A, t.B, later, scratch).distance, -1e-5 * dt - kFaceBias * L);
    }
  }
  for (const int n : of_count) EXPECT_GT(n, 0);
}

TEST(Manifold, is_the_same_from_the_other_side) {
  Random random(3);
  SatScratch scratch;
  for (int k = 0; k < 100; ++k) {
    const Touching t = random_touching(random, scratch);
    Pair ab(t.A, t.B), ba(t.B, t.A);
    kissing_manifold(ab.A(), ab.B(), t.X_AB, t.d, {}, ab.scratch, ab.m);
    Proximity back;
    back.normal = -(t.X_AB.R.transpose() * t.d.normal);
    kissing_manifold(ba.A(), ba.B(), t.X_AB.inverse(), back, {}, ba.scratch, ba.m);
    ASSERT_EQ(ab.m.count(), ba.m.count());
    EXPECT_EQ(ab.m.indeterminate, ba.m.indeterminate);
    EXPECT_EQ(ab.m.a, ba.m.b);
    for (const Vec3& p : ab.m.points) {
      double nearest = 1e300;
      for (const Vec3& q : ba.m.points) nearest = std::min(nearest, (t.X_AB * q - p).norm());
      EXPECT_LT(nearest, 2e-9 * (t.A.size + t.B.size));
    }
  }
}

TEST(Manifold, on_a_half_space) {
  const Shape plane{ShapeKind::plane, {}}, cube{ShapeKind::box, {0.5, 0.5, 0.5}};
  Pair pair(plane, cube);
  const auto count = [&](const Quat& q, double height) {
    return pair.touch({}, {{3, 4, below(q) + height}, q}, Vec3::UnitZ()).count();
  };
  EXPECT_EQ(count(Quat::Identity(), 0), 4);
  EXPECT_EQ(pair.m.a, (Feature{FeatureKind::face, 0}));
  EXPECT_EQ(pair.m.b, (Feature{FeatureKind::face, 1}));
  EXPECT_EQ(count(turn(kEighth, Vec3::UnitX()), -0.2), 2);
  EXPECT_NEAR(pair.m.distance, -0.2, 1e-15);
  EXPECT_EQ(count(turn(kTilt, Vec3(1, -1, 0).normalized()), 0.1), 1);
  EXPECT_EQ(pair.m.b.kind, FeatureKind::vertex);
  EXPECT_FALSE(pair.m.indeterminate);

  // and the other way round
  Pair back(cube, plane);
  EXPECT_EQ(back.touch({{3, 4, 0.5}, Quat::Identity()}, {}, -Vec3::UnitZ()).count(), 4);
  EXPECT_EQ(back.m.b, (Feature{FeatureKind::face, 0}));
  Pair planes(plane, plane);
  EXPECT_EQ(planes.touch({}, {{0, 0, 1}, Quat::Identity()}, Vec3::UnitZ()).count(), 0);
}

TEST(Manifold, of_curved_solids) {
  const Shape plane{ShapeKind::plane, {}}, ball{ShapeKind::sphere, {0.3, 0, 0}},
      pill{ShapeKind::capsule, {0.2, 0.5, 0}}, can{ShapeKind::cylinder, {0.4, 0.5, 0}},
      egg{ShapeKind::ellipsoid, {0.2, 0.3, 0.4}}, table{ShapeKind::box, {2, 2, 0.1}};
  const Quat lying = turn(2 * kEighth, Vec3::UnitX());
  const auto on_plane = [&](const Shape& shape, const Pose& X) {
    return Pair(plane, shape).touch({}, X, Vec3::UnitZ());
  };
  const KissingManifold ball_m = on_plane(ball, {{1, 2, 0.3}, lying});
  ASSERT_EQ(ball_m.count(), 1);
  EXPECT_LT((ball_m.points[0] - Vec3(1, 2, 0)).norm(), 1e-15);
  EXPECT_EQ(on_plane(egg, {{1, 2, 0.4}, Quat::Identity()}).count(), 1);
  EXPECT_EQ(on_plane(pill, {{0, 0, 0.7}, Quat::Identity()}).count(), 1);
  const KissingManifold pill_m = on_plane(pill, {{0, 0, 0.2}, lying});
  ASSERT_EQ(pill_m.count(), 2);
  EXPECT_NEAR((pill_m.points[0] - pill_m.points[1]).norm(), 1, 1e-12);
  EXPECT_EQ(on_plane(can, {{0, 0, 0.4}, lying}).count(), 2);
  EXPECT_EQ(on_plane(can, {{0, 0, 0.6}, turn(0.3, Vec3::UnitX())}).count(), 1);
  const KissingManifold disc = on_plane(can, {{0, 0, 0.5}, Quat::Identity()});
  EXPECT_GT(disc.count(), 20);
  for (const Vec3& p : disc.points) EXPECT_NEAR(p.norm(), 0.4, 1e-12);

  // half over the edge of a table; beside an edge a ball still knows its normal
  Pair over(table, pill);
  ASSERT_EQ(over.touch({}, {{0, 2, 0.3}, lying}, Vec3::UnitZ()).count(), 2);
  EXPECT_NEAR((over.m.points[0] - over.m.points[1]).norm(), 0.5, 1e-12);
  Pair beside(table, ball);
  EXPECT_EQ(beside.touch({}, {{2, 0, 0.4}, lying}, Vec3::UnitZ()).count(), 1);
  EXPECT_FALSE(beside.m.indeterminate);
  Pair balls(ball, ball);
  EXPECT_EQ(balls.touch({}, {{0, 0, 0.6}, lying}, Vec3::UnitZ()).count(), 1);
  EXPECT_FALSE(balls.m.indeterminate);
}

TEST(Manifold, allocates_nothing_when_warm) {
  Pair pair = two_cubes();
  const Pose X_WB{{0.1, 0.2, 1}, turn(0.4, Vec3::UnitZ())};
  pair.touch({}, X_WB, Vec3::UnitZ());
  const long before = test::allocation_count();
  pair.touch({}, X_WB, Vec3::UnitZ());
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace abut
