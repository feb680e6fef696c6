// Tuning: the search by itself, gains whose best can be found by hand, trials that fail.
#include "abut/sweep/tune.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "abut/sweep/tune_search.h"

namespace abut::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr double kMass = 2, kStep = 0.001, kG = 9.81;

class Tuning : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("abut_tune_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    // a ball that touches the floor and sinks in under its weight, by one spring
    std::ofstream(folder_ / "ball.xml") << fmt::format(
        "<mujoco><option timestep='{}'/><custom><text name='abut.deepest.law' data='pd'/>"
        "<numeric name='abut.deepest.kp' data='20000'/><numeric name='abut.deepest.kv' data='40'/>"
        "</custom><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
        "<geom type='sphere' size='0.1' mass='{}'/></body></worldbody></mujoco>",
        kStep, kMass);
  }
  void TearDown() override { fs::remove_all(folder_); }

  TunePlan plan(std::vector<TuneRange> ranges, std::vector<TuneTerm> terms, int runs = 48) const {
    TunePlan p;
    p.sweep.world = "ball.xml";
    p.sweep.file = folder_ / "ball.xml";
    p.sweep.folder = folder_;
    p.sweep.set = {{"time", "0.5"}};
    p.model = "deepest";
    p.ranges = std::move(ranges);
    p.terms = std::move(terms);
    p.runs = runs;
    return p;
  }
  static std::string refused(const TunePlan& p) {
    try {
      check(p);
    } catch (const SweepError& e) {
      return e.what();
    }
    return "nothing was refused";
  }

  fs::path folder_;
};

// s until the kinetic energy stays below a thousandth of its largest value, by semi-implicit Euler of
// m x'' = m g - max(k x + c x', 0).
double settling(double k, double c) {
  double x = 0, v = 0, most = 0, last = 0;
  for (int i = 1; i <= 500; ++i) {
    v += kStep * (kG - (x > 0 ? std::max(k * x + c * v, 0.0) : 0) / kMass);
    x += kStep * v;
    most = std::max(most, v * v);
    if (v * v > 0.001 * most) last = i * kStep;
  }
  return last;
}

TEST_F(Tuning, FindsTheDampingThatSettlesFastest) {
  const double k = 20000;
  double best = 1;
  for (double c = 10; c < 2000; c *= 1.01) best = std::min(best, settling(k, c));
  const TuneResult r =
      tune(plan({{"deepest.kv", 10, 2000}}, {{.name = "settling"}}), {.threads = 1});
  ASSERT_GE(r.best, 0);
  const TuneTrial& t = r.trials[static_cast<std::size_t>(r.best)];
  EXPECT_NEAR(t.measures[0], settling(k, std::stod(t.gains[0].text)), kStep);
  EXPECT_LE(t.measures[0], best + 3 * kStep);
  // 0.1 of the critical damping takes far longer
  EXPECT_GT(r.trials[0].measures[0], 2 * best);
}

// The sag m g / k is least at the end of the range.
TEST_F(Tuning, FindsTheStiffestGainWhereOnlyDepthCounts) {
  const TuneResult r = tune(plan({{"deepest.kp", 1000, 50000}}, {{.name = "penetration"}}), {});
  ASSERT_GE(r.best, 0);
  EXPECT_GT(std::stod(r.trials[static_cast<std::size_t>(r.best)].gains[0].text), 45000);
}

// k h^2 / m = 4 is the end of stability.
TEST_F(Tuning, TrialsThatBlowUpAreRowsWithAReason) {
  TunePlan p = plan({{"deepest.kp", 1e4, 1e12}, {"deepest.kv", 1, 1e9}}, {{.name = "energy"}});
  const TuneResult r = tune(p, {});
  EXPECT_EQ(std::ssize(r.trials), p.runs);
  int worse = 0;
  for (const TuneTrial& t : r.trials) {
    EXPECT_EQ(std::isfinite(t.cost), t.reason.empty());
    worse += !(t.cost < 1e3);
  }
  EXPECT_GT(worse, 0);
  ASSERT_GE(r.best, 0);
  EXPECT_LE(r.trials[static_cast<std::size_t>(r.best)].cost, 1);
}

