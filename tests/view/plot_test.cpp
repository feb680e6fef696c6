// Ticks are round, decimation keeps extremes, pictures are well-formed whatever they hold.
#include "abut/view/plot/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <pugixml.hpp>

#include "abut/view/page/markup.h"
#include "abut/view/plot/series.h"
#include "abut/view/plot/ticks.h"

namespace abut::view {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> labels(const Ticks& t) {
  std::vector<std::string> out;
  for (const double x : t.at) out.push_back(t.label(x));
  return out;
}

TEST(Ticks, AreRound) {
  EXPECT_THAT(labels(nice_ticks(0, 5, 6)), ElementsAre("0", "1", "2", "3", "4", "5"));
  EXPECT_THAT(labels(nice_ticks(-0.37, 0.41, 6)), ElementsAre("−0.2", "0", "0.2", "0.4"));
  EXPECT_THAT(labels(nice_ticks(0, 0.5, 6)), ElementsAre("0", "0.1", "0.2", "0.3", "0.4", "0.5"));
}

TEST(Ticks, TakeOutPowersAndOffsets) {
  const Ticks small = nice_ticks(0, 4e-9, 5);
  EXPECT_EQ(small.exponent, -9);
  EXPECT_THAT(labels(small), ElementsAre("0", "1", "2", "3", "4"));
  const Ticks large = nice_ticks(0, 4e7, 5);
  EXPECT_EQ(large.exponent, 6);
  EXPECT_THAT(labels(large), ElementsAre("0", "10", "20", "30", "40"));
  const Ticks alike = nice_ticks(1234567.0, 1234567.4, 5);
  EXPECT_NE(alike.offset, 0);
  for (const std::string& l : labels(alike)) EXPECT_LT(l.size(), 6u) << l;
}

TEST(Ticks, NeverMoreThanAskedAtAnyScale) {
  for (int e = -300; e < 300; e += 7)
    for (const double low : {-1.0, 0.0, 0.3, 7.7})
      for (int most = 2; most < 12; ++most) {
        const double s = std::pow(10.0, e);
        const Ticks t = nice_ticks(low * s, (low + 1.7) * s, most);
        EXPECT_LE(static_cast<int>(t.at.size()), most) << e << " " << low;
        for (const double x : t.at) EXPECT_LT(t.label(x).size(), 12u) << t.label(x);
      }
}

TEST(Ticks, DegenerateRangesGetExtent) {
  for (const double x : {0.0, 1.0, -3e-200, 1e200, kInfinity, std::nan("")}) {
    double low = x, high = x;
    widen_to_ticks(low, high, 6);
    EXPECT_LT(low, high);
    EXPECT_GE(nice_ticks(low, high, 6).at.size(), 2u) << x;
  }
}

TEST(Series, KeepsShortRunsWhole) {
  Series s(64);
  for (int i = 0; i < 64; ++i) s.add(i, std::sin(i));
  const auto points = s.points();
  ASSERT_EQ(points.size(), 64u);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(points[i], Vec2(i, std::sin(i)));
}

TEST(Series, KeepsSpikesOfLongRunsInBoundedMemory) {
  Series s(128);
  const int n = 1'000'003, up = 123'457, down = 765'432;
  for (int i = 0; i < n; ++i) s.add(i, i == up ? 9 : i == down ? -9 : std::sin(i * 1e-3));
  const auto points = s.points();
  EXPECT_LE(points.size(), 2 * 128u + 2);
  EXPECT_GE(points.size(), 64u);
  EXPECT_THAT(points, testing::Contains(Vec2(up, 9)));
  EXPECT_THAT(points, testing::Contains(Vec2(down, -9)));
  EXPECT_EQ(points.front().x(), 0);
  EXPECT_EQ(points.back().x(), n - 1);
  for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LT(points[i - 1].x(), points[i].x());
  EXPECT_EQ(s.low(), -9);
  EXPECT_EQ(s.largest(), 9);
}

TEST(Series, LeavesOutWhatIsNotFinite) {
  Series s;
  s.add(0, std::nan(""));
  s.add(1, kInfinity);
  EXPECT_TRUE(s.empty());
  EXPECT_TRUE(s.points().empty());
  EXPECT_EQ(s.largest(), 0);
}

TEST(Trail, KeepsBothEnds) {
  Trail t(16);
  for (int i = 0; i < 1001; ++i) t.add(Vec3(i, 0, 0));
  const auto points = t.points();
  EXPECT_LE(points.size(), 17u);
  EXPECT_GE(points.size(), 8u);
  EXPECT_EQ(points.front().x(), 0);
  EXPECT_EQ(points.back().x(), 1000);
  for (std::size_t i = 2; i + 1 < points.size(); ++i)
    EXPECT_EQ(points[i].x() - points[i - 1].x(), static_cast<double>(t.stride()));
}

TEST(Thinning, ColumnsKeepFirstLowestHighestLast) {
  std::vector<Vec2> line;
  for (int i = 0; i < 10'000; ++i) line.emplace_back(i, i == 5003 ? 100 : i == 5004 ? -100 : i % 7);
  const auto thin = thin_columns(line, 0, 9999, 50);
  EXPECT_LE(thin.size(), 4 * 51u);
  EXPECT_THAT(thin, testing::Contains(Vec2(5003, 100)));
  EXPECT_THAT(thin, testing::Contains(Vec2(5004, -100)));
  EXPECT_EQ(thin.front(), line.front());
  EXPECT_EQ(thin.back(), line.back());
}

TEST(Thinning, CurvesStayWithinTolerance) {
  std::vector<Vec2> circle;
  for (int i = 0; i <= 2000; ++i)
    circle.emplace_back(std::cos(i * 2 * M_PI / 2000), std::sin(i * 2 * M_PI / 2000));
  const auto thin = thin_curve(circle, 1e-3);
  EXPECT_LT(thin.size(), 200u);
  // the middle of a chord is the farthest from its arc
  for (std::size_t i = 1; i < thin.size(); ++i)
    EXPECT_GT(((thin[i] + thin[i - 1]) / 2).norm(), 1 - 1.1e-3);
}

TEST(Markup, EscapesWhatWouldBreakAPage) {
  EXPECT_EQ(escape("<b a=\"x\" c='y'>&"), "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;");
  EXPECT_EQ(escape("Größe ∑"), "Größe ∑");
  EXPECT_EQ(escape(std::string("a\x01\xff\xc3", 4)), "a\uFFFD\uFFFD\uFFFD");
}

TEST(Markup, NumbersAsPeopleWriteThem) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(-9.81), "−9.81");
  EXPECT_EQ(number(0.002), "0.002");
  EXPECT_EQ(number(123456.7), "123,500");
  EXPECT_EQ(number(0.99999), "1");
  EXPECT_EQ(number(1.234e-9), "1.234 × 10⁻⁹");
  EXPECT_EQ(number(-2e20), "−2 × 10²⁰");
  EXPECT_EQ(number(std::nan("")), "–");
  EXPECT_EQ(count(1234567), "1,234,567");
  EXPECT_EQ(count(2500), "2500");
  EXPECT_EQ(seconds(0.002), "2 ms");
  EXPECT_EQ(seconds(0), "0 s");
  EXPECT_EQ(seconds(4.2e-7), "420 ns");
}

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  const auto result = document.load_string(svg.c_str(), pugi::parse_full);
  EXPECT_TRUE(result) << result.description() << " at "
                      << svg.substr(result.offset > 60 ? result.offset - 60 : 0, 120);
  return document;
}

