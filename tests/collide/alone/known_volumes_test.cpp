// Clipping and duality, each in a program without the other, against volumes known
// otherwise: in closed form, or by integrating over the half-spaces. The bounds are the same
// for both, so their answers are.
#include <gtest/gtest.h>

#include "collide/volume_testing.h"
#include "maker.h"

namespace abut {
namespace {

using namespace abut::testing;

Transform shift(const Vec3& p) { return {Mat3::Identity(), p}; }
Intersection common_part(const SolidPair& s) { return testing::common_part(s.A(), s.B(), s.X_AB); }

// The same pair with each solid given in a frame of its own: B stays where it was on A.
SolidPair turned(const Polyhedron& a, const Polyhedron& b, const Transform& X_AB, Random& random) {
  const Quat qa = random.rotation(), qb = random.rotation();
  const Mat3 Ra = qa.toRotationMatrix(), Rb = qb.toRotationMatrix();
  return {transformed(a, Pose{Vec3::Zero(), qa}),
          transformed(b, Pose{Vec3::Zero(), qb}),
          {Ra * X_AB.R * Rb.transpose(), Ra * X_AB.p}};
}

double cube(double x) { return x > 0 ? x * x * x : 0; }

const Polyhedron kUnitBox = box_polyhedron({0.5, 0.5, 0.5});

// x, y, z >= 0, x + y + z <= size
Polyhedron corner_simplex(double size) {
  const std::vector<Vec3> points = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}};
  return convex_hull(points);
}

TEST(KnownVolumes, TheOtherMakerIsNotHere) { EXPECT_FALSE(other_maker_is_linked()); }

TEST(KnownVolumes, Boxes) {
  Random random(61);
  for (int k = 0; k < 100; ++k) {
    const Vec3 a = Vec3(0.5, 0.5, 0.5) + random.in_cube(0.4),
               b = Vec3(0.5, 0.5, 0.5) + random.in_cube(0.4);
    const Vec3 p = random.in_cube(0.9).cwiseProduct(a + b);
    const Vec3 low = (-a).cwiseMax(p - b), high = a.cwiseMin(p + b), w = high - low;
    const SolidPair plain(box_polyhedron(a), box_polyhedron(b), shift(p));
    const SolidPair askew = turned(box_polyhedron(a), box_polyhedron(b), shift(p), random);
    for (const SolidPair* s : {&plain, &askew}) {
      const Intersection common = common_part(*s);
      expect_valid(common, s->A(), s->B(), s->X_AB, 1e-13);
      EXPECT_EQ(common.overlap, OverlapKind::solid);
      EXPECT_EQ(common.face_count(), 6);
      EXPECT_NEAR(common.volume, w.prod(), 1e-12 * w.prod()) << k;
      EXPECT_NEAR(common.area, 2 * (w.x() * w.y() + w.y() * w.z() + w.z() * w.x()), 1e-12);
    }
    const Intersection common = common_part(plain);
    EXPECT_LT((common.origin + common.centroid - 0.5 * (low + high)).norm(), 1e-12);
  }
}

// A simplex moved away from its corner has a smaller one in common with itself; of a box
// from the corner it keeps what inclusion and exclusion say.
TEST(KnownVolumes, Tetrahedra) {
  Random random(62);
  const Polyhedron unit = corner_simplex(1);
  for (int k = 0; k < 100; ++k) {
    const Vec3 p = (Vec3(0.16, 0.16, 0.16) + random.in_cube(0.16));
    const double V = cube(1 - p.sum()) / 6;
    const SolidPair s = turned(unit, unit, shift(p), random);
    const Intersection common = common_part(s);
    expect_valid(common, s.A(), s.B(), s.X_AB, 1e-13);
    EXPECT_NEAR(common.volume, V, 1e-8 * V + 1e-15) << k;
    EXPECT_EQ(common.face_count(), 4);

    const double h = random.uniform(0.1, 0.9);
    const double cut = (1 - 3 * cube(1 - h) + 3 * cube(1 - 2 * h) - cube(1 - 3 * h)) / 6;
    const SolidPair t =
        turned(unit, box_polyhedron(Vec3(h, h, h) / 2), shift(Vec3(h, h, h) / 2), random);
    EXPECT_NEAR(common_part(t).volume, cut, 1e-12) << h;
  }
  // two that make a star of eight points have an octahedron in common, half of each
  const std::vector<Vec3> even = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const std::vector<Vec3> odd = {{-1, -1, -1}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
  const SolidPair star(convex_hull(even), convex_hull(odd), {});
  const Intersection octahedron = common_part(star);
  expect_valid(octahedron, star.A(), star.B(), star.X_AB, 1e-13);
  EXPECT_NEAR(octahedron.volume, 4.0 / 3, 1e-13);
  EXPECT_EQ(octahedron.vertex_count(), 6);
  EXPECT_EQ(octahedron.face_count(), 8);
}

// K-T12. The thickness is what the rounded positions make it.
TEST(KnownVolumes, ThinSlabs) {
  Random random(63);
  for (double t = 1e-2; t > 1e-13; t /= 10)
    for (int k = 0; k < 5; ++k) {
      const Transform X = shift({0.2, 0.1, 1 - t});
      const double V = 0.8 * 0.9 * (0.5 - (X.p.z() - 0.5));
      const SolidPair s =
          k == 0 ? SolidPair(kUnitBox, kUnitBox, X) : turned(kUnitBox, kUnitBox, X, random);
      const Intersection common = common_part(s);
      ASSERT_EQ(common.face_count(), 6) << t;
      EXPECT_NEAR(common.volume / V, 1, 1e-13 + 4e-15 / t) << t;
      EXPECT_EQ(common.overlap, 0.5 * t < 1e-7 * s.L() ? OverlapKind::touching : OverlapKind::solid)
          << t;
    }
}

// A cube below a tilted plane: sum over its corners of (depth)^3 with alternating signs.
TEST(KnownVolumes, CubeInAHalfSpace) {
  Random random(64);
  ConvexSet set;
  set.add(Shape{ShapeKind::plane, {0, 0, 0}}, {});
  set.add(kUnitBox);
  for (int k = 0; k < 100; ++k) {
    const Mat3 R = random.rotation().toRotationMatrix();
    const Vec3 n = R.transpose().col(2);  // the plane's normal on the cube
    if (n.cwiseAbs().minCoeff() < 0.05) continue;
    const double d = random.uniform(-0.4, 0.4) * n.cwiseAbs().sum();
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 v;
      double sign = 1;
      for (int i = 0; i < 3; ++i) {
        // counted from the corner deepest below the plane
        const bool far = (corner >> i) & 1;
        v[i] = (n[i] > 0) == far ? 0.5 : -0.5;
        if (far) sign = -sign;
      }
      sum += sign * cube(d - n.dot(v));
    }
    const double V = sum / (6 * n.cwiseAbs().prod());
    const Transform X(R, {0.3, -0.2, -d});
    const Intersection common = testing::common_part(set[0], set[1], X);
    expect_valid(common, set[0], set[1], X, 1e-13);
    EXPECT_NEAR(common.volume, V, 1e-11) << k;
    EXPECT_NEAR(testing::common_part(set[1], set[0], X.inverse()).volume, V, 1e-11) << k;
  }
}

