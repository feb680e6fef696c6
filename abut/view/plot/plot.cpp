#include "abut/view/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/view/page/markup.h"
#include "abut/view/plot/series.h"
#include "abut/view/plot/ticks.h"

namespace abut::view {

namespace {

constexpr double kLetter = 7.4;  // generous width of a letter of the legend (px)
constexpr double kLegendRow = 17;
constexpr std::size_t kLongestName = 24, kLongestShare = 60;  // letters in a legend

std::string colour_class(int colour) {
  return colour == kFaint ? "faint" : fmt::format("c{}", colour % kColours);
}

// Cut at a character, not inside one.
std::string shortened(const std::string& name, std::size_t longest) {
  auto starts = [](char c) { return (c & 0xC0) != 0x80; };
  if (static_cast<std::size_t>(std::count_if(name.begin(), name.end(), starts)) <= longest)
    return name;
  std::size_t at = 0;
  for (std::size_t seen = 0; at < name.size(); ++at)
    if (starts(name[at]) && ++seen == longest) break;
  return name.substr(0, at) + "…";
}

struct Interval {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double x) { low = std::min(low, x), high = std::max(high, x); }
  double extent() const { return high - low; }
};

// From data to the picture.
struct Frame {
  double left = 0, top = 0, right = 0, bottom = 0;  // px
  Interval x, y;
  double px(double u) const { return left + (u - x.low) / x.extent() * (right - left); }
  double py(double v) const { return bottom - (v - y.low) / y.extent() * (bottom - top); }
};

// A path in tenths of a pixel, relative, hence short: <g transform="scale(.1)"> undoes it.
std::string path_of(const std::vector<Vec2>& points, const Frame& f, bool closed) {
  std::string d;
  long last_x = 0, last_y = 0;
  // points far outside the picture are clamped
  auto tenths = [](double px) { return std::lround(10 * std::clamp(px, -1e4, 1e4)); };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const long x = tenths(f.px(points[i].x())), y = tenths(f.py(points[i].y()));
    if (i == 0)
      d += fmt::format("M{} {}l0 0", x, y);
    else if (x != last_x || y != last_y)
      d += fmt::format(" {} {}", x - last_x, y - last_y);
    last_x = x, last_y = y;
  }
  if (closed) d += "z";
  return d;
}

struct Legend {
  std::string svg;
  double height = 0;
};

