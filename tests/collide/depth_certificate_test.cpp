// Whether features are still those of the least translation: asked of all features of a pair, the
// right ones and the wrong ones, against the separating axes.
#include "abut/collide/proximity/warm/depth_certificate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/pair_axes.h"
#include "collide/random_solids.h"

namespace abut::testing {
namespace {

std::vector<Feature> faces_and_edges(const Polyhedron& p) {
  std::vector<Feature> all;
  for (int f = 0; f < p.face_count(); ++f) all.push_back({FeatureKind::face, f});
  for (int e = 0; e < p.edge_count(); ++e) all.push_back({FeatureKind::edge, e});
  return all;
}

// A translation must part the two, and no less than it says: the planes along the normal touch
// both. "Least" is a proof. Of solids in general position the right features get it mostly.
TEST(DepthCertificate, IsRightAboutEveryFeature) {
  int asked = 0, proved = 0, all = 0, differ = 0;
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    const double size = std::pow(10, random.uniform(-3, 3));
    const bool round = seed % 2 == 0;
    ConvexSet solids;
    for (int i = 0; i < 2; ++i)
      solids.add(
          shrunk(random_solid(random, round ? 0 : pick(random, 0, kSolidKinds - 1), 14), size));
    const Polyhedron &P = *solids[0].polyhedron, &Q = *solids[1].polyhedron;
    const Transform X_AB(random_placement(random, P, Q));
    const Transform X_WA(random.pose(1)), X_WB = X_WA * X_AB;
    const double L = pair_size(solids[0], solids[1]);
    SatScratch scratch;
    const double depth = -sat_proximity(P, Q, X_AB, scratch).distance;
    if (!(depth > 1e-5 * L)) continue;

    bool any = false;
    const auto ask = [&](const Feature& a, const Feature& b) {
      Proximity d;
      bool certified = false;
      if (!translation_along(solids[0], solids[1], InFrameOfA(X_AB), a, b, d, certified)) return;
      SCOPED_TRACE(fmt::format("seed {}: {} {} of A, {} {} of B", seed, static_cast<int>(a.kind),
                               a.index, static_cast<int>(b.kind), b.index));
      ++all;
      ASSERT_NEAR(d.normal.norm(), 1, 1e-12);
      // and so it is in the world's axes, but for what is decided by rounding
      Proximity w;
      bool certified_in_world = false;
      if (translation_along(solids[0], solids[1], InWorldAxes(X_WA, X_WB), a, b, w,
                            certified_in_world)) {
        InWorldAxes(X_WA, X_WB).turn_back(w);
        ASSERT_NEAR(w.distance, d.distance, 1e-9 * L);
        ASSERT_LT((w.normal - d.normal).norm(), 1e-6);
        if (certified_in_world) {
          ASSERT_NEAR(w.distance, -depth, 1e-9 * L);
        }
        differ += certified_in_world != certified;
      } else {
        ++differ;
      }
      const Vec3 n_B = X_AB.R.transpose() * d.normal;
      const Vec3 &top = P.vertices[static_cast<std::size_t>(support_brute_force(P, d.normal))],
                 &low = Q.vertices[static_cast<std::size_t>(support_brute_force(Q, -n_B))];
      ASSERT_NEAR(d.normal.dot(X_AB * low - top), d.distance, 1e-9 * L);
      ASSERT_LT((d.p_A + d.distance * d.normal - d.p_B).norm(), 1e-12 * L);
      ASSERT_LT(outside(P, d.p_A), 2e-9 * L);
      ASSERT_LT(outside(Q, X_AB.inverse() * d.p_B), 2e-9 * L);
      ASSERT_LE(d.distance, -depth + 1e-9 * L);
      if (!certified) return;
      ASSERT_NEAR(d.distance, -depth, 1e-9 * L);
      any = true;
    };
    for (const Feature& a : faces_and_edges(P))
      for (const Feature& b : faces_and_edges(Q))
        if (a.kind == FeatureKind::edge || b.kind == FeatureKind::edge) {
          ASSERT_NO_FATAL_FAILURE(ask(a, b));
        }
    for (int v = 0; v < Q.vertex_count(); ++v)
      for (int f = 0; f < P.face_count(); ++f)
        ASSERT_NO_FATAL_FAILURE(ask({FeatureKind::face, f}, {FeatureKind::vertex, v}));
    for (int v = 0; v < P.vertex_count(); ++v)
      for (int f = 0; f < Q.face_count(); ++f)
        ASSERT_NO_FATAL_FAILURE(ask({FeatureKind::vertex, v}, {FeatureKind::face, f}));
    if (round && depth < 0.05 * L) {
      ++asked;
      proved += any;
    }
  }
  EXPECT_LT(differ, all / 100);
  EXPECT_GT(asked, 50);
  EXPECT_GT(proved, asked * 2 / 3);
}

}  // namespace
}  // namespace abut::testing
