#include "abut/view/plot/series.h"

#include <algorithm>
#include <cmath>

namespace abut::view {

void Series::add(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  const Vec2 p(x, y);
  if (buckets_.empty()) first_ = p;
  last_ = p;
  low_ = std::min(low_, y);
  high_ = std::max(high_, y);

  if (!buckets_.empty() && in_last_ < stride_) {
    Bucket& b = buckets_.back();
    if (y < b.low.y()) b.low = p;
    if (y > b.high.y()) b.high = p;
    ++in_last_;
    return;
  }
  if (buckets_.size() == most_) {
    // merge in pairs
    for (std::size_t i = 0; i < buckets_.size(); i += 2) {
      Bucket merged = buckets_[i];
      if (i + 1 < buckets_.size()) {
        const Bucket& next = buckets_[i + 1];
        if (next.low.y() < merged.low.y()) merged.low = next.low;
        if (next.high.y() > merged.high.y()) merged.high = next.high;
      }
      buckets_[i / 2] = merged;
    }
    buckets_.resize((buckets_.size() + 1) / 2);
    stride_ *= 2;
  }
  buckets_.push_back({p, p});
  in_last_ = 1;
}

double Series::largest() const {
  return buckets_.empty() ? 0 : std::max(std::abs(low_), std::abs(high_));
}

std::vector<Vec2> Series::points() const {
  std::vector<Vec2> out;
  out.reserve(2 * buckets_.size() + 2);
  auto push = [&](const Vec2& p) {
    if (out.empty() || p.x() > out.back().x()) out.push_back(p);
  };
  if (!buckets_.empty()) push(first_);
  for (const Bucket& b : buckets_) {
    const bool low_first = b.low.x() <= b.high.x();
    push(low_first ? b.low : b.high);
    push(low_first ? b.high : b.low);
  }
  if (!buckets_.empty()) push(last_);
  return out;
}

void Trail::add(const Vec3& p) {
  if (!p.allFinite()) return;
  if (seen_ % stride_ == 0) {
    if (kept_.size() == most_) {
      for (std::size_t i = 0; 2 * i < kept_.size(); ++i) kept_[i] = kept_[2 * i];
      kept_.resize((kept_.size() + 1) / 2);
      stride_ *= 2;
    }
    if (seen_ % stride_ == 0) kept_.push_back(p);
  }
  last_ = p;
  ++seen_;
}

std::vector<Vec3> Trail::points() const {
  std::vector<Vec3> out = kept_;
  if (seen_ > 0 && out.back() != last_) out.push_back(last_);
  return out;
}

std::vector<Vec2> thin_columns(std::span<const Vec2> line, double x_low, double x_high,
                               int columns) {
  if (line.size() <= 4 || !(x_high > x_low)) return {line.begin(), line.end()};
  const double per_x = columns / (x_high - x_low);
  auto column = [&](const Vec2& p) { return std::floor((p.x() - x_low) * per_x); };
  std::vector<Vec2> out;
  for (std::size_t begin = 0; begin < line.size();) {
    std::size_t end = begin, low = begin, high = begin;
    for (; end < line.size() && column(line[end]) == column(line[begin]); ++end) {
      if (line[end].y() < line[low].y()) low = end;
      if (line[end].y() > line[high].y()) high = end;
    }
    std::size_t keep[] = {begin, std::min(low, high), std::max(low, high), end - 1};
    const std::size_t* kept = std::unique(keep, keep + 4);
    for (const std::size_t* k = keep; k != kept; ++k) out.push_back(line[*k]);
    begin = end;
  }
  return out;
}

std::vector<Vec2> thin_curve(std::span<const Vec2> curve, double tolerance) {
  if (curve.size() <= 2) return {curve.begin(), curve.end()};
  std::vector<char> keep(curve.size(), 0);
  keep.front() = keep.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> spans{{0, curve.size() - 1}};
  while (!spans.empty()) {
    const auto [a, b] = spans.back();
    spans.pop_back();
    const Vec2 along = curve[b] - curve[a];
    const double length2 = along.squaredNorm();
    double farthest = tolerance * tolerance;
    std::size_t at = 0;
    for (std::size_t i = a + 1; i < b; ++i) {
      const Vec2 r = curve[i] - curve[a];
      const double s = length2 > 0 ? std::clamp(r.dot(along) / length2, 0.0, 1.0) : 0;
      if (const double d = (r - s * along).squaredNorm(); d > farthest) farthest = d, at = i;
    }
    if (at == 0) continue;
    keep[at] = 1;
    spans.emplace_back(a, at);
    spans.emplace_back(at, b);
  }
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < curve.size(); ++i)
    if (keep[i]) out.push_back(curve[i]);
  return out;
}

}  // namespace abut::view