Legend draw_legend(const std::vector<std::pair<std::string, int>>& entries, std::size_t longest,
                   double left, double top, double right) {
  Legend legend;
  double x = left, y = top;
  for (const auto& [name, colour] : entries) {
    const std::string shown = shortened(name, longest);
    const auto letters = static_cast<double>(
        std::count_if(shown.begin(), shown.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    const double width = 24 + kLetter * letters + 12;
    if (x > left && x + width > right) x = left, y += kLegendRow;
    legend.svg += fmt::format(
        R"svg(<g transform="translate({:.0f} {:.0f})"><g transform="scale(.1)"><path class="line {}" d="M0 -40h180"/></g>)svg"
        R"svg(<text class="key" x="23" y="0">{}{}</text></g>)svg"
        "\n",
        x, y, colour_class(colour), shown == name ? "" : "<title>" + escape(name) + "</title>",
        escape(shown));
    x += width;
  }
  legend.height = entries.empty() ? 0 : y - top + kLegendRow;
  return legend;
}

std::string axis_title(const Axis& axis, const Ticks& ticks) {
  std::string unit = axis.unit;
  if (ticks.exponent != 0) unit = power_of_ten(ticks.exponent) + (unit.empty() ? "" : " " + unit);
  std::string title = axis.name;
  if (!unit.empty()) title += " (" + unit + ")";
  if (ticks.offset != 0)
    title += (ticks.offset < 0 ? " − " : " + ") + number(std::abs(ticks.offset), 9);
  return title;
}

// The range of the data, in round numbers where the plot may choose.
void set_ranges(const Plot& plot, Frame& f) {
  Interval x, y;
  for (const Line& line : plot.lines)
    for (const Vec2& p : line.points) x.take(p.x()), y.take(p.y());
  for (const Area& area : plot.areas)
    if (area.sets_range)
      for (const Vec2& p : area.outline) x.take(p.x()), y.take(p.y());
  if (!(x.extent() >= 0)) x = {0, 1}, y = {0, 1};

  if (plot.equal_scale) {
    // the scale that fits both axes, with a margin; the remaining space is divided between both
    // sides
    const double size =
        std::max({x.extent(), y.extent(), 1e-9 * std::abs(x.high), 1e-9 * std::abs(y.high), 1e-12});
    const double scale =
        std::max({x.extent() / (f.right - f.left), y.extent() / (f.bottom - f.top), 1e-3 * size}) *
        1.1;
    const double half_x = scale * (f.right - f.left) / 2, half_y = scale * (f.bottom - f.top) / 2;
    const double cx = (x.low + x.high) / 2, cy = (y.low + y.high) / 2;
    f.x = {cx - half_x, cx + half_x};
    f.y = {cy - half_y, cy + half_y};
    return;
  }
  if (!(x.extent() > 0)) x.low -= 0.5, x.high += 0.5;
  widen_to_ticks(y.low, y.high, 7);
  f.x = x;
  f.y = y;
}

std::string draw_axes(const Plot& plot, const Frame& f) {
  Ticks tx = nice_ticks(f.x.low, f.x.high, 9),
        ty = nice_ticks(f.y.low, f.y.high, plot.equal_scale ? 8 : 7);
  // a grid of squares
  if (plot.equal_scale && tx.step > ty.step) tx = ticks_by_step(f.x.low, f.x.high, ty.step);
  if (plot.equal_scale && ty.step > tx.step) ty = ticks_by_step(f.y.low, f.y.high, tx.step);
  std::string out;
  for (const double v : ty.at)
    out += fmt::format(
        R"svg(<path class="{}" d="M{:.1f} {:.1f}H{:.1f}"/><text class="tick" text-anchor="end" x="{:.1f}" y="{:.1f}">{}</text>)svg"
        "\n",
        v == 0 && !plot.equal_scale ? "zero" : "grid", f.left, f.py(v), f.right, f.left - 7,
        f.py(v) + 4, ty.label(v));
  for (const double u : tx.at)
    out += fmt::format(
        R"svg(<path class="{}" d="M{:.1f} {:.1f}V{:.1f}"/><text class="tick" text-anchor="middle" x="{:.1f}" y="{:.1f}">{}</text>)svg"
        "\n",
        plot.equal_scale ? "grid" : "mark", f.px(u), f.bottom,
        plot.equal_scale ? f.top : f.bottom + 4, f.px(u), f.bottom + 17, tx.label(u));
  if (!plot.equal_scale)
    out += fmt::format(R"svg(<path class="base" d="M{:.1f} {:.1f}H{:.1f}"/>)svg", f.left, f.bottom,
                       f.right);
  out += fmt::format(R"svg(<text class="axis" x="{:.1f}" y="{:.1f}">{}</text>)svg", 2.0, f.top - 14,
                     escape(axis_title(plot.y, ty)));
  out += fmt::format(R"svg(<text class="axis" text-anchor="end" x="{:.1f}" y="{:.1f}">{}</text>)svg"
                     "\n",
                     f.right, f.bottom + 33, escape(axis_title(plot.x, tx)));
  return out;
}

// Whether a line oscillates so often that it would hide all others.
bool is_dense(const std::vector<Vec2>& points, const Frame& f) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    length += std::hypot(f.px(points[i].x()) - f.px(points[i - 1].x()),
                         f.py(points[i].y()) - f.py(points[i - 1].y()));
  return length > 25 * (f.right - f.left);
}

std::string draw_lines(const Plot& plot, const Frame& f) {
  std::string out = R"svg(<g transform="scale(.1)">)svg";
  for (const Area& area : plot.areas)
    out += fmt::format(R"svg(<path class="{} {}" d="{}"/>)svg"
                       "\n",
                       area.hollow ? "ghost" : "area", colour_class(area.colour),
                       path_of(area.outline, f, true));
  std::string ends;
  for (const Line& line : plot.lines) {
    if (line.points.empty()) continue;
    const double pixel = f.x.extent() / (f.right - f.left);
    const std::vector<Vec2> points =
        plot.equal_scale
            ? thin_curve(line.points, 0.15 * pixel)
            : thin_columns(line.points, f.x.low, f.x.high, static_cast<int>(f.right - f.left));
    out += fmt::format(R"svg(<path class="line {}{}" data-name="{}" d="{}"/>)svg"
                       "\n",
                       colour_class(line.colour), is_dense(points, f) ? " dense" : "",
                       escape(line.name), path_of(points, f, false));
    if (!line.ends && points.size() > 1) continue;
    const Vec2 &a = points.front(), &b = points.back();
    ends += fmt::format(
        R"svg(<circle class="start {0}" cx="{1:.1f}" cy="{2:.1f}" r="3.5"/><circle class="end {0}" cx="{3:.1f}" cy="{4:.1f}" r="3.5"/>)svg",
        colour_class(line.colour), f.px(a.x()), f.py(a.y()), f.px(b.x()), f.py(b.y()));
  }
  return out + "</g>\n" + ends;
}

std::string draw_levels(const Plot& plot, const Frame& f) {
  std::string out;
  for (const Level& level : plot.levels)
    if (level.y >= f.y.low && level.y <= f.y.high)
      out += fmt::format(
          R"svg(<path class="level" d="M{0:.1f} {1:.1f}H{2:.1f}"/><text class="tick" text-anchor="end" x="{3:.1f}" y="{4:.1f}">{5}</text>)svg",
          f.left, f.py(level.y), f.right, f.right - 4, f.py(level.y) + 13, escape(level.name));
  return out;
}

}  // namespace

