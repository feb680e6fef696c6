#include "chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace {

// Okabe and Ito's, told apart by the colour-blind too.
constexpr const char* kColours[] = {"#000000", "#e69f00", "#56b4e9", "#009e73",
                                    "#d55e00", "#0072b2", "#cc79a7"};
constexpr double kWidth = 300, kHeight = 230, kLeft = 64, kTop = 30, kRight = 18, kBottom = 38;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;

  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  // 0 .. 1
  double share(double v) const { return std::log(v / low) / std::log(high / low); }
};

std::string text(double x, double y, const char* anchor, const std::string& words,
                 const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, words);
}

std::string line(double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", x1, y1,
      x2, y2);
}

std::string one_chart(const Chart& chart, const Range& x, const Range& y,
                      const std::vector<std::string>& names) {
  const double w = kWidth - kLeft - kRight, h = kHeight - kTop - kBottom;
  const auto px = [&](double v) { return kLeft + w * x.share(v); };
  const auto py = [&](double v) { return kTop + h * (1 - y.share(v)); };
  std::string svg = text(kLeft + w / 2, 18, "middle", chart.title, " font-weight=\"bold\"");

  std::set<double> ticks;
  for (const ChartLine& l : chart.lines)
    for (const auto& point : l.points) ticks.insert(point.first);
  bool label = true;  // every other tick
  for (const double tick : ticks) {
    svg += line(px(tick), kTop, px(tick), kTop + h);
    if (label) svg += text(px(tick), kTop + h + 14, "middle", fmt::format("{:g}", tick));
    label = !label;
  }
  for (double tick = y.low; tick <= y.high * 1.001; tick *= 10) {
    svg += line(kLeft, py(tick), kLeft + w, py(tick));
    // 10000, 1e5: as wide as there is room
    const std::string number =
        tick < 9e4 ? fmt::format("{:.0f}", tick) : fmt::format("1e{:.0f}", std::log10(tick));
    svg += text(kLeft - 4, py(tick) + 4, "end", number);
  }
  svg += text(kLeft + w / 2, kHeight - 6, "middle", chart.x);
  svg += fmt::format("<g transform=\"translate(12 {:.1f}) rotate(-90)\">{}</g>\n", kTop + h / 2,
                     text(0, 0, "middle", chart.y));

  for (const ChartLine& l : chart.lines) {
    const auto i =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), l.name) - names.begin());
    std::string path;
    for (const auto& [vx, vy] : l.points) path += fmt::format("{:.1f},{:.1f} ", px(vx), py(vy));
    svg +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                    path, kColours[i % std::size(kColours)], i == 0 ? 2.5 : 1.5);
  }
  return svg;
}

double legend_width(const std::string& name) { return 32 + 5.6 * static_cast<double>(name.size()); }

int legend_lines(const std::vector<std::string>& names, int columns) {
  int lines = 1;
  double at = kLeft;
  for (const std::string& name : names) {
    if (at > kLeft && at + legend_width(name) > columns * kWidth) at = kLeft, ++lines;
    at += legend_width(name);
  }
  return lines;
}

}  // namespace

std::string to_svg(const std::vector<Chart>& charts, int columns) {
  Range x, y;
  std::vector<std::string> names;
  for (const Chart& chart : charts)
    for (const ChartLine& l : chart.lines) {
      if (std::find(names.begin(), names.end(), l.name) == names.end()) names.push_back(l.name);
      for (const auto& [vx, vy] : l.points) x.add(vx), y.add(vy);
    }
  if (charts.empty() || !(x.high > x.low)) return "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n";
  y.low = std::pow(10, std::floor(std::log10(y.low)));
  y.high = std::pow(10, std::ceil(std::log10(y.high) + 1e-9));

  const int rows = (static_cast<int>(charts.size()) + columns - 1) / columns;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      columns * kWidth, rows * kHeight + 24 + 16 * (legend_lines(names, columns) - 1));
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const int k = static_cast<int>(i);
    svg += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", k % columns * kWidth,
                       k / columns * kHeight, one_chart(charts[i], x, y, names));
  }
  double at = kLeft, base = rows * kHeight + 10;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (i > 0 && at + legend_width(name) > columns * kWidth) at = kLeft, base += 16;
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"2\"/>\n",
        at, base - 4, at + 18, base - 4, kColours[i % std::size(kColours)]);
    svg += text(at + 22, base, "start", name);
    at += legend_width(name);
  }
  return svg + "</svg>\n";
}
