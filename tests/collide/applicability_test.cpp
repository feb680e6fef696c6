#include "abut/collide/peg/applicability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "abut/collide/proximity/cold/sat.h"
#include "collide/random_solids.h"
#include "support/allocations.h"

namespace abut {
namespace {

using testing::pick;
using testing::Random;
using testing::random_placement;
using testing::random_solid;

Transform placed_at(double x, double y, double z, double angle = 0,
                    const Vec3& axis = Vec3::UnitZ()) {
  return {Mat3(Eigen::AngleAxisd(angle, axis)), Vec3(x, y, z)};
}

// Everything, however far and however low.
FeatureLimits no_limits() {
  FeatureLimits all;
  all.eps_vf = all.eps_ee = 1e3;
  all.theta = std::numbers::pi / 2;
  return all;
}

struct Pair {
  ConvexSet solids;
  FeatureContacts contacts;

  template <class A, class B>
  Pair(const A& a, const B& b) {
    add(a);
    add(b);
  }
  void add(const Polyhedron& p) { solids.add(p); }
  void add(const Shape& s) { solids.add(s, {}); }
  const std::vector<FeatureContact>& operator()(const Transform& X_AB,
                                                const FeatureLimits& limits) {
    EXPECT_TRUE(feature_contacts(solids[0], solids[1], X_AB, limits, contacts));
    return contacts.list;
  }
};

std::set<std::uint64_t> names(const std::vector<FeatureContact>& list) {
  std::set<std::uint64_t> out;
  for (const FeatureContact& c : list) out.insert(point_id(c.a, c.b));
  EXPECT_EQ(out.size(), list.size()) << "a contact twice";
  return out;
}

int count_edges(const std::vector<FeatureContact>& list) {
  return static_cast<int>(std::ranges::count_if(
      list, [](const FeatureContact& c) { return c.a.kind == FeatureKind::edge; }));
}

const Polyhedron kCube = box_polyhedron({0.5, 0.5, 0.5});

// P-X6: a cube 0.1 m above another, aligned.
TEST(Applicability, cube_over_cube) {
  Pair pair(kCube, kCube);
  FeatureLimits limits;
  limits.eps_vf = limits.eps_ee = 0.2;
  limits.applicable_only = false;
  const auto& all = pair(placed_at(0, 0, 1.1), limits);
  // each of the eight vertices between them: the face across, and two sides flush with it
  EXPECT_EQ(static_cast<int>(all.size()) - count_edges(all), 24);
  limits.applicable_only = true;
  int across = 0;
  for (const FeatureContact& c : pair(placed_at(0, 0, 1.1), limits)) {
    if (c.a.kind == FeatureKind::edge) continue;
    ++across;
    EXPECT_NEAR(c.psi, 0.1, 1e-15);
    EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-15);
    EXPECT_NEAR(c.applicability, 0, 1e-15);
  }
  EXPECT_EQ(across, 8);
}

// P-T2 (Fig. 3): relaxed, what is flush does not hang on the last bit.
TEST(Applicability, relaxed_does_not_depend_on_rounding) {
  Random random(1);
  Pair pair(kCube, kCube);
  FeatureLimits strict, relaxed;
  strict.theta_vf = strict.theta_ee = 0;
  const auto expected = names(pair(placed_at(0.2, 0.1, 1.01), relaxed));
  EXPECT_GE(expected.size(), 4u);
  bool strict_changes = false;
  const auto strictly = names(pair(placed_at(0.2, 0.1, 1.01), strict));
  for (int k = 0; k < 20; ++k) {
    const Transform X = placed_at(0.2, 0.1, 1.01, 1e-15, random.direction());
    EXPECT_EQ(names(pair(X, relaxed)), expected);
    strict_changes |= names(pair(X, strict)) != strictly;
  }
  EXPECT_TRUE(strict_changes);
}

// Fig. 4: a corner that comes down near the top edge of a cube. It may be pushed by the
// top, never by the side, yet the side belongs to the geometry.
TEST(Applicability, a_vertex_by_an_edge_has_two_faces_but_one_to_push_it) {
  std::vector<Vec3> points{{0, 0, 0}, {0.4, 0, 1}, {-0.4, 0.4, 1}, {-0.4, -0.4, 1}};
  const Polyhedron spike = convex_hull(points);
  const auto origin = [](const Vec3& v) { return v.norm() == 0; };
  const int tip =
      static_cast<int>(std::ranges::find_if(spike.vertices, origin) - spike.vertices.begin());
  Pair pair(spike, kCube);
  FeatureLimits limits;
  limits.applicable_only = false;
  std::vector<FeatureContact> of_tip;
  for (const FeatureContact& c : pair(placed_at(-0.495, 0, -0.52), limits))
    if (c.a == Feature{FeatureKind::vertex, tip}) of_tip.push_back(c);
  ASSERT_EQ(of_tip.size(), 2u);
  const bool top_first = of_tip[0].normal.z() < -0.5;
  const FeatureContact &top = of_tip[top_first ? 0 : 1], &side = of_tip[top_first ? 1 : 0];
  EXPECT_NEAR(top.psi, 0.02, 1e-12);
  EXPECT_GT(top.applicability, 0.8);
  EXPECT_NEAR(side.psi, -0.005, 1e-12);
  EXPECT_LT(side.applicability, -0.3);
}

// What PEG rests on (P-E7) and SAT is: the solids are as far apart as the best plane of an
// applicable pair says, and the pair that SAT found is in the list.
TEST(Applicability, the_greatest_applicable_gap_is_the_separation) {
  Random random(2);
  SatScratch scratch;
  int edges = 0;
  for (int k = 0; k < 150; ++k) {
    const Polyhedron A = random_solid(random, k % 4, 16), B = random_solid(random, k / 4 % 4, 16);
    const Transform X(random_placement(random, A, B));
    const SatProximity d = sat_proximity(A, B, X, scratch);
    if (!d.exact) continue;
    Pair pair(A, B);
    double most = -1e300;
    for (const FeatureContact& c : pair(X, no_limits())) {
      EXPECT_LT((c.p_B - c.p_A - c.psi * c.normal).norm(), 1e-12);
      if (c.applicability >= -1e-12) most = std::max(most, c.psi);
    }
    EXPECT_NEAR(most, d.distance, 1e-9);
    const FeatureContact own = feature_contact(A, d.a, B, d.b, X);
    if (own.a.kind == FeatureKind::none) continue;  // a face over an edge or face
    EXPECT_NEAR(own.psi, d.distance, 1e-9);
    EXPECT_LT((own.normal - d.normal).norm(), 1e-9);
    EXPECT_GE(own.applicability, -1e-9);
    edges += own.a.kind == FeatureKind::edge;
  }
  EXPECT_GT(edges, 10);
}

TEST(Applicability, one_by_one_and_all_at_once_agree) {
  Random random(3);
  for (int k = 0; k < 40; ++k) {
    const Polyhedron A = random_solid(random, k % 4, 12), B = random_solid(random, k / 4 % 4, 12);
    const Transform X(random_placement(random, A, B));
    FeatureLimits limits;
    limits.eps_vf = limits.eps_ee = random.uniform(0.01, 0.4);
    Pair pair(A, B);
    std::vector<FeatureContact> expected;
    const auto consider = [&](Feature a, Feature b, double eps) {
      const FeatureContact c = feature_contact(A, a, B, b, X);
      if (c.applicability >= -eps && is_feasible(c, A, B, X, limits)) expected.push_back(c);
    };
    for (int i = 0; i < A.vertex_count(); ++i)
      for (int j = 0; j < B.face_count(); ++j)
        consider({FeatureKind::vertex, i}, {FeatureKind::face, j}, limits.theta_vf);
    for (int i = 0; i < A.face_count(); ++i)
      for (int j = 0; j < B.vertex_count(); ++j)
        consider({FeatureKind::face, i}, {FeatureKind::vertex, j}, limits.theta_vf);
    for (int i = 0; i < A.edge_count(); ++i)
      for (int j = 0; j < B.edge_count(); ++j)
        consider({FeatureKind::edge, i}, {FeatureKind::edge, j}, limits.theta_ee);
    EXPECT_EQ(names(pair(X, limits)), names(expected));

    // and from the other side
    Pair back(B, A);
    std::set<std::uint64_t> mirrored;
    for (const FeatureContact& c : back(X.inverse(), limits)) mirrored.insert(point_id(c.b, c.a));
    EXPECT_EQ(mirrored, names(expected));
  }
}

TEST(Applicability, feasible_is_near_the_finite_features) {
  FeatureLimits limits;
  limits.eps_vf = limits.eps_ee = 0.1;
  // vertex 0 of B, at (-0.5, -0.5, -0.5) of it, over the top of A
  const auto over_top = [&](double x, double z) {
    const Transform X = placed_at(x + 0.5, 0.5, 0.5 + z + 0.5);
    const FeatureContact c =
        feature_contact(kCube, {FeatureKind::face, 3}, kCube, {FeatureKind::vertex, 0}, X);
    EXPECT_NEAR(c.psi, z, 1e-15);
    EXPECT_NEAR(c.p_B.x(), x, 1e-15);
    return is_feasible(c, kCube, kCube, X, limits);
  };
  EXPECT_TRUE(over_top(0.2, 0.09));
  EXPECT_TRUE(over_top(0.2, -0.09));
  EXPECT_FALSE(over_top(0.2, 0.11));
  EXPECT_FALSE(over_top(0.2, -0.11));
  EXPECT_TRUE(over_top(0.59, 0));
  EXPECT_FALSE(over_top(0.61, 0));
  EXPECT_FALSE(over_top(0.58, 0.08));
  EXPECT_TRUE(over_top(0.55, -0.02));    // 0.38 rad below the border
  EXPECT_FALSE(over_top(0.55, -0.025));  // 0.46 rad

  // edges 4 (along x) and 0 (along z) of the cubes, B's moved along y and beyond A's end
  const auto edges_at = [&](double x, double y) {
    const Transform X = placed_at(x + 0.5, 1 + y, -0.3);
    const FeatureContact c =
        feature_contact(kCube, {FeatureKind::edge, 4}, kCube, {FeatureKind::edge, 0}, X);
    EXPECT_EQ(c.a.kind, FeatureKind::edge);
    return is_feasible(c, kCube, kCube, X, limits);
  };
  EXPECT_TRUE(edges_at(0, 0.09));
  EXPECT_FALSE(edges_at(0, 0.11));
  EXPECT_TRUE(edges_at(0.58, 0.05));
  EXPECT_FALSE(edges_at(0.59, 0.05));
}

TEST(Applicability, parallel_edges_have_no_contact) {
  const Feature edge{FeatureKind::edge, 4};
  const auto turned = [&](double angle) {
    return feature_contact(kCube, edge, kCube, edge, placed_at(0, 1, 1, angle)).a.kind;
  };
  EXPECT_EQ(turned(0), FeatureKind::none);
  EXPECT_EQ(turned(1e-7), FeatureKind::none);
  EXPECT_EQ(turned(1e-5), FeatureKind::edge);
  EXPECT_EQ(feature_contact(kCube, {FeatureKind::vertex, 0}, kCube, edge, {}).a.kind,
            FeatureKind::none);
}

TEST(Applicability, over_a_half_space) {
  const Shape plane{ShapeKind::plane, {}}, box{ShapeKind::box, {0.5, 0.5, 0.5}},
      ball{ShapeKind::sphere, {0.3, 0, 0}}, pill{ShapeKind::capsule, {0.2, 0.5, 0}};
  const FeatureLimits limits;
  Pair on_plane(plane, box);
  const Transform X = placed_at(3, 4, 0.52, 0.05, Vec3::UnitX());
  const auto& low = on_plane(X, limits);
  ASSERT_EQ(low.size(), 4u);
  for (const FeatureContact& c : low) {
    EXPECT_EQ(c.a, (Feature{FeatureKind::face, 0}));
    EXPECT_EQ(c.normal, Vec3::UnitZ());
    EXPECT_NEAR(c.psi, (X * kCube.vertices[c.b.index]).z(), 1e-15);
    EXPECT_NEAR(c.applicability, -std::sin(0.05) * (c.psi > 0.02), 1e-12);
  }
  Pair under(box, plane);
  const auto mirrored = under(X.inverse(), limits);
  ASSERT_EQ(mirrored.size(), 4u);
  for (const FeatureContact& c : mirrored)
    EXPECT_NEAR(c.psi, (X * kCube.vertices[c.a.index]).z(), 1e-15);

  EXPECT_EQ(Pair(plane, ball)(placed_at(0, 0, 0.35), limits).size(), 1u);
  EXPECT_EQ(Pair(plane, ball)(placed_at(0, 0, 0.45), limits).size(), 0u);
  EXPECT_EQ(Pair(plane, pill)(placed_at(0, 0, 0.21, 1.55, Vec3::UnitX()), limits).size(), 2u);

  Pair odd(box, ball), planes(plane, plane);
  EXPECT_FALSE(feature_contacts(odd.solids[0], odd.solids[1], {}, limits, odd.contacts));
  EXPECT_FALSE(feature_contacts(planes.solids[0], planes.solids[1], {}, limits, planes.contacts));
}

TEST(Applicability, allocates_nothing_when_warm) {
  Pair pair(kCube, kCube);
  const Transform X = placed_at(0.1, 0.2, 1.02, 0.3);
  pair(X, {});
  const long before = test::allocation_count();
  pair(X, {});
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace abut
