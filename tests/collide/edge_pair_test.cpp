#include "abut/collide/proximity/cold/edge_pair.h"

#include <gtest/gtest.h>

#include "collide/random_solids.h"

namespace abut {
namespace {

using testing::Random;
using testing::random_solid;

// The crossing test as it is written in K-N2, by triple products.
bool cross_by_triple_products(const EdgeArc& ea, const EdgeArc& eb) {
  const Vec3 &a = ea.eta1, &b = ea.eta2, c = -eb.eta1, d = -eb.eta2;
  const double cba = c.dot(b.cross(a)), dba = d.dot(b.cross(a));
  const double adc = a.dot(d.cross(c)), bdc = b.dot(d.cross(c));
  return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

// Applicability as it is written in P-E3, for one sign of the normal.
double by_t_vectors(const EdgeArc& a, const EdgeArc& b, const Vec3& n) {
  const Vec3 ta1 = a.eta1.cross(a.direction).normalized();
  const Vec3 ta2 = a.direction.cross(a.eta2).normalized();
  const Vec3 tb1 = b.eta1.cross(b.direction).normalized();
  const Vec3 tb2 = b.direction.cross(b.eta2).normalized();
  return std::min({-n.dot(ta1), -n.dot(ta2), n.dot(tb1), n.dot(tb2)});
}

// All edge pairs of random solids: fn(a, b, A, B, X_AB).
template <class Fn>
void over_edge_pairs(unsigned seed, int solids, const Fn& fn) {
  Random random(seed);
  for (int k = 0; k < solids; ++k) {
    const Polyhedron A = random_solid(random, k % 4, 12), B = random_solid(random, k / 4 % 4, 12);
    const Transform X_AB(random_placement(random, A, B));
    for (int i = 0; i < A.edge_count(); ++i)
      for (int j = 0; j < B.edge_count(); ++j) fn(edge_arc(A, i), edge_arc(B, j, X_AB), A, B, X_AB);
  }
}

TEST(EdgePair, triple_products_and_t_vectors_say_the_same) {
  int pairs = 0, crossing = 0;
  over_edge_pairs(1, 140, [&](const EdgeArc& a, const EdgeArc& b, auto&&...) {
    const EdgePair pair = edge_pair(a, b);
    if (pair.sine < 1e-6) return;
    ++pairs;
    const bool cross = arcs_cross(edge_sides(a, b));
    EXPECT_EQ(cross, cross_by_triple_products(a, b));
    EXPECT_EQ(cross, pair.applicability > 0);
    crossing += cross;
    // either sign of the normal: no more than one is applicable, and it is ours
    const Vec3 n = a.direction.cross(b.direction).normalized();
    const double best = std::max(by_t_vectors(a, b, n), by_t_vectors(a, b, -n));
    if (best > 0) {
      EXPECT_NEAR(pair.applicability, best, 1e-9);
    }
    if (pair.applicability > -1) {
      EXPECT_NEAR(pair.applicability, by_t_vectors(a, b, pair.normal), 1e-9);
    }
  });
  EXPECT_GT(pairs, 20000);
  EXPECT_GT(crossing, 500);
}

TEST(EdgePair, the_normal_of_crossing_arcs_carries_both_solids) {
  over_edge_pairs(2, 30,
                  [](const EdgeArc& a, const EdgeArc& b, const Polyhedron& A, const Polyhedron& B,
                     const Transform& X_AB) {
                    const EdgePair pair = edge_pair(a, b);
                    if (pair.applicability < 1e-6 || pair.sine < 1e-6) return;
                    double top = -1e300, bottom = 1e300;
                    for (const Vec3& v : A.vertices) top = std::max(top, pair.normal.dot(v));
                    for (const Vec3& v : B.vertices)
                      bottom = std::min(bottom, pair.normal.dot(X_AB * v));
                    EXPECT_NEAR(top, pair.normal.dot(a.tail), 1e-9);
                    EXPECT_NEAR(bottom - top, pair.gap, 1e-9);
                    const LineParameters at = closest_on_lines(a, b);
                    const Vec3 between =
                        b.tail + at.tb * b.direction - a.tail - at.ta * a.direction;
                    EXPECT_LT((between - pair.gap * pair.normal).norm(), 1e-9 / pair.sine);
                  });
}

TEST(EdgePair, swapping_the_edges_turns_the_normal_round) {
  over_edge_pairs(3, 10, [](const EdgeArc& a, const EdgeArc& b, auto&&...) {
    const EdgePair ab = edge_pair(a, b), ba = edge_pair(b, a);
    EXPECT_NEAR(ab.applicability, ba.applicability, 1e-12);
    // also where they are turned away from each other: peg follows such a plane as bodies turn
    EXPECT_LT((ab.normal + ba.normal).norm(), 1e-14);
    EXPECT_NEAR(ab.gap, ba.gap, 1e-14);
  });
}

// A ridge along x below, a keel along y above: 0.3 m between them.
TEST(EdgePair, a_ridge_and_a_keel) {
  const double c = std::sqrt(0.5);
  const EdgeArc ridge{{-1, 0, 0}, {2, 0, 0}, {0, c, c}, {0, -c, c}};
  const EdgeArc keel{{0.2, -1, 0.3}, {0, 2, 0}, {c, 0, -c}, {-c, 0, -c}};
  const EdgePair pair = edge_pair(ridge, keel);
  EXPECT_LT((pair.normal - Vec3(0, 0, 1)).norm(), 1e-15);
  EXPECT_NEAR(pair.gap, 0.3, 1e-15);
  EXPECT_NEAR(pair.applicability, c, 1e-15);
  EXPECT_NEAR(closest_on_lines(ridge, keel).ta, 0.6, 1e-15);
  EXPECT_NEAR(closest_on_lines(ridge, keel).tb, 0.5, 1e-15);

  EdgeArc along = keel;
  along.direction = {0, 2, 2e-10};
  EXPECT_EQ(edge_pair(keel, along).applicability, -1);
  EXPECT_EQ(edge_pair(keel, along).normal, Vec3::Zero());
}

// Two cubes: what eq. 7 of Williams, Lu and Trinkle calls exactly 0 is applicable by right (P-E3).
TEST(EdgePair, cubes_on_edge_are_applicable) {
  const Polyhedron cube = box_polyhedron({0.5, 0.5, 0.5});
  const double eighth = std::numbers::pi / 4;
  const Transform below(Mat3(Eigen::AngleAxisd(eighth, Vec3::UnitX())), Vec3::Zero());
  const Transform above(Mat3(Eigen::AngleAxisd(eighth, Vec3::UnitY())), Vec3(0, 0, 2));
  int applicable = 0;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      const EdgePair pair = edge_pair(edge_arc(cube, i, below), edge_arc(cube, j, above));
      if (pair.applicability < 0.5 || pair.normal.z() < 0.9) continue;
      ++applicable;
      EXPECT_NEAR(pair.applicability, std::sqrt(0.5), 1e-12);
      EXPECT_NEAR(pair.gap, 2 - std::sqrt(2), 1e-12);
    }
  EXPECT_EQ(applicable, 1);
}

}  // namespace
}  // namespace abut
