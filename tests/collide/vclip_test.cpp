// V-Clip against every pair of features, and against a proof: the points lie in the
// solids, and the solids are as far apart along the normal as the points are.
#include "abut/collide/proximity/cold/vclip.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "support/random_worlds.h"
#include "support/soak.h"

namespace abut {
namespace {

using test::Random;
using enum FeatureKind;

Vec3 direction(Random& r) {
  Vec3 d;
  do d = r.vec(1);
  while (d.norm() > 1 || d.norm() < 0.1);
  return d.normalized();
}

Polyhedron random_hull(Random& r, int vertices, const Vec3& stretch) {
  std::vector<Vec3> points;
  for (int i = 0; i < vertices; ++i) points.push_back(stretch.cwiseProduct(direction(r)));
  return convex_hull(points);
}

// A prism with a cap that bulges by far less than its width: nearly coplanar faces.
Polyhedron bulging_prism(Random& r, int sides, double bulge, double scale) {
  std::vector<Vec3> points;
  for (int k = 0; k < sides; ++k) {
    const double angle = 6.283185307179586 * k / sides;
    const Vec3 rim(std::cos(angle), std::sin(angle), 0.3);
    points.push_back(scale * rim);
    points.push_back(scale * (rim - Vec3(0, 0, 0.6)));
    points.push_back(scale * (0.5 * rim + Vec3(0, 0, 0.15 + bulge * r.uniform(0.9, 1))));
  }
  return convex_hull(points);
}

constexpr int kFamilies = 8;

Polyhedron member(Random& r, int family, double scale) {
  const Vec3 one(1, 1, 1);
  switch (family) {
    case 0:
      return random_hull(r, r.integer(4, 100), scale * one);
    case 1:
      return box_polyhedron(scale * Vec3(r.uniform(0.2, 1), r.uniform(0.2, 1), r.uniform(0.2, 1)));
    case 2: {  // sliver: four points that nearly lie in a plane
      const double flat = scale * std::pow(10, r.uniform(-6, -2));
      return convex_hull(std::array{Vec3(scale, 0, flat), Vec3(-scale, 0.1 * scale, flat),
                                    Vec3(0.1 * scale, scale, -flat), Vec3(0, -scale, -flat)});
    }
    case 3:  // needle
      return random_hull(r, r.integer(6, 30), scale * Vec3(0.003, 0.003, 1));
    case 4:  // plate
      return random_hull(r, r.integer(6, 30), scale * Vec3(1, 1, 0.002));
    case 5:
      return cylinder_polyhedron(0.5 * scale, 0.5 * scale);
    case 6:
      return bulging_prism(r, r.integer(5, 12), std::pow(10, r.uniform(-7, -3)), scale);
    default:
      return random_hull(r, r.integer(4, 8), scale * one);
  }
}

// A quarter turn about each axis, any number of times: faces stay parallel.
Mat3 aligned_rotation(Random& r) {
  Mat3 R = Mat3::Identity();
  for (int axis = 0; axis < 3; ++axis) {
    Mat3 Q = Mat3::Zero();  // exact, unlike a cosine of 90 degrees
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    Q(axis, axis) = 1, Q(i, j) = -1, Q(j, i) = 1;
    for (int k = r.integer(0, 3); k > 0; --k) R = (R * Q).eval();
  }
  return R;
}

// How far apart along n.
double separation(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, const Vec3& n) {
  const Vec3 n_B = X_AB.R.transpose() * n;
  return n.dot(X_AB * B.vertices[support_brute_force(B, -n_B)]) -
         n.dot(A.vertices[support_brute_force(A, n)]);
}

// Places B beyond A along n, `gap` farther than touching along it.
Transform placed_beyond(Random& r, const Polyhedron& A, const Polyhedron& B, const Mat3& R,
                        const Vec3& n, double gap) {
  Transform X(R, Vec3::Zero());
  const Vec3 side = 0.3 * A.size * n.cross(r.vec(1));
  X.p = side - R * B.center + A.center;
  X.p += n * (gap - separation(A, B, X, n));
  return X;
}

// A random placement, a third of them with faces parallel.
Transform random_placement(Random& r, const Polyhedron& A, const Polyhedron& B, double gap) {
  if (r.integer(0, 2) == 0)
    return placed_beyond(r, A, B, aligned_rotation(r), Vec3::Unit(r.integer(0, 2)), gap);
  return placed_beyond(r, A, B, r.quat().toRotationMatrix(), direction(r), gap);
}

double above_all_faces(const Polyhedron& P, const Vec3& point) {
  double highest = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < P.face_count(); ++f) highest = std::max(highest, P.height_above(f, point));
  return highest;
}

// Distance of a point from a feature.
double off_feature(const Polyhedron& P, Feature f, const Vec3& point) {
  if (f.kind == vertex) return (point - P.vertices[f.index]).norm();
  if (f.kind == face)
    return std::max(0.0, above_all_faces(P, point)) + std::abs(P.height_above(f.index, point));
  const Vec3& tail = P.vertices[P.edges[f.index].tail];
  const Vec3 u = P.vertices[P.edges[f.index].head] - tail;
  const double s = std::clamp(u.dot(point - tail) / u.squaredNorm(), 0.0, 1.0);
  return (tail + s * u - point).norm();
}

// The whole proof that d is the distance.
void expect_proven(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                   const Proximity& d, double tolerance) {
  const Transform X_BA = X_AB.inverse();
  EXPECT_TRUE(std::isfinite(d.distance));
  EXPECT_NEAR(d.normal.norm(), 1, 1e-14);
  EXPECT_LE(above_all_faces(A, d.p_A), tolerance);
  EXPECT_LE(above_all_faces(B, X_BA * d.p_B), tolerance);
  EXPECT_LE((d.p_A + d.distance * d.normal - d.p_B).norm(), tolerance);
  EXPECT_LE(off_feature(A, d.a, d.p_A), tolerance);
  EXPECT_LE(off_feature(B, d.b, X_BA * d.p_B), tolerance);
  EXPECT_GE(separation(A, B, X_AB, d.normal), d.distance - tolerance);
}

// The least distance of any two features, in extended precision.
double brute_force_distance(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB) {
  using Real = long double;
  using V = Eigen::Matrix<Real, 3, 1>;
  const auto in_A = [&](const Vec3& p) {
    return V(X_AB.R.cast<Real>() * p.cast<Real>() + X_AB.p.cast<Real>());
  };
  Real best = std::numeric_limits<Real>::infinity();
  const auto over_faces = [&](const Polyhedron& P, bool P_is_B, const V& q) {
    for (int f = 0; f < P.face_count(); ++f) {
      std::vector<V> loop;
      for (const int v : P.face_loop(f))
        loop.push_back(P_is_B ? in_A(P.vertices[v]) : V(P.vertices[v].cast<Real>()));
      V n = P.faces[f].eta.cast<Real>();
      if (P_is_B) n = V(X_AB.R.cast<Real>() * n);
      bool over = true;
      for (std::size_t k = 0; k < loop.size() && over; ++k)
        over = n.cross(loop[(k + 1) % loop.size()] - loop[k]).dot(q - loop[k]) >= 0;
      if (over) best = std::min(best, std::abs(n.dot(q - loop[0])));
    }
  };
  for (const Vec3& v : B.vertices) over_faces(A, false, in_A(v));
  for (const Vec3& v : A.vertices) over_faces(B, true, v.cast<Real>());
  for (const Polyhedron::Edge& e : A.edges)
    for (const Polyhedron::Edge& f : B.edges) {
      const V p = A.vertices[e.tail].cast<Real>(), u = A.vertices[e.head].cast<Real>() - p;
      const V q = in_A(B.vertices[f.tail]), w = in_A(B.vertices[f.head]) - q;
      // the lines' nearest points if they lie within, and the four ends
      const Real det = u.squaredNorm() * w.squaredNorm() - u.dot(w) * u.dot(w);
      if (det > 0) {
        const V r = q - p;
        const Real s = (u.dot(r) * w.squaredNorm() - u.dot(w) * w.dot(r)) / det;
        const Real t = (u.dot(w) * u.dot(r) - u.squaredNorm() * w.dot(r)) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
          best = std::min(best, (p + s * u - q - t * w).norm());
      }
      const auto end = [&](const V& point, const V& tail, const V& along) {
        const Real s = std::clamp<Real>(along.dot(point - tail) / along.squaredNorm(), 0, 1);
        best = std::min(best, (tail + s * along - point).norm());
      };
      end(p, q, w), end(p + u, q, w), end(q, p, u), end(q + w, p, u);
    }
  return static_cast<double>(best);
}

// How far vertices are off the planes of their faces.
double unevenness(const Polyhedron& P) {
  double most = 0;
  for (int f = 0; f < P.face_count(); ++f)
    for (const int v : P.face_loop(f))
      most = std::max(most, std::abs(P.height_above(f, P.vertices[v])));
  return most;
}

Feature random_feature(Random& r, const Polyhedron& P) {
  const int kind = r.integer(0, 2);
  if (kind == 0) return {vertex, r.integer(0, P.vertex_count() - 1)};
  if (kind == 1) return {edge, r.integer(0, P.edge_count() - 1)};
  return {face, r.integer(0, P.face_count() - 1)};
}

// From `least` to the size of the pair.
double random_gap(Random& r, double L, double least = 1e-12) {
  return L * std::pow(10, r.uniform(std::log10(least), 0));
}

TEST(VClip, ProvesDistancesOfAllFamilies) {
  int exhaustive = 0, pairs = 0;
  unsigned seed = 1;
  for (const test::Soak soak(0.5); soak.goes_on(); ++seed) {
    Random r(seed);
    const double scale = std::pow(10, r.uniform(-3, 3));
    const int family = r.integer(0, kFamilies - 1);
    const Polyhedron A = member(r, static_cast<int>(seed) % kFamilies, scale);
    const Polyhedron B = r.integer(0, 4) == 0 ? A : member(r, family, scale * r.uniform(0.3, 3));
    const double L = A.size + B.size;
    const double tolerance = 1e-9 * L + unevenness(A) + unevenness(B);
    for (int k = 0; k < 10; ++k) {
      // faces of a hull may be 1e-9 L off their plane: gaps below are no gaps
      const Transform X = random_placement(r, A, B, random_gap(r, L, 1e-8));
      SCOPED_TRACE("seed " + std::to_string(seed) + " pair " + std::to_string(k));
      const VClipAnswer d = vclip(A, B, X);
      ++pairs;
      exhaustive += d.exhaustive;
      ASSERT_EQ(d.status, VClipStatus::disjoint);
      expect_proven(A, B, X, d.proximity, tolerance);
      // from wrong features, from its own, and swapped
      const VClipAnswer others[] = {vclip(A, B, X, random_feature(r, A), random_feature(r, B)),
                                    vclip(A, B, X, d.proximity.a, d.proximity.b),
                                    vclip(B, A, X.inverse())};
      for (const VClipAnswer& other : others) {
        ASSERT_EQ(other.status, VClipStatus::disjoint);
        EXPECT_NEAR(other.proximity.distance, d.proximity.distance, tolerance);
      }
      ASSERT_FALSE(::testing::Test::HasFailure());
    }
  }
  // a walk in a circle is what aligned faces make, not what happens every day
  EXPECT_LE(exhaustive, pairs / 100 + 1);
}

TEST(VClip, AgreesWithEveryPairOfFeatures) {
  unsigned seed = 1000;
  for (const test::Soak soak(0.4); soak.goes_on(); ++seed) {
    Random r(seed);
    const Polyhedron A = member(r, r.integer(0, 1) == 0 ? 7 : r.integer(0, 4), 1);
    const Polyhedron B = member(r, r.integer(0, 1) == 0 ? 7 : r.integer(0, 4), 1);
    const double L = A.size + B.size;
    const Transform X = random_placement(r, A, B, random_gap(r, L));
    SCOPED_TRACE("seed " + std::to_string(seed));
    const VClipAnswer d = vclip(A, B, X);
    ASSERT_EQ(d.status, VClipStatus::disjoint);
    ASSERT_NEAR(d.proximity.distance, brute_force_distance(A, B, X), 2e-14 * L);
    expect_proven(A, B, X, d.proximity, 1e-13 * L);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

// An accepted pair of features is right to 1e-12 L, whatever features were asked about.
TEST(StillClosest, NeverAcceptsAWrongPair) {
  int accepted = 0;
  unsigned seed = 1;
  for (const test::Soak soak(0.3); soak.goes_on(); ++seed) {
    Random r(seed);
    const Polyhedron A = member(r, static_cast<int>(seed) % 5, 1);
    const Polyhedron B = member(r, r.integer(0, 4), 1);
    const double L = A.size + B.size;
    const Transform X = random_placement(r, A, B, random_gap(r, L) - 1e-3 * L);
    const VClipAnswer d = vclip(A, B, X);
    for (int k = 0; k < 200; ++k) {
      Feature a = random_feature(r, A), b = random_feature(r, B);
      if (k == 0 && d.status == VClipStatus::disjoint) a = d.proximity.a, b = d.proximity.b;
      Proximity got;
      if (!still_closest(A, B, X, a, b, got)) continue;
      ++accepted;
      SCOPED_TRACE("seed " + std::to_string(seed));
      expect_proven(A, B, X, got, 1e-12 * L);
      EXPECT_EQ(got.a, a);
      EXPECT_EQ(got.b, b);
      ASSERT_FALSE(::testing::Test::HasFailure());
    }
  }
  EXPECT_GT(accepted, 20);
}

TEST(StillClosest, TakesWhatVClipGave) {
  Random r(5);
  int asked = 0, taken = 0;
  for (int k = 0; k < 300; ++k) {
    const Polyhedron A = random_hull(r, 40, Vec3(1, 1, 1)), B = random_hull(r, 12, Vec3(1, 1, 1));
    const Transform X =
        placed_beyond(r, A, B, r.quat().toRotationMatrix(), direction(r), r.uniform(1e-4, 1));
    const Proximity d = vclip(A, B, X).proximity;
    Proximity again;
    ++asked;
    if (!still_closest(A, B, X, d.a, d.b, again)) continue;
    ++taken;
    EXPECT_NEAR(again.distance, d.distance, 1e-14);
    EXPECT_LT((again.normal - d.normal).norm(), 1e-10);
    EXPECT_LT((again.p_A - d.p_A).norm() + (again.p_B - d.p_B).norm(), 1e-10);
  }
  EXPECT_GE(taken, asked - 3);
}

// Boxes at rest on each other and beside each other, in every aligned position.
TEST(VClip, AlignedBoxes) {
  const Polyhedron A = box_polyhedron({0.5, 0.5, 0.5});
  const std::array<double, 7> places{-1, -0.5, -0.25, 0, 0.25, 0.5, 1};
  for (const double half : {0.5, 0.25}) {
    const Polyhedron B = box_polyhedron({half, half, half});
    const double reach = 0.5 + half;
    for (const double gap : {1e-12, 1e-9, 1e-6, 1e-3, 0.5})
      for (const double x : places)
        for (const double y : places)
          for (int side = 0; side < 6; ++side) {
            const int axis = side / 2;
            const double sign = side % 2 == 0 ? 1 : -1;
            Transform X;
            X.p[axis] = sign * (reach + gap);
            X.p[(axis + 1) % 3] = x, X.p[(axis + 2) % 3] = y;
            const VClipAnswer d = vclip(A, B, X);
            ASSERT_EQ(d.status, VClipStatus::disjoint);
            const double dx = std::max(0.0, std::abs(x) - reach);
            const double dy = std::max(0.0, std::abs(y) - reach);
            const double exact = std::sqrt(gap * gap + dx * dx + dy * dy);
            ASSERT_NEAR(d.proximity.distance, exact, 4e-16) << x << " " << y << " " << gap;
            expect_proven(A, B, X, d.proximity, 1e-15);
            if (std::abs(x) < reach && std::abs(y) < reach) {
              EXPECT_EQ(d.proximity.normal, sign * Vec3::Unit(axis));
              EXPECT_FALSE(d.proximity.indeterminate);
            }
            ASSERT_FALSE(::testing::Test::HasFailure()) << x << " " << y << " " << gap;
          }
  }
}

TEST(VClip, SaysWhenTheNormalIsNotDefined) {
  const Polyhedron A = box_polyhedron({0.5, 0.5, 0.5});
  const double gap = 1e-9;
  const auto query = [&](const Vec3& p) { return vclip(A, A, Transform(Mat3::Identity(), p)); };
  // corner to corner, edge beside edge; then face to face, and too far apart to matter
  EXPECT_TRUE(query({1 + gap, 1 + gap, 1 + gap}).proximity.indeterminate);
  EXPECT_TRUE(query({1 + gap, 1 + gap, 0.2}).proximity.indeterminate);
  EXPECT_FALSE(query({1 + gap, 0.3, 0.2}).proximity.indeterminate);
  EXPECT_FALSE(query({1 + gap, 0, 0}).proximity.indeterminate);
  EXPECT_FALSE(query({1.1, 1.1, 1.1}).proximity.indeterminate);
}

TEST(VClip, TellsOverlap) {
  unsigned seed = 1;
  for (const test::Soak soak(0.3); soak.goes_on(); ++seed) {
    Random r(seed);
    const Polyhedron A = member(r, static_cast<int>(seed) % kFamilies, 1);
    const Polyhedron B = member(r, r.integer(0, kFamilies - 1), r.uniform(0.1, 2));
    // a point inside of both in the same place
    Vec3 in_A = A.center, in_B = B.center;
    for (int k = 0; k < 3; ++k) {
      in_A += 0.3 * (A.vertices[r.integer(0, A.vertex_count() - 1)] - in_A);
      in_B += 0.3 * (B.vertices[r.integer(0, B.vertex_count() - 1)] - in_B);
    }
    const Mat3 R = r.integer(0, 2) == 0 ? aligned_rotation(r) : r.quat().toRotationMatrix();
    const Transform X(R, in_A - R * in_B);
    ASSERT_EQ(vclip(A, B, X).status, VClipStatus::overlapping) << "seed " << seed;
    ASSERT_EQ(vclip(A, B, X, random_feature(r, A), random_feature(r, B)).status,
              VClipStatus::overlapping)
        << "seed " << seed;
  }
}

// A solid that passes another: each answer from the features of the last.
TEST(VClip, FollowsAMotion) {
  Random r(3);
  for (int run = 0; run < 20; ++run) {
    const Polyhedron A = member(r, run % kFamilies, 1), B = member(r, r.integer(0, 7), 1);
    const double L = A.size + B.size;
    Vec3 p = direction(r) * 0.8 * L;
    Quat q = r.quat();
    const Vec3 velocity = 4e-3 * L * (-p.normalized() + 0.5 * r.vec(1)), spin = 0.02 * r.vec(1);
    Proximity last;
    int steps = 0, queries = 0;
    for (int k = 0; k < 200; ++k) {
      p += velocity;
      q = q * Quat(Eigen::AngleAxisd(spin.norm(), spin.normalized()));
      q.normalize();
      const Transform X(q.toRotationMatrix(), p);
      const VClipAnswer cold = vclip(A, B, X), warm = vclip(A, B, X, last.a, last.b);
      ASSERT_EQ(cold.status, warm.status) << run << " " << k;
      if (cold.status != VClipStatus::disjoint) break;
      ASSERT_NEAR(warm.proximity.distance, cold.proximity.distance, 1e-9 * L);
      expect_proven(A, B, X, warm.proximity, 1e-9 * L);
      last = warm.proximity;
      if (k > 0) steps += warm.steps, ++queries;
    }
    EXPECT_LE(steps, 6 * queries) << run;
  }
}

TEST(VClip, DoesNotDependOnWhereTheFrameIs) {
  Random r(8);
  for (int k = 0; k < 200; ++k) {
    const Polyhedron A = member(r, k % 5, 1), B = member(r, r.integer(0, 4), 1);
    const double L = A.size + B.size;
    const Transform X = random_placement(r, A, B, random_gap(r, L, 1e-6));
    const Pose X_WA{r.vec(1e4), r.quat()};
    const Pose X_WB = X_WA * Pose{X.p, Quat(X.R)};
    const VClipAnswer d = vclip(A, B, X), moved = vclip(A, B, relative(X_WA, X_WB));
    ASSERT_EQ(moved.status, VClipStatus::disjoint);
    // 8 ulp of the coordinates in the world
    EXPECT_NEAR(d.proximity.distance, moved.proximity.distance, 1e-9 * L + 8 * 1.8e-12);
  }
}

TEST(VClip, BadNumbersEndIt) {
  const Polyhedron A = box_polyhedron({1, 1, 1});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(vclip(A, A, Transform(Mat3::Identity(), {nan, 0, 0})).status, VClipStatus::gave_up);
  EXPECT_EQ(vclip(A, A, Transform(nan * Mat3::Identity(), {3, 0, 0})).status, VClipStatus::gave_up);
  // features that are none are no start
  EXPECT_EQ(vclip(A, A, Transform(Mat3::Identity(), {3, 0, 0}), {face, 77}, {vertex, -5}).status,
            VClipStatus::disjoint);
}

}  // namespace
}  // namespace abut
