// The ticks of an axis and their labels.
#pragma once

#include <string>
#include <vector>

namespace abut::view {

// Round numbers (1, 2 or 5 times a power of ten) that divide a range. The labels are (at - offset)
// / 10^exponent. The offset is nonzero if the numbers are so similar that labels would need too
// many digits; the exponent if they are very large or very small.
struct Ticks {
  double step = 1;
  std::vector<double> at;  // ascending
  double offset = 0;
  int exponent = 0;

  std::string label(double x) const;
};

// Ticks within [low, high], about `most` of them and never more.
Ticks nice_ticks(double low, double high, int most);
// The same with a given step, for example of another axis. A step that is too fine is enlarged.
Ticks ticks_by_step(double low, double high, double step);

// Widens a range for drawing: to its next ticks if they are near, else by a little. A range of zero
// length gets some.
void widen_to_ticks(double& low, double& high, int most);

}  // namespace abut::view