TEST(Plot, DrawsEveryLineWithItsName) {
  Plot plot;
  plot.title = "A & B";
  plot.x = {"time", "s"};
  plot.y = {"energy", "J"};
  plot.lines = {{"<one>", {{0, 0}, {1, 4e-9}}, 0},
                {"two", {{0, 1e-9}, {1, 2e-9}}, 5},
                {"shy", {{0, 0}, {1, 0}}, kFaint}};
  plot.levels = {{2e-9, "bound"}};
  const std::string svg = to_svg(plot);
  const auto document = parsed(svg);
  EXPECT_EQ(document.select_nodes("//path[@data-name]").size(), 3u);
  EXPECT_EQ(document.select_nodes("//text[@class='key']").size(), 2u);
  EXPECT_THAT(svg, HasSubstr("energy (10⁻⁹ J)"));
  EXPECT_THAT(svg, HasSubstr("A &amp; B"));
  EXPECT_THAT(svg, HasSubstr("bound"));
}

TEST(Plot, HasEqualScalesWhenAsked) {
  Plot plot;
  plot.equal_scale = true;
  plot.lines = {{"way", {{0, 0}, {10, 1}}, 0, true}};
  const auto document = parsed(to_svg(plot));
  const auto svg = document.child("svg");
  double left, top, right, bottom, x0, x1, y0, y1;
  std::sscanf(svg.attribute("data-frame").value(), "%lf %lf %lf %lf", &left, &top, &right, &bottom);
  std::sscanf(svg.attribute("data-range").value(), "%lf %lf %lf %lf", &x0, &x1, &y0, &y1);
  EXPECT_NEAR((x1 - x0) / (right - left), (y1 - y0) / (bottom - top),
              1e-3 * (x1 - x0) / (right - left));
  EXPECT_LT(x0, 0);
  EXPECT_GT(x1, 10);
}

