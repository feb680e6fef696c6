// Touching to the last bit: the origin lies in a face of GJK's tetrahedron.
#include <gtest/gtest.h>

#include <cmath>

#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/core_proximity.h"
#include "abut/shape/primitives.h"

namespace abut::test {
namespace {

// An edge on a face, off the middle: gaps of exactly 0 and of some last bits.
TEST(CoreProximity, ExactTouchHasNoPhantomDistance) {
  ConvexSet solids;
  for (int i = 0; i < 2; ++i) solids.add(box_polyhedron(Vec3::Constant(0.1)));
  const Quat edge_down(Eigen::AngleAxisd(M_PI / 4, Vec3::UnitX()));
  double top = 0;
  for (const Vec3& v : solids[0].polyhedron->vertices) top = std::max(top, (edge_down * v).z());
  SatScratch scratch;
  for (int x = -9; x <= 9; ++x)
    for (int y = -9; y <= 9; ++y)
      for (int bits = -3; bits <= 3; ++bits) {
        const Pose X{Vec3(0.01 * x, 0.01 * y, 0.1 + top + bits * 2.8e-17), edge_down};
        const Transform X_AB = relative({}, X);
        const Proximity d = core_proximity(solids[0], solids[1], X_AB, nullptr, INFINITY);
        const Proximity expected =
            sat_proximity(*solids[0].polyhedron, *solids[1].polyhedron, X_AB, scratch);
        EXPECT_NEAR(d.distance, expected.distance, 1e-14) << x << " " << y << " " << bits;
        EXPECT_NEAR(d.normal.z(), 1, 1e-12) << x << " " << y << " " << bits;
      }
}

}  // namespace
}  // namespace abut::test