// The volume of a_i . x <= b_i in N dimensions by J. Lasserre's recursion (1983): V is 1/N
// of the sum of b_i / |a_ij| times the volume of face i seen along an axis j. No vertex is
// ever made. No two planes may be one.
template <int N>
long double integrate(const std::vector<std::array<long double, N + 1>>& rows) {
  if constexpr (N == 1) {
    long double low = -1e300L, high = 1e300L;
    for (const auto& [a, b] : rows) {
      if (a > 0) high = std::min(high, b / a);
      if (a < 0) low = std::max(low, b / a);
      if (a == 0 && b < 0) return 0;
    }
    return std::max(0.0L, high - low);
  } else {
    long double sum = 0;
    std::vector<std::array<long double, N>> face;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& row = rows[i];
      int j = 0;
      for (int c = 1; c < N; ++c)
        if (std::abs(row[c]) > std::abs(row[j])) j = c;
      if (row[j] == 0) continue;
      face.clear();
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (k == i) continue;
        const long double factor = rows[k][j] / row[j];
        std::array<long double, N> rest;
        for (int c = 0, at = 0; c <= N; ++c)
          if (c != j) rest[at++] = rows[k][c] - factor * row[c];
        face.push_back(rest);
      }
      sum += row[N] / std::abs(row[j]) * integrate<N - 1>(face);
    }
    return sum / N;
  }
}

TEST(KnownVolumes, IntegratedOverHalfSpaces) {
  Random random(65);
  int solid = 0;
  for (int k = 0; k < 60; ++k) {
    const Polyhedron a = volume_solid(random, k % 2, 9), b = volume_solid(random, k % 3, 9);
    const SolidPair s(a, b, Transform(volume_placement(random, a, b)));
    const Intersection common = common_part(s);
    if (common.overlap != OverlapKind::solid) continue;
    ++solid;
    std::vector<std::array<long double, 4>> rows;
    const auto middle = wide<long double>(common.origin + common.centroid);
    for (const auto& plane : wide_planes<long double>(s.A(), s.B(), s.X_AB))
      rows.push_back({plane.n.x, plane.n.y, plane.n.z, plane.d - plane.n.dot(middle)});
    const double V = static_cast<double>(integrate<3>(rows));
    EXPECT_NEAR(common.volume, V, volume_tolerance(common, V, s.L())) << k;
  }
  EXPECT_GT(solid, 30);
}

// Every awkward kind, size and depth.
TEST(KnownVolumes, AgreeWithTheReference) {
  Random random(66);
  for (int k = 0; k < 60; ++k) {
    const SolidPair s = random_volume_pair(random, k);
    const Intersection common = common_part(s);
    expect_valid(common, s.A(), s.B(), s.X_AB, 1e-11);
    // thinner than 1e-7 L, duality loses a digit more than the planes have
    expect_reference_volume(common, s.A(), s.B(), s.X_AB,
                            common.overlap == OverlapKind::touching ? 10 : 1);
    if (HasFatalFailure()) FAIL() << "pair " << k;
  }
}

TEST(KnownVolumes, NothingInCommon) {
  for (const Vec3& p : {Vec3(0, 0, 1 + 1e-9), Vec3(0.3, 0, 5), Vec3(2, 2, 2)})
    EXPECT_EQ(common_part({kUnitBox, kUnitBox, shift(p)}).overlap, OverlapKind::none);
  // face, edge and corner
  for (const Vec3& p : {Vec3(0.2, 0.1, 1), Vec3(0, 1, 1), Vec3(1, 1, 1)}) {
    const Intersection common = common_part({kUnitBox, kUnitBox, shift(p)});
    EXPECT_NE(common.overlap, OverlapKind::solid);
    EXPECT_LT(common.volume, 1e-15);
  }
}

}  // namespace
}  // namespace abut
