// proximity() on hard polyhedra: against two referees that share no code with it, and
// what must hold for any answer.
#include "abut/collide/proximity/proximity.h"

#include <gtest/gtest.h>

#include "support/exact_proximity.h"
#include "support/minkowski.h"
#include "support/polyhedra.h"
#include "support/soak.h"

namespace abut::test {
namespace {

// A pair with its solids made ready, and how exact an answer must be.
struct Case {
  explicit Case(HardPair hard) : pair(std::move(hard)) {
    solids.add(pair.A);
    solids.add(pair.B);
  }

  double tolerance() const { return 1e-9 * pair.size() + pose_rounding(pair.X_WA, pair.X_WB); }
  Proximity query(WarmStart* warm_start = nullptr) const {
    return proximity(solids[0], solids[1], pair.X_AB(), warm_start);
  }
  std::string what_is_wrong(const Proximity& d) const {
    return test::what_is_wrong(pair.A, pair.B, pair.X_AB(), d, tolerance());
  }

  HardPair pair;
  ConvexSet solids;
};

Case random_case(unsigned seed, int most_vertices) {
  Random r(seed);
  return Case(random_pair(r, most_vertices));
}

#define TRACE_CASE(seed, c) \
  SCOPED_TRACE(fmt::format("seed {}: {}, size {:.3g} m", seed, c.pair.what, c.pair.size()))

// --- against the referees -------------------------------------------------------------

TEST(Proximity, IsThatOfTheMinkowskiDifference) {
  unsigned seed = 1;
  for (const Soak soak(0.3); soak.goes_on(); ++seed) {
    const Case c = random_case(seed, 16);
    TRACE_CASE(seed, c);
    const MinkowskiDifference difference(c.pair.A, c.pair.B, c.pair.X_AB());
    ASSERT_TRUE(difference.ok());
    ASSERT_NEAR(c.query().distance, difference.signed_distance(), c.tolerance());
  }
}

TEST(Proximity, IsThatOfTheReferee) {
  unsigned seed = 100000;
  for (const Soak soak(0.5); soak.goes_on(); ++seed) {
    const Case c = random_case(seed, seed % 16 == 0 ? 500 : 60);
    TRACE_CASE(seed, c);
    ASSERT_NEAR(c.query().distance, exact_proximity(c.pair.A, c.pair.B, c.pair.X_AB()).distance(),
                c.tolerance());
  }
}

// --- what holds for any answer -------------------------------------------------------

TEST(Proximity, ShowsItsDistanceByPointsNormalAndFeatures) {
  unsigned seed = 200000;
  for (const Soak soak(0.3); soak.goes_on(); ++seed) {
    const Case c = random_case(seed, 60);
    TRACE_CASE(seed, c);
    const Proximity d = c.query();
    ASSERT_EQ(c.what_is_wrong(d), "");
    Random r(seed);
    ASSERT_EQ(better_direction(r, c.pair.A, c.pair.B, c.pair.X_AB(), d, 20, c.tolerance()), "");
  }
}

TEST(Proximity, IsTheSameFromTheOtherSide) {
  unsigned seed = 300000;
  for (const Soak soak(0.2); soak.goes_on(); ++seed) {
    const Case c = random_case(seed, 60);
    TRACE_CASE(seed, c);
    const Proximity there = c.query();
    const Transform X_BA = relative(c.pair.X_WB, c.pair.X_WA);
    const Proximity back = proximity(c.solids[1], c.solids[0], X_BA);
    ASSERT_NEAR(there.distance, back.distance, c.tolerance());
    // the normal may be another one that does as well; it must show the distance too
    const Proximity seen = swapped(back);
    ASSERT_NEAR(separation(c.pair.A, c.pair.B, c.pair.X_AB(), c.pair.X_AB().R * seen.normal),
                there.distance, c.tolerance());
  }
}

TEST(Proximity, DoesNotDependOnWhereThePairIs) {
  unsigned seed = 400000;
  for (const Soak soak(0.2); soak.goes_on(); ++seed) {
    Case c = random_case(seed, 60);
    TRACE_CASE(seed, c);
    const Proximity here = c.query();
    const double tolerance = c.tolerance();
    Random r(seed);
    const Pose motion{r.magnitude(1, 1e4) * r.direction(), r.quat()};
    for (Pose* X : {&c.pair.X_WA, &c.pair.X_WB}) {
      *X = motion * *X;
      X->q.normalize();
    }
    const Proximity there = c.query();
    ASSERT_NEAR(here.distance, there.distance, tolerance + c.tolerance());
    ASSERT_EQ(c.what_is_wrong(there), "");
    // in the world: the points part by the distance there too, to rounding
    const Proximity world = proximity(c.solids[0], c.pair.X_WA, c.solids[1], c.pair.X_WB);
    ASSERT_NEAR((world.p_B - world.p_A - world.distance * world.normal).norm(), 0, c.tolerance());
    ASSERT_NEAR((c.pair.X_WA.q.conjugate() * world.normal - there.normal).norm(), 0, 1e-14);
  }
}

TEST(Proximity, MovingAlongTheNormalByTheDistanceMakesThemKiss) {
  unsigned seed = 500000;
  for (const Soak soak(0.2); soak.goes_on(); ++seed) {
    const Case c = random_case(seed, 60);
    TRACE_CASE(seed, c);
    const Proximity d = c.query();
    Transform X = c.pair.X_AB();
    X.p -= d.distance * d.normal;
    const double tolerance = c.tolerance() + 1e-12 * std::abs(d.distance);
    ASSERT_NEAR(proximity(c.solids[0], c.solids[1], X).distance, 0, 2 * tolerance);
  }
}

// --- coherent queries ----------------------------------------------------------------

TEST(Proximity, RememberingTheLastAnswerDoesNotChangeTheDistance) {
  unsigned seed = 600000;
  for (const Soak soak(0.4); soak.goes_on(); ++seed) {
    Case c = random_case(seed, seed % 8 == 0 ? 500 : 60);
    TRACE_CASE(seed, c);
    Random r(seed);
    const double L = c.pair.size(), motion = r.magnitude(1e-7, 0.1);
    const Vec3 velocity = motion * L * r.direction();
    const Quat turn(Eigen::AngleAxisd(motion, r.direction()));
    WarmStart warm_start;
    for (int step = 0; step < 40; ++step) {
      const Proximity cold = c.query(), warm = c.query(&warm_start);
      // kept features may be deeper than the best ones by 1e-6 L, never less deep
      const double kept = warm.distance < 0 ? 1e-6 * L : 0;
      ASSERT_LE(warm.distance, cold.distance + c.tolerance()) << "step " << step;
      ASSERT_GE(warm.distance, cold.distance - kept - c.tolerance()) << "step " << step;
      ASSERT_EQ(c.what_is_wrong(warm), "") << "step " << step;
      // there, and back again
      const double way = step < 20 ? 1 : -1;
      c.pair.X_WB.p += way * velocity;
      c.pair.X_WB.q = (step < 20 ? turn : Quat(turn.conjugate())) * c.pair.X_WB.q;
      c.pair.X_WB.q.normalize();
    }
  }
}

TEST(Proximity, AHintFromAnotherPlaceDoesNoHarm) {
  unsigned seed = 700000;
  for (const Soak soak(0.2); soak.goes_on(); ++seed) {
    Case c = random_case(seed, 60);
    TRACE_CASE(seed, c);
    Random r(seed);
    WarmStart warm_start;
    for (int jump = 0; jump < 8; ++jump) {
      const auto meeting = static_cast<Meeting>(r.integer(0, kMeetings - 1));
      const Transform X = random_meeting(r, c.pair.A, c.pair.B, meeting);
      const Proximity cold = proximity(c.solids[0], c.solids[1], X);
      const Proximity warm = proximity(c.solids[0], c.solids[1], X, &warm_start);
      const double tolerance = 1e-9 * c.pair.size();
      const double kept = warm.distance < 0 ? 1e-6 * c.pair.size() : 0;
      ASSERT_LE(warm.distance, cold.distance + tolerance) << name(meeting);
      ASSERT_GE(warm.distance, cold.distance - kept - tolerance) << name(meeting);
    }
  }
}

// A box at rest on another: tilts, shifts and depths as a simulation makes them.
TEST(Proximity, RestingBoxesShowNoPhantomDepth) {
  unsigned seed = 800000;
  for (const Soak soak(0.3); soak.goes_on(); ++seed) {
    Random r(seed);
    const double size = r.magnitude(1e-3, 1e3);
    const auto half = [&] { return Vec3(r.uniform(0.1, 1), r.uniform(0.1, 1), r.uniform(0.1, 1)); };
    const Vec3 a = size * half(), b = size * half();
    ConvexSet solids;
    solids.add(box_polyhedron(a));
    solids.add(box_polyhedron(b));
    const double L = pair_size(solids[0], solids[1]);
    WarmStart warm_start;
    const bool turned = r.chance(2);
    for (int step = 0; step < 30; ++step) {
      const double tilt = r.chance(3) ? 0 : r.magnitude(1e-14, 1e-4);
      const double gap = (r.chance(2) ? 1 : -1) * r.magnitude(1e-14, 1e-5) * L;
      const Vec3 axis = r.chance(2) ? Vec3::UnitX() : r.direction();
      const Quat spin(Eigen::AngleAxisd(turned ? 0.3 : 0, Vec3::UnitZ()));
      const Transform X(
          (Quat(Eigen::AngleAxisd(tilt, axis)) * spin).toRotationMatrix(),
          Vec3(r.uniform(-1, 1) * a.x(), r.uniform(-1, 1) * a.y(), a.z() + b.z() + gap));
      SCOPED_TRACE(fmt::format("seed {} step {}: tilt {:.3g}, gap {:.3g}, size {:.3g}", seed, step,
                               tilt, gap, size));
      const Proximity d = proximity(solids[0], solids[1], X, &warm_start);
      ASSERT_LE(std::abs(d.distance), std::abs(gap) + tilt * L + 1e-9 * L);
      ASSERT_GT(d.normal.z(), 1 - 1e-6);
      ASSERT_EQ(what_is_wrong(*solids[0].polyhedron, *solids[1].polyhedron, X, d, 1e-9 * L), "");
    }
  }
}

// --- absurd input --------------------------------------------------------------------

TEST(Proximity, IsANumberForAbsurdSizesAndPlaces) {
  for (const double size : {1e-30, 1e-12, 1.0, 1e12, 1e30})
    for (const double far : {0.0, 1e-3, 1.0, 1e6, 1e18}) {
      SCOPED_TRACE(fmt::format("size {:g}, {:g} sizes away", size, far));
      ConvexSet solids;
      Random r(7);
      solids.add(box_polyhedron(size * Vec3(0.2, 0.3, 0.4)));
      solids.add(box_polyhedron(size * Vec3(0.4, 0.1, 0.2)));
      for (int i = 0; i < 20; ++i) {
        const Transform X(r.quat().toRotationMatrix(), far * size * r.direction());
        const Proximity d = proximity(solids[0], solids[1], X);
        ASSERT_EQ(what_is_wrong(*solids[0].polyhedron, *solids[1].polyhedron, X, d,
                                1e-9 * pair_size(solids[0], solids[1]) + 1e-15 * far * size),
                  "");
      }
    }
}

TEST(Proximity, ReturnsFromPosesThatAreNoNumbers) {
  ConvexSet solids;
  solids.add(box_polyhedron({0.2, 0.3, 0.4}));
  Random r(3);
  solids.add(random_polyhedron(r, Sort::on_sphere, 200, 1));
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double odd : {kNaN, kInfinity, -kInfinity, 1e308}) {
    WarmStart warm_start;
    for (WarmStart* h : {static_cast<WarmStart*>(nullptr), &warm_start}) {
      proximity(solids[0], solids[1], Transform(Mat3::Identity(), Vec3(odd, 0, 0)), h);
      proximity(solids[1], solids[0], Transform(Mat3::Constant(odd), Vec3::Zero()), h);
      // and a warm start that saw this does no harm
      const Proximity d =
          proximity(solids[0], solids[1], Transform(Mat3::Identity(), Vec3(3, 0, 0)), h);
      EXPECT_GT(d.distance, 1.5);
    }
  }
}

}  // namespace
}  // namespace abut::test
