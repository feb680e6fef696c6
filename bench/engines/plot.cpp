#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace {

constexpr const char* kColours[] = {"#000000", "#d55e00", "#0072b2",
                                    "#009e73", "#cc79a7", "#e69f00"};
constexpr double kWidth = 760, kHeight = 480, kLeft = 60, kRight = 130, kTop = 20, kBottom = 50;
constexpr int kLowX = -12, kHighX = 0, kLowY = -3, kHighY = 4;  // decades: m, ms

double x_of(double overlap) {
  const double d = std::clamp(std::log10(std::max(overlap, 1e-12)), 1.0 * kLowX, 1.0 * kHighX);
  return kLeft + (d - kLowX) / (kHighX - kLowX) * (kWidth - kLeft - kRight);
}

double y_of(double ms) {
  const double d = std::clamp(std::log10(std::max(ms, 1e-3)), 1.0 * kLowY, 1.0 * kHighY);
  return kHeight - kBottom - (d - kLowY) / (kHighY - kLowY) * (kHeight - kTop - kBottom);
}

std::string text(double x, double y, const std::string& words, const char* colour = "#444") {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' fill='{}'>{}</text>\n", x, y, colour, words);
}

std::string grid() {
  std::string s;
  const auto line = [&](double x1, double y1, double x2, double y2) {
    s += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#ddd'/>\n", x1,
                     y1, x2, y2);
  };
  for (int d = kLowX; d <= kHighX; d += 2) {
    const double x = x_of(std::pow(10, d));
    line(x, kTop, x, kHeight - kBottom);
    s += text(x - 12, kHeight - kBottom + 16, fmt::format("1e{}", d));
  }
  for (int d = kLowY; d <= kHighY; ++d) {
    const double y = y_of(std::pow(10, d));
    line(kLeft, y, kWidth - kRight, y);
    s += text(8, y + 4, fmt::format("{:g}", std::pow(10, d)));
  }
  return s + text(kWidth / 2 - 120, kHeight - 12, "mean overlap of pairs that touch (m)") +
         text(8, 12, "ms a step, settled");
}

}  // namespace

std::string speed_against_overlap(const std::vector<PlotPoint>& points) {
  std::vector<std::string> names;
  std::string s =
      fmt::format(
          "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
          "font-family='sans-serif' font-size='11'>\n<rect width='100%' height='100%' "
          "fill='white'/>\n",
          kWidth, kHeight) +
      grid();
  for (const PlotPoint& p : points) {
    auto at = std::find(names.begin(), names.end(), p.engine);
    const auto index = static_cast<std::size_t>(at - names.begin());
    const char* colour = kColours[index % std::size(kColours)];
    if (at == names.end()) {
      s += text(kWidth - kRight + 8, kTop + 14 + 16 * static_cast<double>(index), p.engine, colour);
      names.push_back(p.engine);
    }
    const double x = x_of(p.overlap), y = y_of(p.ms);
    s += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4' fill='{}'/>\n", x, y, colour);
    s += text(x + 6, y + 4, p.scene, colour);
  }
  return s + "</svg>\n";
}
