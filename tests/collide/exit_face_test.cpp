#include "abut/collide/volume/exit_face.h"

#include <gtest/gtest.h>

#include "volume_testing.h"

namespace abut {
namespace {

using namespace abut::testing;

// A cylinder of many sides, a ball of many triangles, and the awkward kinds.
Polyhedron solid(Random& random, int kind) {
  std::vector<Vec3> points;
  if (kind == 0)
    for (int k = 0; k < 100; ++k)
      for (const double z : {-0.4, 0.4}) {
        const double a = 2 * std::numbers::pi * k / 100;
        points.emplace_back(std::cos(a), std::sin(a), z);
      }
  else if (kind == 1)
    for (int k = 0; k < 200; ++k) points.push_back(random.direction());
  else
    return volume_solid(random, kind - 2, 60);
  return convex_hull(points);
}

// By looking at every face: how far along the ray from the middle to p the solid ends.
double brute_reach(const Polyhedron& s, const Vec3& p) {
  double most = 0;
  for (const Polyhedron::Face& f : s.faces)
    most = std::max(most, f.eta.dot(p - s.center) / (f.offset - f.eta.dot(s.center)));
  return most;
}

// Heights above the surface (m) that rounding may hide: of a flat solid's faces the nearest may
// be nearly parallel to another, or be seen from a middle that is as near.
double hidden(int kind) { return kind < 6 ? 1e-12 : 1e-8; }

TEST(ExitFace, IsTheOneTheRayLeavesThrough) {
  Random random(1);
  for (int k = 0; k < 45; ++k) {
    ConvexSet set;
    const Polyhedron s = solid(random, k % 9);
    set.add(s);
    ExitFace exit(set[0], face_planes(set[0]));
    for (int i = 0; i < 200; ++i) {
      // from far inside to far outside, and close to the surface
      const Vec3 way = s.vertices[static_cast<int>(random.uniform(0, s.vertex_count()))] +
                       random.in_cube(0.5 * s.size) - s.center;
      const double reach = brute_reach(s, s.center + way);
      const double out = i % 4 == 0 ? 1 + 1e-9 : i % 4 == 1 ? 1 - 1e-9 : random.uniform(0, 3);
      const Vec3 p = s.center + way * (out / reach);
      const int face = exit.find(p, -1, 1e-13);
      double highest = 0;
      for (int f = 0; f < s.face_count(); ++f) highest = std::max(highest, s.height_above(f, p));
      if (out < 1) {
        EXPECT_EQ(face, -1);
      } else if (highest > hidden(k % 9)) {
        ASSERT_GE(face, 0) << k << ' ' << i;
        const Polyhedron::Face& f = s.faces[face];
        EXPECT_GT(s.height_above(face, p), 0);
        // another face that the ray leaves through as well is as good; of few faces it is the
        // highest
        if (s.face_count() > 12) {
          EXPECT_NEAR(f.eta.dot(p - s.center) / (f.offset - f.eta.dot(s.center)), out,
                      (k % 9 < 6 ? 1e-12 : 1e-9) * out);
        }
      }
    }
  }
}

// Points in the plane of a face that is known, in and beside it.
TEST(ExitFace, FromAFaceThatThePointIsIn) {
  Random random(2);
  int outside = 0;
  for (int k = 0; k < 45; ++k) {
    ConvexSet set;
    const Polyhedron s = solid(random, k % 9);
    set.add(s);
    ExitFace exit(set[0], face_planes(set[0]));
    for (int i = 0; i < 200; ++i) {
      // the two large faces of a prism more often than their number says
      int own = static_cast<int>(random.uniform(0, s.face_count()));
      for (int f = 0; f < s.face_count() && i % 2; ++f)
        if (s.face_loop(f).size() > s.face_loop(own).size()) own = f;
      Vec3 p = s.vertices[s.face_loop(
          own)[static_cast<int>(random.uniform(0, static_cast<double>(s.face_loop(own).size())))]];
      p += (i % 3 ? 0.3 : 1e-9) * s.size * random.direction();
      p -= s.height_above(own, p) * s.faces[own].eta;
      double highest = 0;
      for (int f = 0; f < s.face_count(); ++f)
        if (f != own) highest = std::max(highest, s.height_above(f, p));
      const int face = exit.find(p, own, 1e-13);
      if (highest <= 1e-13) {
        EXPECT_EQ(face, -1);
      } else if (highest > hidden(k % 9)) {
        EXPECT_GE(face, 0) << k << ' ' << i << ' ' << highest;
      }
      if (face >= 0) {
        EXPECT_GT(s.height_above(face, p), 0);
      }
      outside += face >= 0;
    }
  }
  EXPECT_GT(outside, 1000);
}

}  // namespace
}  // namespace abut
