// The paper's first necessary condition on a contact normal (Cheng Yi and Drumwright, III-B;
// K-8 a): two solids that move apart along it get farther from each other, or overlap less deeply.
//
// The signed distance phi is convex in the translation of B, with the proximity's normal g
// among its slopes: phi(x + t n) >= phi(x) + t n . g for every step t. So the condition holds
// of a normal n with n . g > 0, for small steps and large. Some rules always give such a
// normal; the others have counterexamples, which are here (docs/contact.md lists them).
#include <gtest/gtest.h>

#include "normal_testing.h"

namespace abut {
namespace {

using namespace abut::testing;

Transform shift(double x, double y, double z) { return {Mat3::Identity(), {x, y, z}}; }

// Every kind of solid, and spikes: sharp ends have the most normals to choose from.
Polyhedron any_solid(Random& random) {
  const int kind = static_cast<int>(random.uniform(0, kVolumeKinds + 2));
  if (kind < kVolumeKinds) return volume_solid(random, kind, 20);
  for (;;) try {
      const double w = std::pow(10, random.uniform(-2, 0));
      std::vector<Vec3> points = {Vec3::Zero()};
      for (int i = 0; i < 4; ++i)
        points.emplace_back(random.uniform(-w, w), random.uniform(-w, w), 1);
      return convex_hull(points);
    } catch (const ShapeError&) {
      // flat: once more
    }
}

// Calls f(ask, closeness) for pairs from apart to deep.
template <class F>
void for_each_pair(unsigned seed, int count, F&& f) {
  Random random(seed);
  for (int k = 0; k < count; ++k) {
    const Polyhedron a = any_solid(random), b = any_solid(random);
    Pose X_AB = volume_placement(random, a, b);
    if (k % 4 == 1) X_AB.p *= 1.5;
    if (k % 4 == 3)  // end to end
      X_AB.p = a.vertices[0] - X_AB.q * b.vertices[0] + 0.1 * random.direction();
    const SolidPair s(a, b, Transform(X_AB));
    const Asked ask(s);
    SCOPED_TRACE(k);
    f(ask, closeness(ask.d.distance, s.L()));
  }
}

// What proximity is good for (m).
double rounding(const Asked& ask) { return 1e-12 * ask.s.L(); }

// Steps from small against the distance to large against the solids (m).
std::array<double, 3> steps(const Asked& ask) {
  const double far = std::abs(ask.d.distance);
  return {0.01 * far, 0.5 * far, 0.2 * ask.s.L()};
}

// The inequality above: it holds of any direction, whichever rule made it.
TEST(NormalCondition, SignedDistanceIsConvex) {
  Random random(71);
  for_each_pair(72, 300, [&](const Asked& ask, Closeness) {
    const Vec3 n = random.direction();
    for (const double t : steps(ask))
      EXPECT_GE(ask.gain(t * n), t * n.dot(ask.d.normal) - rounding(ask));
  });
}

// The way itself: every metre counts.
TEST(NormalCondition, ClosestFeatureAndMinimumTranslation) {
  int apart = 0, overlapping = 0;
  for_each_pair(73, 400, [&](const Asked& ask, Closeness close) {
    for (const NormalRule rule : {NormalRule::closest_feature, NormalRule::minimum_translation}) {
      const ContactNormal n = ask(rule);
      ASSERT_EQ(n.defined, is_defined(rule, close)) << name(rule);
      if (!n.defined) continue;
      (rule == NormalRule::closest_feature ? apart : overlapping) += 1;
      ASSERT_NEAR(n.normal.norm(), 1, 1e-12);
      if (n.indeterminate) continue;  // touching: the normal is one of many
      for (const double t : steps(ask))
        EXPECT_NEAR(ask.gain(t * n.normal), t, rounding(ask)) << name(rule);
    }
  });
  EXPECT_GT(apart, 100);
  EXPECT_GT(overlapping, 100);
}

// Overlapping, it is the minimum translation: a plane between the two once they are moved by
// the depth d along g is d n . g deep, and nothing is less deep than d. Apart it need not be
// the way between the closest features, but never looks away from it.
TEST(NormalCondition, ContactPlane) {
  int leaning = 0;
  for_each_pair(74, 600, [&](const Asked& ask, Closeness close) {
    const ContactNormal n = ask(NormalRule::contact_plane);
    ASSERT_TRUE(n.defined);
    const double rate = n.normal.dot(ask.d.normal);
    if (close == Closeness::kissing) return;
    if (close == Closeness::overlapping) {
      EXPECT_GE(rate, 1 + kKissing * ask.s.L() / ask.d.distance);
    } else {
      EXPECT_GT(rate, 0);
      leaning += rate < 0.9;
    }
    for (const double t : steps(ask)) {
      const double gain = ask.gain(t * n.normal);
      EXPECT_GE(gain, t * rate - rounding(ask));
      EXPECT_GT(gain + rounding(ask), 0);
    }
  });
  EXPECT_GT(leaning, 10);
}

// With the centres in one place phi has some value phi_0 < 0; phi is convex, so from where
// it is larger it goes on rising: always when apart, and for all but deep overlaps.
TEST(NormalCondition, CentersWhileShallow) {
  int apart = 0, overlapping = 0;
  for_each_pair(75, 400, [&](const Asked& ask, Closeness close) {
    const ContactNormal n = ask(NormalRule::center_to_center);
    ASSERT_TRUE(n.defined);
    const Vec3 way = ask.s.X_AB * ask.s.B().center - ask.s.A().center;
    const double risen = -ask.gain(-way);  // phi - phi_0
    if (risen <= 0) return;
    (close == Closeness::overlapping ? overlapping : apart) += 1;
    for (const double t : steps(ask))
      EXPECT_GE(ask.gain(t * n.normal), t * risen / way.norm() - rounding(ask));
  });
  EXPECT_GT(apart, 100);
  EXPECT_GT(overlapping, 100);
}

// A small box between the middle of a tetrahedron's ball and its centroid: away from the
// centroid is further in. The paper takes it that centres always do.
TEST(NormalCondition, CentersMayDriveDeeper) {
  const std::vector<Vec3> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const SolidPair s(convex_hull(corner), box_polyhedron({0.02, 0.02, 0.02}),
                    shift(0.23, 0.23, 0.23));
  const Asked ask(s);
  const ContactNormal n = ask(NormalRule::center_to_center);
  EXPECT_LT((ask.d.normal - Vec3(1, 1, 1).normalized()).norm(), 1e-12);
  EXPECT_NEAR(ask.gain(0.01 * n.normal), -0.01, 1e-12);
}

// With its sign from the minimum translation it never deepens the overlap; in most pairs it
// lessens it.
TEST(NormalCondition, AreaWeightedNeverDeepens) {
  int tried = 0, lessens = 0;
  for_each_pair(76, 400, [&](const Asked& ask, Closeness close) {
    const ContactNormal n = ask(NormalRule::area_weighted);
    if (close != Closeness::overlapping || !n.defined) return;
    ++tried;
    lessens += n.normal.dot(ask.d.normal) > 0.01;
    for (const double t : steps(ask)) EXPECT_GE(ask.gain(t * n.normal), -rounding(ask));
  });
  EXPECT_GT(tried, 100);
  EXPECT_GT(lessens, 0.9 * tried);
}

// Two sheets, one a little into the other's rim and as high: the volume shrinks sideways,
// and the shortest way out is up.
TEST(NormalCondition, AreaWeightedMayNotLessen) {
  const SolidPair s(box_polyhedron({1, 1, 0.05}), box_polyhedron({1, 0.8, 0.06}),
                    shift(1.5, 0, 0.005));
  const Asked ask(s);
  const ContactNormal n = ask(NormalRule::area_weighted);
  EXPECT_LT((n.normal - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_LT((ask.d.normal - Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(ask.d.distance, -0.105, 1e-12);
  EXPECT_NEAR(ask.gain(0.3 * n.normal), 0, 1e-12);
}

// Eq. (1) by itself, without a side to keep: a pyramid whose base is just through a plate
// has less in common with it the further it goes on.
TEST(NormalCondition, AreaWeightedAloneMayDriveDeeper) {
  const std::vector<Vec3> points = {
      {0.5, 0.5, 0}, {0.5, -0.5, 0}, {-0.5, 0.5, 0}, {-0.5, -0.5, 0}, {0, 0, 1}};
  const SolidPair s(box_polyhedron({2, 2, 0.05}), convex_hull(points), shift(0, 0, -0.06));
  Asked ask(s);
  EXPECT_NEAR(ask.d.distance, -0.11, 1e-12);
  EXPECT_LT((ask(NormalRule::area_weighted).normal - Vec3::UnitZ()).norm(), 1e-12);
  ask.query.proximity = nullptr;
  const ContactNormal n = ask(NormalRule::area_weighted);
  EXPECT_LT((n.normal + Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(ask.gain(0.05 * n.normal), -0.05, 1e-12);
  // so does a side that is kept
  ask.query.proximity = &ask.d;
  ask.query.previous = n.normal;
  EXPECT_EQ(ask(NormalRule::area_weighted).normal, n.normal);
}

// How far B reaches below the plane that bounds A along n: moving B by this much along n
// parts the two (m).
double depth_along(const SolidPair& s, const Vec3& n) {
  double top = -1e300, bottom = 1e300;
  for (const Vec3& v : s.A().polyhedron->vertices) top = std::max(top, n.dot(v));
  for (const Vec3& v : s.B().polyhedron->vertices) bottom = std::min(bottom, n.dot(s.X_AB * v));
  return top - bottom;
}

// Where its facet is that of the minimum translation, every metre counts; anywhere, the
// condition holds of steps longer than what the facet is too deep.
TEST(NormalCondition, MinmaxFacetInTheEnd) {
  int tried = 0, same = 0;
  for_each_pair(77, 400, [&](const Asked& ask, Closeness close) {
    if (close != Closeness::overlapping) return;
    ++tried;
    const ContactNormal n = ask(NormalRule::minmax_facet);
    ASSERT_TRUE(n.defined);
    const double depth = depth_along(ask.s, n.normal), excess = depth + ask.d.distance;
    EXPECT_GE(excess, -rounding(ask));
    for (const double t : {0.5 * excess, excess + 1e-3 * ask.s.L(), depth})
      EXPECT_GE(ask.gain(t * n.normal), t - excess - rounding(ask));
    if (excess > rounding(ask)) return;
    ++same;
    for (const double t : steps(ask)) EXPECT_NEAR(ask.gain(t * n.normal), t, 2 * rounding(ask));
  });
  EXPECT_GT(tried, 100);
  EXPECT_GT(same, 20);
}

// Thick solids, shallow contact: what eq. (4) is for. There it is right.
TEST(NormalCondition, MinmaxFacetOfBoxesWhileShallow) {
  Random random(78);
  int tried = 0;
  for (int k = 0; k < 1500; ++k) {
    const Polyhedron a = volume_solid(random, 2 + k % 2, 20), b = volume_solid(random, 2, 20);
    const SolidPair s(a, b, Transform(volume_placement(random, a, b)));
    const double depth = -proximity(s.A(), s.B(), s.X_AB).distance;
    if (depth < kKissing * s.L() || depth > 0.05 * s.L()) continue;
    ++tried;
    const Asked ask(s);
    EXPECT_GT(ask.gain(0.1 * depth * ask(NormalRule::minmax_facet).normal), 0) << k;
  }
  EXPECT_GT(tried, 50);
}

// A blade that leans and widens downwards, in the ground deeper than it is thick: its upper
// side is the facet by eq. (4), and away from that is further down.
//
//        __
//         \ \       z
//    ------\--\---  |_ x
//           \___\.
TEST(NormalCondition, MinmaxFacetMayDriveDeeper) {
  std::vector<Vec3> points;
  for (const double y : {-0.5, 0.5})
    for (const auto& [x, z] :
         {std::pair(0.0, -0.2), {0.2, -0.2}, {-0.4 / std::sqrt(3.0), 0.2}, {-0.2, 0.2}})
      points.emplace_back(x, y, z);
  const SolidPair s(box_polyhedron({2, 2, 1}), convex_hull(points), shift(0, 0, 1));
  const Asked ask(s);
  EXPECT_NEAR(ask.d.distance, -0.2, 1e-12);
  EXPECT_LT((ask.d.normal - Vec3::UnitZ()).norm(), 1e-12);
  const ContactNormal n = ask(NormalRule::minmax_facet);
  EXPECT_LT((n.normal + Vec3(1, 0, 1).normalized()).norm(), 1e-12);
  EXPECT_NEAR(ask.gain(0.05 * n.normal), -0.05 * std::sqrt(0.5), 1e-12);
}

}  // namespace
}  // namespace abut
