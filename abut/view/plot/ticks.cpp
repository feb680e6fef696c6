#include "abut/view/plot/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abut::view {

namespace {

// The smallest of 1, 2, 5 times a power of ten that is at least x.
double round_up(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  for (const double m : {1.0, 2.0, 5.0})
    if (m * power >= x * (1 - 1e-9)) return m * power;
  return 10 * power;
}

// Makes sure that low < high, by more than rounding could fill with noise.
void give_extent(double& low, double& high) {
  if (!std::isfinite(low) || !std::isfinite(high)) low = high = 0;
  if (low > high) std::swap(low, high);
  const double size = std::max(std::abs(low), std::abs(high));
  if (size < 1e-300) {
    low = -1, high = 1;
  } else if (high - low < 1e-9 * size) {
    low -= 1e-3 * size, high += 1e-3 * size;
  }
}

}  // namespace

Ticks nice_ticks(double low, double high, int most) {
  give_extent(low, high);
  // a range of n steps can have n + 1 ticks
  return ticks_by_step(low, high, round_up((high - low) / std::max(1, most - 1)));
}

Ticks ticks_by_step(double low, double high, double step) {
  give_extent(low, high);
  Ticks t;
  t.step = std::max(step, round_up((high - low) / 50));
  const double first = std::ceil(low / t.step - 1e-6), last = std::floor(high / t.step + 1e-6);
  // + 0.0: never the label "-0"
  for (double i = first; i <= last; ++i) t.at.push_back(i * t.step + 0.0);

  const double size = std::max(std::abs(low), std::abs(high));
  if (size > 2e4 * t.step && !t.at.empty()) t.offset = t.at.front();
  const double shown = t.offset != 0 ? high - low : size;
  const int exponent = static_cast<int>(std::floor(std::log10(shown) + 1e-9));
  if (exponent >= 4 || exponent <= -3)
    t.exponent = 3 * static_cast<int>(std::floor(exponent / 3.0));
  return t;
}

std::string Ticks::label(double x) const {
  const double factor = std::pow(10, -exponent);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step * factor) + 1e-9)));
  std::string s = fmt::format("{:.{}f}", (x - offset) * factor, decimals);
  if (s.find_first_not_of("-0.") == std::string::npos) return "0";
  if (s[0] == '-') s.replace(0, 1, "\u2212");
  return s;
}

void widen_to_ticks(double& low, double& high, int most) {
  give_extent(low, high);
  const double step = nice_ticks(low, high, most).step;
  const double tick_below = std::floor(low / step + 1e-6) * step;
  const double tick_above = std::ceil(high / step - 1e-6) * step;
  // a tick that is far away would leave a part of the picture empty
  low = low - tick_below < 0.5 * step ? tick_below : low - 0.1 * step;
  high = tick_above - high < 0.5 * step ? tick_above : high + 0.1 * step;
}

}  // namespace abut::view
