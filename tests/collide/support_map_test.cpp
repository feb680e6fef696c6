// The farthest vertex, found through lists of a table, against a look at every vertex.
#include "abut/collide/solid/support_map.h"

#include <gtest/gtest.h>

#include <array>

#include "abut/collide/solid/support_scan.h"
#include "support/polyhedra.h"
#include "support/soak.h"

namespace abut::test {
namespace {

// How much farther the farthest vertex is than the one found, relative to the size.
double short_of_farthest(const Polyhedron& p, const SupportMap& map, const Vec3& direction) {
  const Vec3& best = p.vertices[static_cast<std::size_t>(support_brute_force(p, direction))];
  const Vec3& found = map.vertex(map.farthest(direction));
  return direction.dot(best - found) / (direction.norm() * p.size);
}

// Any direction, or one near a face's normal, where many vertices are nearly as far.
Vec3 hard_direction(Random& r, const Polyhedron& p) {
  if (r.chance(2)) return r.direction();
  const auto face = static_cast<std::size_t>(r.integer(0, p.face_count() - 1));
  return p.faces[face].eta + r.magnitude(1e-9, 1e-1) * r.direction();
}

// Solids of all sorts; among the first rounds are some with faces so thin and edges so
// short that their normals say nothing, which a list that believed them got wrong by 1e-4.
TEST(SupportMap, FindsTheFarthestVertexOfTheHardestSolids) {
  unsigned seed = 0;
  for (const Soak soak(0.5); soak.goes_on() || seed < 12; ++seed) {
    Random r(seed);
    const double size = r.magnitude(1e-3, 1e3);
    for (int i = 0; i < 8; ++i) {
      const Polyhedron p = random_polyhedron(r, 300, size);
      const SupportMap map(p);
      for (int k = 0; k < 300; ++k)
        ASSERT_LT(short_of_farthest(p, map, hard_direction(r, p)), 1e-12)
            << "seed " << seed << ", solid " << i << ", " << p.vertex_count() << " vertices";
    }
  }
}

TEST(SupportMap, TakesDirectionsOfAnyLengthAndAlongAxes) {
  Random r(1);
  const Polyhedron p = random_polyhedron(r, Sort::on_sphere, 200, 1);
  const SupportMap map(p);
  for (const double length : {1e-150, 1e-3, 1.0, 1e150})
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        const Vec3 d = sign * Vec3::Unit(axis);
        EXPECT_EQ(map.farthest(length * d), map.farthest(d));
        EXPECT_LT(short_of_farthest(p, map, d), 1e-15);
      }
}

// Of equals the first, whatever the width of the vector unit: hashes must not depend on it.
TEST(SupportScan, GivesTheFirstOfTheFarthest) {
  Random r(2);
  for (int round = 0; round < 2000; ++round) {
    const int count = 4 * r.integer(1, 16);
    std::vector<double> x, y, z, points;
    std::vector<int> ids;
    for (int i = 0; i < count; ++i) {
      // few different values: many ties
      x.push_back(r.integer(-2, 2)), y.push_back(r.integer(-2, 2)), z.push_back(r.integer(-2, 2));
      points.insert(points.end(), {x.back(), y.back(), z.back()});
      ids.push_back(i);
    }
    const Vec3 d(r.integer(-2, 2), r.integer(-2, 2), r.integer(-2, 2));
    int first = 0;
    const auto height = [&](int i) {
      const auto k = static_cast<std::size_t>(i);
      return x[k] * d[0] + y[k] * d[1] + z[k] * d[2];
    };
    for (int i = 1; i < count; ++i)
      if (height(i) > height(first)) first = i;
    EXPECT_EQ(scan_farthest(x.data(), y.data(), z.data(), x.size(), d[0], d[1], d[2]), first);
    EXPECT_EQ(gather_farthest(points.data(), ids.data(), count, d[0], d[1], d[2]), first);
  }
}

}  // namespace
}  // namespace abut::test