TEST_F(Tuning, IsTheSameOnAnyNumberOfThreads) {
  const TunePlan p = plan({{"deepest.kp", 1e3, 1e5}, {"deepest.kv", 1, 1e3}},
                          {{.name = "penetration"}, {.name = "settling", .weight = 0.5}}, 24);
  const TuneResult one = tune(p, {.threads = 1}), three = tune(p, {.threads = 3});
  ASSERT_EQ(one.trials.size(), three.trials.size());
  for (std::size_t i = 0; i < one.trials.size(); ++i) {
    EXPECT_EQ(one.trials[i].cost, three.trials[i].cost);
    EXPECT_EQ(one.trials[i].measures, three.trials[i].measures);
  }
  EXPECT_EQ(one.best, three.best);
  TunePlan other = p;
  other.seed = 2;
  EXPECT_NE(tune(other, {}).trials[4].gains[0].text, one.trials[4].gains[0].text);
}

TEST_F(Tuning, StartsWithTheWorldsOwnGainsAndThoseOfZieglerAndNichols) {
  const TuneResult r =
      tune(plan({{"deepest.kp", 1e3, 1e8}, {"deepest.kv", 1, 1e5}}, {{.name = "settling"}}, 8), {});
  EXPECT_EQ(r.trials[0].origin, "own");
  EXPECT_EQ(r.trials[0].cost, 1);
  EXPECT_TRUE(r.trials[0].gains.empty());
  EXPECT_EQ(r.trials[1].origin, "ziegler-nichols");
  // a ball is as mobile at every point of its surface in the direction of the normal
  const double ku = 4 * kMass / (kStep * kStep);
  EXPECT_NEAR(std::stod(r.trials[1].gains[0].text) / (0.6 * ku), 1, 1e-3);
  EXPECT_NEAR(std::stod(r.trials[1].gains[1].text) / (0.15 * ku * kStep), 1, 1e-3);
}

TEST_F(Tuning, RefusesWhatCannotBe) {
  const TuneRange kp{"deepest.kp", 1, 2};
  TunePlan p = plan({kp}, {{.name = "settling"}});
  EXPECT_EQ(refused(p), "nothing was refused");
  p.model = "st";
  EXPECT_THAT(refused(p), HasSubstr("has no gains"));
  EXPECT_THAT(refused(plan({kp}, {{.name = "speed"}})), HasSubstr("penetration, energy, settling"));
  EXPECT_THAT(refused(plan({kp}, {})), HasSubstr("nothing to measure"));
  EXPECT_THAT(refused(plan({kp}, {{.name = "energy", .weight = -1}})), HasSubstr("weight"));
  EXPECT_THAT(refused(plan({{"deepest.law", 1, 2}}, {{.name = "energy"}})),
              HasSubstr("no gain of contact deepest"));
  EXPECT_THAT(refused(plan({{"multipoint.kp", 1, 2}}, {{.name = "energy"}})), HasSubstr("no gain"));
  EXPECT_THAT(refused(plan({{"deepest.kp", 2, 2}}, {{.name = "energy"}})), HasSubstr("LOW < HIGH"));
  EXPECT_THAT(refused(plan({{"deepest.kp", -1, 2}}, {{.name = "energy"}})),
              HasSubstr("LOW < HIGH"));
  EXPECT_THAT(refused(plan({kp}, {{.name = "energy"}}, 3)), HasSubstr("runs"));
}

TEST_F(Tuning, WritesABlockForTheWorld) {
  TuneTrial t;
  t.gains = {{"deepest.kp", "120"}, {"deepest.kv", "3.5"}};
  EXPECT_EQ(custom_block(t),
            "<custom>\n  <numeric name=\"abut.deepest.kp\" data=\"120\"/>\n"
            "  <numeric name=\"abut.deepest.kv\" data=\"3.5\"/>\n</custom>\n");
}

// A narrow bowl with a region where trials fail.
TEST(TuneSearching, FindsAMinimumBesideFailures) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    TuneSearch search(2, seed, 40);
    for (int i = 0; i < 15; ++i) {
      const std::vector<TuneSearch::Point> points = search.next();
      std::vector<double> costs;
      for (const auto& x : points) {
        EXPECT_GE(std::min(x[0], x[1]), 0);
        EXPECT_LE(std::max(x[0], x[1]), 1);
        const double a = x[0] - 0.62, b = x[1] - 0.81;
        costs.push_back(x[0] + x[1] > 1.6 ? std::numeric_limits<double>::infinity()
                                          : 10 * a * a + b * b);
      }
      search.tell(points, costs);
    }
    EXPECT_NEAR(search.best()[0], 0.62, 0.03) << seed;
    EXPECT_NEAR(search.best()[1], 0.81, 0.06) << seed;
  }
}

}  // namespace
}  // namespace abut::test
