// Which points stay where a contact may have no more than a few (Drumwright, IV-D: ten a wheel).
#include "abut/contact/penalty/surface/fewest_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/random.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;
using testing::ElementsAre;

std::vector<int> kept(const std::vector<Vec3>& places, const std::vector<double>& pressed, int most,
                      std::vector<double>& area) {
  FewestPoints few;
  const std::span<const int> chosen = few.choose(places, pressed, most, area);
  return {chosen.begin(), chosen.end()};
}

// Seven points on a line: the hardest pressed, then the ends.
TEST(FewestPoints, TheHardestPressedAndTheFarthestStay) {
  std::vector<Vec3> places;
  for (int i = 0; i < 7; ++i) places.emplace_back(i, 0, 0);
  std::vector<double> area(7, 1);
  EXPECT_THAT(kept(places, {1, 1, 1, 2, 1, 1, 1}, 3, area), ElementsAre(0, 3, 6));
  EXPECT_DOUBLE_EQ(area[0] + area[3] + area[6], 7);
  EXPECT_DOUBLE_EQ(area[3], 3) << "1.5 away from an end goes to the middle, or to the end";
}

TEST(FewestPoints, WhatIsNotPressedGoesFirst) {
  std::vector<Vec3> places;
  for (int i = 0; i < 6; ++i) places.emplace_back(i, 0, 0);
  std::vector<double> area(6, 1);
  EXPECT_THAT(kept(places, {-1, 1, 2, 1, 0, -1}, 3, area), ElementsAre(1, 2, 3));
}

TEST(FewestPoints, AreaIsKeptAndNoMoreThanAskedStay) {
  test::Random random(3);
  for (int n = 1; n < 40; ++n) {
    std::vector<Vec3> places;
    std::vector<double> pressed, area;
    for (int i = 0; i < n; ++i) {
      places.push_back(random.direction());
      pressed.push_back(random.uniform(-1, 3));
      area.push_back(random.uniform(0, 1));
    }
    const double whole = std::accumulate(area.begin(), area.end(), 0.0);
    const std::vector<int> chosen = kept(places, pressed, 10, area);
    EXPECT_EQ(chosen.size(), static_cast<std::size_t>(std::min(n, 10)));
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    double sum = 0;
    for (const int i : chosen) sum += area[static_cast<std::size_t>(i)];
    EXPECT_NEAR(sum, whole, 1e-12);
  }
}

// A wide wheel that is a prism of 200 corners and sinks in: ten points carry it as all do.
TEST(FewestPoints, AWheelStandsOnTenPoints) {
  std::string vertices;
  for (int i = 0; i < 200; ++i)
    for (const double y : {-0.3, 0.3})
      vertices += fmt::format("{} {} {} ", 0.3 * std::sin(M_PI * i / 100), y,
                              0.3 * std::cos(M_PI * i / 100));
  const auto world = [&](const std::string& most) {
    return "<mujoco><option timestep='0.001'/><custom>"
           "<text name='abut.multipoint.gains' data='paper'/>"
           "<text name='abut.multipoint.share' data='area'/>" +
           most + "</custom><asset><mesh name='wheel' vertex='" + vertices +
           "'/></asset><worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 0.3'>"
           "<freejoint/><geom name='wheel' type='mesh' mesh='wheel' mass='4'/></body></worldbody>"
           "</mujoco>";
  };
  const auto points = [](const Scene& s) { return s.simulator.contact_forces().points.size(); };
  Scene all(world(""), test::settings("multipoint")),
      ten(world("<numeric name='abut.multipoint.most' data='10'/>"), test::settings("multipoint"));
  all.run(4);
  ten.run(4);
  EXPECT_GT(points(all), 10u);
  EXPECT_EQ(points(ten), 10u);
  EXPECT_NEAR(ten.simulator.contact_forces().total(), 4 * 9.81, 1e-2);
  EXPECT_NEAR(ten.position().z(), all.position().z(), 0.02);
  EXPECT_THROW(
      Scene(world("<numeric name='abut.multipoint.most' data='0'/>"), test::settings("multipoint")),
      WorldError);
}

}  // namespace
}  // namespace abut
