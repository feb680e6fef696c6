#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace {

// Okabe and Ito's, told apart by the colour-blind too.
constexpr const char* kColours[] = {"#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b", "#6a3d9a"};
constexpr const char* kStanding[] = {"stack", "heavy", "heavy1000", "pyramid",
                                     "kapla", "arch",  "incline"};
constexpr int kColumns = 3;
constexpr double kWidth = 300, kHeight = 230, kLeft = 50, kRight = 12, kTop = 26, kBottom = 40;
constexpr int kLowX = -12, kHighX = 0;  // decades of overlap (m)

struct Point {
  std::string engine;
  double ms = 0, overlap = 0;
  bool fell = false;  // what should have stood
};

struct Panel {
  std::string scene;
  std::vector<Point> points;
};

// In scenes that should stand, a drift of half a box.
bool fell(const ResultRow& row) {
  const std::string kind = row.scene.substr(0, row.scene.find(' '));
  return std::find(std::begin(kStanding), std::end(kStanding), kind) != std::end(kStanding) &&
         std::stod(row.drift) > 0.5;
}

std::vector<Panel> panels_of(const std::vector<ResultRow>& rows) {
  std::vector<Panel> panels;
  for (const ResultRow& row : rows) {
    if (row.settled_ms.empty() || row.mean.empty() || row.threads > 1) continue;
    auto at = std::find_if(panels.begin(), panels.end(),
                           [&](const Panel& p) { return p.scene == row.scene; });
    if (at == panels.end()) at = panels.insert(at, Panel{row.scene, {}});
    const double overlap = std::stod(row.mean);
    if (overlap < 1)
      at->points.push_back({row.name(), std::stod(row.settled_ms), overlap, fell(row)});
  }
  std::erase_if(panels, [](const Panel& p) { return p.points.size() < 3; });
  return panels;
}

std::vector<Panel> chosen(const std::vector<Panel>& panels,
                          const std::vector<std::string>& scenes) {
  if (scenes.empty()) return panels;
  std::vector<Panel> out;
  for (const std::string& scene : scenes)
    std::copy_if(panels.begin(), panels.end(), std::back_inserter(out),
                 [&](const Panel& p) { return p.scene == scene; });
  return out;
}

std::string text(double x, double y, const char* anchor, const std::string& words,
                 const char* more = "") {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' {}>{}</text>\n", x, y, anchor,
                     more, words);
}

std::string line(double x1, double y1, double x2, double y2) {
  return fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#ddd'/>\n", x1,
                     y1, x2, y2);
}

// abut as a larger square, others as discs; hollow where what should stand fell over.
std::string mark(double x, double y, const std::string& engine, const char* colour,
                 bool hollow = false) {
  const std::string paint =
      fmt::format("fill='{}' stroke='{}' stroke-width='1.5'", hollow ? "none" : colour, colour);
  if (engine.starts_with("abut"))
    return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='9' height='9' {}/>\n", x - 4.5, y - 4.5,
                       paint);
  return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.5' {}/>\n", x, y, paint);
}

std::string draw(const Panel& panel, const std::vector<std::string>& names) {
  int low = 9, high = -9;  // decades of ms
  for (const Point& p : panel.points) {
    const double d = std::log10(std::max(p.ms, 1e-5));
    low = std::min(low, static_cast<int>(std::floor(d)));
    high = std::max(high, static_cast<int>(std::floor(d)) + 1);
  }
  const double w = kWidth - kLeft - kRight, h = kHeight - kTop - kBottom;
  const auto px = [&](double d) { return kLeft + w * (d - kLowX) / (kHighX - kLowX); };
  const auto py = [&](double d) { return kTop + h * (high - d) / (high - low); };
  std::string s = text(kLeft + w / 2, 16, "middle", panel.scene, "font-weight='bold'");
  for (int d = kLowX; d <= kHighX; d += 3)
    s += line(px(d), kTop, px(d), kTop + h) +
         text(px(d), kTop + h + 13, "middle", fmt::format("1e{}", d));
  for (int d = low; d <= high; ++d)
    s += line(kLeft, py(d), kLeft + w, py(d)) +
         text(kLeft - 4, py(d) + 4, "end", fmt::format("{:g}", std::pow(10, d)));
  s += text(kLeft + w / 2, kTop + h + 28, "middle", "mean overlap (m)");
  s += fmt::format("<g transform='translate(10 {:.1f}) rotate(-90)'>{}</g>\n", kTop + h / 2,
                   text(0, 0, "middle", "ms a step"));
  for (const Point& p : panel.points) {
    const auto i = std::find(names.begin(), names.end(), p.engine) - names.begin();
    s += mark(px(std::log10(std::clamp(p.overlap, 1e-12, 1.0))),
              py(std::log10(std::max(p.ms, 1e-5))), p.engine,
              kColours[static_cast<std::size_t>(i) % std::size(kColours)], p.fell);
  }
  return s;
}

std::string legend(const std::vector<std::string>& names, double top) {
  std::string s;
  double x = kLeft, y = top;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double wide = 28 + 6.2 * static_cast<double>(names[i].size());
    if (x > kLeft && x + wide > kColumns * kWidth) x = kLeft, y += 18;
    s += mark(x, y - 4, names[i], kColours[i % std::size(kColours)]) +
         text(x + 10, y, "start", names[i]);
    x += wide;
  }
  return s + text(kLeft - 5, y + 18, "start", "hollow: what should stand fell over");
}

}  // namespace

std::string speed_against_overlap(const std::vector<ResultRow>& rows,
                                  const std::vector<std::string>& scenes) {
  const std::vector<Panel> panels = chosen(panels_of(rows), scenes);
  std::vector<std::string> names;
  for (const Panel& panel : panels)
    for (const Point& p : panel.points)
      if (std::find(names.begin(), names.end(), p.engine) == names.end()) names.push_back(p.engine);
  // abut first, black
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& n) { return n.starts_with("abut"); });
  const int down = (static_cast<int>(panels.size()) + kColumns - 1) / kColumns;
  std::string s = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
      "font-family='sans-serif' font-size='11'>\n<rect width='100%' height='100%' "
      "fill='white'/>\n",
      kColumns * kWidth, down * kHeight + 90);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const int k = static_cast<int>(i);
    s += fmt::format("<g transform='translate({} {})'>\n{}</g>\n", k % kColumns * kWidth,
                     k / kColumns * kHeight, draw(panels[i], names));
  }
  return s + legend(names, down * kHeight + 18) + "</svg>\n";
}