std::string to_svg(const Plot& plot) {
  std::vector<std::pair<std::string, int>> entries;
  for (const Line& line : plot.lines)
    if (line.colour != kFaint && !line.name.empty()) entries.emplace_back(line.name, line.colour);
  if (entries.size() == 1 && entries[0].first == plot.y.name) entries.clear();
  const Legend legend = draw_legend(entries, kLongestName, 2, 40, plot.width - 2);

  Frame f;
  f.left = 52;
  f.right = plot.width - 14;
  f.top = 40 + legend.height + 18;
  f.bottom = plot.height - 38;
  set_ranges(plot, f);

  std::string out = fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {:g} {:g}" role="img" aria-label="{}" )svg"
      R"svg(data-frame="{:.1f} {:.1f} {:.1f} {:.1f}" data-range="{} {} {} {}" data-axes="{}|{}|{}|{}"{}>)svg"
      "\n",
      plot.width, plot.height, escape(plot.title), f.left, f.top, f.right, f.bottom, f.x.low,
      f.x.high, f.y.low, f.y.high, escape(plot.x.name), escape(plot.x.unit), escape(plot.y.name),
      escape(plot.y.unit), plot.equal_scale ? R"svg( data-plane="1")svg" : "");
  out += fmt::format(R"svg(<text class="title" x="2" y="18">{}</text>)svg"
                     "\n",
                     escape(plot.title));
  out += legend.svg;
  out += draw_axes(plot, f);
  // an svg inside the svg clips, and needs no id as a clipPath does
  out += fmt::format(
      R"svg(<svg x="{0:.1f}" y="{1:.1f}" width="{2:.1f}" height="{3:.1f}" viewBox="{0:.1f} {1:.1f} {2:.1f} {3:.1f}">)svg"
      "\n",
      f.left - 4, f.top - 4, f.right - f.left + 8, f.bottom - f.top + 8);
  out += draw_levels(plot, f);
  out += draw_lines(plot, f);
  return out + "</svg></svg>\n";
}

std::string share_bar(std::string_view title, const std::vector<Share>& shares, double width) {
  double whole = 0;
  std::vector<std::pair<std::string, int>> entries;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    whole += shares[i].amount;
    entries.emplace_back(shares[i].name + "  " + shares[i].text, static_cast<int>(i));
  }
  const Legend legend = draw_legend(entries, kLongestShare, 2, 72, width - 2);
  std::string out = fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {:g} {:g}" role="img" aria-label="{}"><text class="title" x="2" y="18">{}</text>)svg"
      "\n",
      width, 72 + legend.height, escape(title), escape(title));
  double x = 2;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double w = whole > 0 ? shares[i].amount / whole * (width - 4) : 0;
    if (w > 0)
      out += fmt::format(
          R"svg(<rect class="share {}" x="{:.1f}" y="30" width="{:.1f}" height="22"/>)svg",
          colour_class(static_cast<int>(i)), x, std::max(0.5, w - 1));
    x += w;
  }
  return out + legend.svg + "</svg>\n";
}

std::string standalone_svg(const Plot& plot) {
  std::string svg = to_svg(plot);
  // in a page the style comes from the page
  const auto end = svg.find('>');
  if (end == std::string::npos) return svg;
  svg.insert(end + 1, fmt::format("<style>{}</style>", plot_style()));
  if (svg.find("xmlns=") == std::string::npos || svg.find("xmlns=") > end)
    svg.insert(svg.find("<svg") + 4, " xmlns=\"http://www.w3.org/2000/svg\"");
  return svg;
}

}  // namespace abut::view
