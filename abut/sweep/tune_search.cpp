#include "abut/sweep/tune_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {

TuneSearch::TuneSearch(int dimensions, std::uint64_t seed, int spread)
    : dimensions_(dimensions),
      spread_(spread),
      random_(seed),
      best_cost_(std::numeric_limits<double>::infinity()) {
  for (int k = 0; k < dimensions; ++k) shift_.push_back(random_.uniform(0, 1));
}

// Multiples of 1/g, 1/g^2 .. modulo 1, with g^(n + 1) = g + 1.
TuneSearch::Point TuneSearch::spread_point() {
  double g = 2;
  for (int i = 0; i < 40; ++i) g = std::pow(1 + g, 1.0 / (dimensions_ + 1));
  Point x;
  ++count_;
  for (int k = 0; k < dimensions_; ++k) {
    const double y = shift_[static_cast<std::size_t>(k)] + count_ * std::pow(g, -(k + 1));
    x.push_back(y - std::floor(y));
  }
  return x;
}

TuneSearch::Point TuneSearch::near_point() {
  Point x = best_;
  for (double& y : x) y = std::clamp(y + random_.uniform(-width_, width_), 0.0, 1.0);
  return x;
}

std::vector<TuneSearch::Point> TuneSearch::next() {
  std::vector<Point> points;
  while (static_cast<int>(points.size()) < kBatch)
    points.push_back(spreads() || best_.empty() ? spread_point() : near_point());
  return points;
}

void TuneSearch::tell(const std::vector<Point>& points, const std::vector<double>& costs) {
  const double before = best_cost_;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(costs[i] < best_cost_)) continue;
    best_cost_ = costs[i];
    best_ = points[i];
  }
  if (!spreads()) width_ *= best_cost_ < before ? 1.25 : 0.6;
  width_ = std::min(width_, 0.5);
}

}  // namespace abut
