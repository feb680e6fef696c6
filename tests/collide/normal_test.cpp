#include "abut/collide/normal.h"

#include <gtest/gtest.h>

#include <string>

#include "normal_testing.h"

namespace abut {
namespace {

using namespace abut::testing;

Transform shift(double x, double y, double z) { return {Mat3::Identity(), {x, y, z}}; }
const Polyhedron kUnitBox = box_polyhedron({0.5, 0.5, 0.5});

TEST(Normal, BoxOnBoxAllRulesAgree) {
  for (const double gap : {0.1, -0.02}) {
    const SolidPair s(kUnitBox, kUnitBox, shift(0, 0, 1 + gap));
    const Asked ask(s);
    const Closeness close = closeness(ask.d.distance, s.L());
    for (const NormalRule rule : kNormalRules) {
      const ContactNormal n = ask(rule);
      EXPECT_EQ(n.defined, is_defined(rule, close)) << name(rule) << gap;
      if (n.defined) {
        EXPECT_LT((n.normal - Vec3::UnitZ()).norm(), 1e-9) << name(rule) << gap;
      }
    }
  }
}

TEST(Normal, NamesDiffer) {
  for (const NormalRule a : kNormalRules)
    for (const NormalRule b : kNormalRules) EXPECT_EQ(a == b, std::string(name(a)) == name(b));
}

// K-X4: a small solid at the end of a long box.
TEST(Normal, LongBoxAndSmallSolid) {
  const SolidPair s(box_polyhedron({5, 0.5, 0.5}), box_polyhedron({0.1, 0.1, 0.1}),
                    shift(4, 0, 0.59));
  const Asked ask(s);
  EXPECT_GT(std::acos(ask(NormalRule::center_to_center).normal.z()), std::numbers::pi / 4);
  for (const NormalRule rule : {NormalRule::minimum_translation, NormalRule::contact_plane,
                                NormalRule::area_weighted, NormalRule::minmax_facet})
    EXPECT_LT((ask(rule).normal - Vec3::UnitZ()).norm(), 1e-9) << name(rule);
}

// Cheng Yi and Drumwright, Fig. 7: a box on a prism's edge; crossing edges; a corner on a face;
// corners.
TEST(Normal, ContactPlane) {
  const Mat3 on_edge = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitX()).toRotationMatrix();
  const double r = std::sqrt(0.5);
  {
    const SolidPair s(kUnitBox, kUnitBox, {on_edge, {0.1, 0.1, 0.5 + r}});
    const ContactNormal n = Asked(s)(NormalRule::contact_plane);
    EXPECT_LT((n.normal - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_FALSE(n.indeterminate);
    EXPECT_EQ(n.a.kind, FeatureKind::face);
  }
  {  // edges of both, crossing
    const Mat3 turn = Eigen::AngleAxisd(1, Vec3::UnitZ()).toRotationMatrix();
    const SolidPair s(transformed(kUnitBox, Pose{Vec3::Zero(), Quat(on_edge)}),
                      transformed(kUnitBox, Pose{Vec3::Zero(), Quat(on_edge)}),
                      {turn, {0.05, 0.02, 2 * r - 0.01}});
    const ContactNormal n = Asked(s)(NormalRule::contact_plane);
    EXPECT_LT((n.normal - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_FALSE(n.indeterminate);
  }
  {  // a corner of B on a face of A
    const Mat3 corner = Quat::FromTwoVectors(Vec3(1, 1, 1), -Vec3::UnitZ()).toRotationMatrix();
    const SolidPair s(kUnitBox, kUnitBox, {corner, {0.1, 0.2, 0.5 + std::sqrt(0.75)}});
    const ContactNormal n = Asked(s)(NormalRule::contact_plane);
    EXPECT_LT((n.normal - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_FALSE(n.indeterminate);
  }
  {  // edge along edge: either face's plane would do
    const SolidPair s(kUnitBox, kUnitBox, shift(0, 1, 1));
    EXPECT_TRUE(Asked(s)(NormalRule::contact_plane).indeterminate);
  }
}

TEST(Normal, HalfSpace) {
  ConvexSet set;
  set.add(Shape{ShapeKind::plane, {0, 0, 0}}, {});
  set.add(kUnitBox);
  const Mat3 R = Eigen::AngleAxisd(0.3, Vec3(1, 2, 0.5).normalized()).toRotationMatrix();
  const Transform X(R, {0.3, 0.1, 0.4});
  ClipBuffers buffers;
  for (const bool swap : {false, true}) {
    const Transform X_AB = swap ? X.inverse() : X;
    const Convex &A = set[swap ? 1 : 0], &B = set[swap ? 0 : 1];
    Intersection common;
    clip_volume(A, B, X_AB, buffers, common);
    NormalQuery query{A, B, X_AB};
    query.common = &common;
    const Vec3 up = swap ? Vec3(-(X_AB.R.col(2))) : Vec3(Vec3::UnitZ());
    for (const NormalRule rule :
         {NormalRule::center_to_center, NormalRule::area_weighted, NormalRule::minmax_facet})
      EXPECT_LT((contact_normal(rule, query).normal - up).norm(), 1e-12) << name(rule) << swap;
  }
}

// H-E3 and the divergence theorem: moving B by t along any d changes the common volume by
// -t area_A . d, so that along the area-weighted normal it shrinks fastest.
TEST(Normal, AreaWeightedShrinksTheVolume) {
  Random random(32);
  ClipBuffers buffers;
  int tried = 0;
  for (int k = 0; k < 80; ++k) {
    const Polyhedron a = volume_solid(random, k % 4, 20), b = volume_solid(random, k % 3, 20);
    const SolidPair s(a, b, Transform(volume_placement(random, a, b)));
    const Asked ask(s);
    if (ask.common.volume < 1e-4) continue;
    const ContactNormal n =
        contact_normal(NormalRule::area_weighted, {s.A(), s.B(), s.X_AB, nullptr, &ask.common});
    if (!n.defined) continue;
    ++tried;
    const double h = 1e-5;
    double volume[2];
    for (const int sign : {0, 1}) {
      Intersection moved;
      clip_volume(s.A(), s.B(), {s.X_AB.R, s.X_AB.p + (sign ? h : -h) * n.normal}, buffers, moved);
      volume[sign] = moved.volume;
    }
    EXPECT_NEAR((volume[0] - volume[1]) / (2 * h), ask.common.area_A.norm(), 1e-3) << k;
    EXPECT_LT((n.normal - ask.common.area_A.normalized()).norm(), 1e-9);
  }
  EXPECT_GT(tried, 20);
}

// H-N2: eq. (1) turns round when the smaller one is past the middle; memory or the
// minimum translation keeps it.
TEST(Normal, AreaWeightedKeepsItsSide) {
  const SolidPair s(box_polyhedron({1, 1, 0.1}), box_polyhedron({0.5, 0.5, 0.1}),
                    shift(0, 0, -0.05));
  Asked ask(s);
  ask.query.proximity = nullptr;
  EXPECT_LT(ask(NormalRule::area_weighted).normal.z(), -0.99);
  ask.query.previous = Vec3::UnitZ();
  EXPECT_GT(ask(NormalRule::area_weighted).normal.z(), 0.99);
  ask.query.previous = Vec3::Zero();
  Proximity up;
  up.normal = Vec3::UnitZ();
  ask.query.proximity = &up;
  EXPECT_GT(ask(NormalRule::area_weighted).normal.z(), 0.99);
  // nested: the sum is nothing
  const SolidPair nested(kUnitBox, box_polyhedron({0.1, 0.1, 0.1}), {});
  EXPECT_FALSE(Asked(nested)(NormalRule::area_weighted).defined);
}

// Eq. (4) by the book: every facet of each, every point of the other.
TEST(Normal, MinmaxFacetIsTheLeast) {
  Random random(33);
  for (int k = 0; k < 150; ++k) {
    const Polyhedron a = volume_solid(random, k % 4, 20), b = volume_solid(random, k % 3, 20);
    const SolidPair s(a, b, Transform(volume_placement(random, a, b)));
    const Asked ask(s);
    if (ask.common.overlap != OverlapKind::solid) continue;
    const auto planes = wide_planes<long double>(s.A(), s.B(), s.X_AB);
    const auto depth = [&](Side side, int face) {
      const auto& plane = planes[face + (side == Side::a ? 0 : a.face_count())];
      double most = -1;
      for (const auto& f : ask.common.faces) {
        if (f.side == side) continue;
        for (const int v : ask.common.loop(f))
          most = std::max(most, static_cast<double>(
                                    plane.d - plane.n.dot(wide<long double>(ask.common.point(v)))));
      }
      return most < 0 ? 1e300 : most;
    };
    bool has[2] = {false, false};
    double least = 1e300;
    for (const auto& f : ask.common.faces) {
      has[f.side == Side::b] = true;
      least = std::min(least, depth(f.side, f.face));
    }
    if (!has[0])
      for (int f = 0; f < a.face_count(); ++f) least = std::min(least, depth(Side::a, f));
    if (!has[1])
      for (int f = 0; f < b.face_count(); ++f) least = std::min(least, depth(Side::b, f));
    const ContactNormal n = ask(NormalRule::minmax_facet);
    ASSERT_TRUE(n.defined);
    const bool of_A = n.a.kind == FeatureKind::face;
    EXPECT_NEAR(of_A ? depth(Side::a, n.a.index) : depth(Side::b, n.b.index), least, 1e-12) << k;
    const Vec3 eta = of_A ? a.faces[n.a.index].eta : Vec3(-(s.X_AB.R * b.faces[n.b.index].eta));
    EXPECT_EQ(n.normal, eta);
  }
}

TEST(Normal, MinmaxFacetDoesNotFlicker) {
  // as deep sideways as downwards, to rounding
  for (const double more : {-1e-9, 1e-9}) {
    const SolidPair s(kUnitBox, kUnitBox, shift(0.9, 0, 0.9 + more));
    Asked ask(s);
    ask.query.previous_a = ask(NormalRule::minmax_facet).a;
    const SolidPair t(kUnitBox, kUnitBox, shift(0.9, 0, 0.9 - more));
    Asked next(t);
    next.query.previous_a = ask.query.previous_a;
    EXPECT_EQ(next(NormalRule::minmax_facet).a, ask.query.previous_a);
  }
  // but it gives way to what is better
  const SolidPair s(kUnitBox, kUnitBox, shift(0.9, 0, 0.95));
  Asked ask(s);
  const Feature best = ask(NormalRule::minmax_facet).a;
  for (int f = 0; f < 6; ++f) {
    ask.query.previous_a = {FeatureKind::face, f};
    EXPECT_EQ(ask(NormalRule::minmax_facet).a, best);
  }
}

// A bar through the middle of another, a little above it: both of its wide facets are
// equally deep, and the minimum translation is up.
TEST(Normal, MinmaxFacetOfAPiercedSolid) {
  const Polyhedron bar = box_polyhedron({1, 0.1, 0.05}), post = box_polyhedron({0.1, 0.1, 0.06});
  for (const double z : {-0.005, 0.005}) {
    const SolidPair s(bar, post, shift(0.3, 0, z)), t(post, bar, shift(-0.3, 0, -z));
    EXPECT_EQ(Asked(s)(NormalRule::minmax_facet).normal.z(), z > 0 ? 1 : -1);
    EXPECT_EQ(Asked(t)(NormalRule::minmax_facet).normal.z(), z > 0 ? -1 : 1);
  }
}

// K-8 (b): along a path the normal turns smoothly but for a few jumps.
TEST(Normal, PiecewiseContinuous) {
  Random random(34);
  const Polyhedron a = volume_solid(random, 1, 12), b = volume_solid(random, 1, 12);
  ASSERT_GE(a.face_count(), 4);
  int jumps[6] = {}, steps = 0;
  std::array<Vec3, 6> last;
  last.fill(Vec3::Zero());
  const Quat turn = random.rotation();
  for (double t = 0; t < 1; t += 1e-3, ++steps) {
    const SolidPair s(a, b, Transform(turn.toRotationMatrix(), Vec3(0.3 * t - 0.1, 0.2 * t, 0.55)));
    const Asked ask(s);
    for (std::size_t r = 0; r < kNormalRules.size(); ++r) {
      const ContactNormal n = ask(kNormalRules[r]);
      if (n.defined && last[r].squaredNorm() > 0) jumps[r] += (n.normal - last[r]).norm() > 0.02;
      last[r] = n.normal;
    }
  }
  for (const int count : jumps) EXPECT_LT(count, 12);
  EXPECT_EQ(jumps[3], 0);  // centres
}

// Swapping the solids turns the normal round.
TEST(Normal, SwapTurnsItRound) {
  Random random(35);
  for (int k = 0; k < 60; ++k) {
    const Polyhedron a = volume_solid(random, k % 2, 20), b = volume_solid(random, k % 2, 20);
    const SolidPair s(a, b, Transform(volume_placement(random, a, b)));
    const SolidPair t(b, a, s.X_AB.inverse());
    const Asked one(s), other(t);
    for (const NormalRule rule : kNormalRules) {
      const ContactNormal n = one(rule), m = other(rule);
      ASSERT_EQ(n.defined, m.defined) << name(rule) << k;
      if (!n.defined || n.indeterminate || m.indeterminate) continue;
      EXPECT_LT((s.X_AB.R * m.normal + n.normal).norm(), 1e-6) << name(rule) << k;
    }
  }
}

}  // namespace
}  // namespace abut
