// Plot: lines over an axis, or curves in a plane, as an SVG picture.
//
//   abut::view::Plot plot;
//   plot.title = "Energy";
//   plot.x = {"time", "s"};
//   plot.y = {"energy", "J"};
//   plot.lines.push_back({"kinetic", series.points()});
//   page += to_svg(plot);
//
// The picture is drawn with CSS classes; a page that holds plots has plot_style() in a
// <style> and, for values under the mouse, plot_script() in a <script>.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/math/types.h"

namespace abut::view {

// Lines take one of eight colours (of Okabe and Ito, distinguishable by colour-blind readers), the
// last four dashed over an axis; kFaint is a thin grey line without an entry in the legend.
inline constexpr int kColours = 8;
inline constexpr int kFaint = -1;

struct Axis {
  std::string name, unit;  // "energy", "J"; no unit: ""
};

struct Line {
  std::string name;
  std::vector<Vec2> points;  // x ascending, unless the plot is of equal scale
  int colour = 0;
  bool ends = false;  // mark the start by a ring and the end by a dot
};

// A filled outline behind the lines.
struct Area {
  std::vector<Vec2> outline;
  int colour = kFaint;
  bool hollow = false;     // a dotted outline instead
  bool sets_range = true;  // else it is clipped to the view
};

// A value to compare with: a line from side to side. It does not set the range.
struct Level {
  double y = 0;
  std::string name;
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Area> areas;  // first: at the back
  std::vector<Line> lines;
  std::vector<Level> levels;
  bool equal_scale = false;  // equal scale of x and y; lines are curves
  double width = 540, height = 300;
};

std::string to_svg(const Plot& plot);
// With its style, as a file of its own.
std::string standalone_svg(const Plot& plot);

// Shares of a whole: one bar, with a legend. Shares of 0 are left out of the bar.
struct Share {
  std::string name;
  double amount = 0;
  std::string text;  // beside the name in the legend: "1.2 ms (40 %)"
};
std::string share_bar(std::string_view title, const std::vector<Share>& shares,
                      double width = 1100);

std::string_view plot_style();
std::string_view plot_script();

}  // namespace abut::view