TEST(Plot, NeverWritesNan) {
  for (const bool equal : {false, true})
    for (const double size : {0.0, 1e-300, 1.0, 1e15, 1e300}) {
      for (int n : {0, 1, 2}) {
        Plot plot;
        plot.equal_scale = equal;
        plot.lines = {{"line", {}, 0, true}};
        for (int i = 0; i < n; ++i) plot.lines[0].points.emplace_back(i * size, size);
        const std::string svg = to_svg(plot);
        parsed(svg);
        EXPECT_THAT(svg, Not(HasSubstr("nan"))) << size << " " << n << equal;
        EXPECT_THAT(svg, Not(HasSubstr("inf"))) << size << " " << n << equal;
      }
    }
}

TEST(Plot, ThinsLinesThatWouldHideOthers) {
  Plot plot;
  plot.lines = {{"calm", {}, 0}, {"wild", {}, 1}};
  for (int i = 0; i < 2000; ++i) {
    plot.lines[0].points.emplace_back(i, 0.1 * i);
    plot.lines[1].points.emplace_back(i, i % 2 * 200);
  }
  const auto document = parsed(to_svg(plot));
  EXPECT_TRUE(document.select_node("//path[@data-name='calm'][@class='line c0']"));
  EXPECT_TRUE(document.select_node("//path[@data-name='wild'][@class='line c1 dense']"));
}

TEST(Plot, CutsLongNamesInTheLegendOnly) {
  Plot plot;
  plot.lines = {{std::string(30, 'a') + "ö", {{0, 0}, {1, 1}}, 0}};
  const std::string svg = to_svg(plot);
  parsed(svg);
  EXPECT_THAT(svg, HasSubstr("aaa…</text>"));
  EXPECT_THAT(svg, HasSubstr("data-name=\"" + plot.lines[0].name));
}

TEST(Shares, FillTheBar) {
  const auto bar =
      parsed(share_bar("stages", {{"a", 1, "25 %"}, {"b", 3, "75 %"}, {"c", 0, "0 %"}}));
  const auto rects = bar.select_nodes("//rect");
  ASSERT_EQ(rects.size(), 2u);
  EXPECT_NEAR(rects[1].node().attribute("width").as_double() /
                  rects[0].node().attribute("width").as_double(),
              3, 0.02);
  parsed(share_bar("none", {}));
}

}  // namespace
}  // namespace abut::view
