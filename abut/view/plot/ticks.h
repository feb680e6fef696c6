// Where an axis has its ticks, and what it writes beside them.
#pragma once

#include <string>
#include <vector>

namespace abut::view {

// Round numbers (1, 2 or 5 times a power of ten) that divide a range. The labels are
// (at - offset) / 10^exponent: the offset is not 0 when the numbers are so alike that labels
// would need too many digits, the exponent when they are very large or very small.
struct Ticks {
  double step = 1;
  std::vector<double> at;  // ascending
  double offset = 0;
  int exponent = 0;

  std::string label(double x) const;
};

// Ticks within [low, high], about `most` of them and never more.
Ticks nice_ticks(double low, double high, int most);
// The same with a given step, as of another axis. A step that is too fine is made larger.
Ticks ticks_by_step(double low, double high, double step);

// Widens a range for drawing: to its next ticks if they are near, else by a little. One
// without extent gets some.
void widen_to_ticks(double& low, double& high, int most);

}  // namespace abut::view
