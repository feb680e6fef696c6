// Lines over logarithmic axes, several charts beside each other in one SVG picture that
// needs no style sheet, for the documentation.
#pragma once

#include <string>
#include <utility>
#include <vector>

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  // > 0
};

struct Chart {
  std::string title, x, y;
  std::vector<ChartLine> lines;  // one of the same name has the same colour in all charts
};

// Columns of charts, all with the same range.
std::string to_svg(const std::vector<Chart>& charts, int columns = 3);
