// The two referees of distances, which share no code, agree with each other.
#include <gtest/gtest.h>

#include "support/exact_proximity.h"
#include "support/minkowski.h"
#include "support/polyhedra.h"
#include "support/soak.h"

namespace abut::test {
namespace {

TEST(Referee, AgreesWithTheMinkowskiDifference) {
  unsigned seed = 1000;
  for (const Soak soak(0.3); soak.goes_on(); ++seed) {
    Random r(seed);
    const HardPair pair = random_pair(r, 16);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, pair.what));
    const Exact e = exact_proximity(pair.A, pair.B, pair.X_AB());
    const MinkowskiDifference difference(pair.A, pair.B, pair.X_AB());
    ASSERT_TRUE(difference.ok());
    ASSERT_NEAR(e.distance(), difference.signed_distance(), 1e-12 * pair.size());
  }
  EXPECT_GT(seed, 1010u);
}

TEST(Referee, KnowsDistancesOfCubesByHeart) {
  const Polyhedron cube = box_polyhedron({0.5, 0.5, 0.5});
  const auto distance = [&](const Vec3& p) {
    const Transform X(Mat3::Identity(), p);
    EXPECT_NEAR(exact_proximity(cube, cube, X).distance(),
                MinkowskiDifference(cube, cube, X).signed_distance(), 1e-15);
    return exact_proximity(cube, cube, X).distance();
  };
  EXPECT_DOUBLE_EQ(distance({3, 0, 0}), 2);
  EXPECT_DOUBLE_EQ(distance({4, 5, 0.2}), 5);
  EXPECT_DOUBLE_EQ(distance({2, 3, 3}), 3);
  EXPECT_DOUBLE_EQ(distance({0.9, 0.1, 0.2}), -0.1);
  EXPECT_DOUBLE_EQ(distance({0, 0, 0}), -1);
}

}  // namespace
}  // namespace abut::test
