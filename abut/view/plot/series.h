// Series and Trail: data of a run of any length for plots, in bounded memory.
//
//   abut::view::Series energy;
//   for (...) energy.add(time, joules);
//   std::vector<abut::Vec2> line = energy.points();   // ascending in x, spikes included
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "abut/math/types.h"

namespace abut::view {

// A function of time. Neighbouring samples share a bucket, which keeps its lowest and its highest
// sample with their times; when the buckets are full, they merge in pairs. So a single extreme
// sample survives a million others, and a short run is stored completely. Non-finite samples are
// ignored.
class Series {
 public:
  explicit Series(std::size_t most_buckets = 2048) : most_(most_buckets) {}

  void add(double x, double y);

  bool empty() const { return buckets_.empty(); }
  double low() const { return low_; }  // of all samples; +infinity if there is none
  double high() const { return high_; }
  double largest() const;  // of |y|; 0 if there is none

  // At most two points for each bucket, and the first and the last sample.
  std::vector<Vec2> points() const;

 private:
  struct Bucket {
    Vec2 low, high;
  };
  std::size_t most_;
  std::int64_t stride_ = 1, in_last_ = 0;  // samples to a bucket, and in the last one
  std::vector<Bucket> buckets_;
  Vec2 first_ = Vec2::Zero(), last_ = Vec2::Zero();
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

// A path in space: every n-th point, n doubling when there are too many; and the last.
class Trail {
 public:
  explicit Trail(std::size_t most_points = 2048) : most_(most_points) {}

  void add(const Vec3& p);
  std::vector<Vec3> points() const;
  std::int64_t stride() const { return stride_; }

 private:
  std::size_t most_;
  std::int64_t stride_ = 1, seen_ = 0;
  std::vector<Vec3> kept_;
  Vec3 last_ = Vec3::Zero();
};

// For drawing at a resolution: at most four points (first, lowest, highest, last) for each
// of `columns` equal steps of x. The line looks the same.
std::vector<Vec2> thin_columns(std::span<const Vec2> line, double x_low, double x_high,
                               int columns);

// Removes the points of a curve that are within `tolerance` of the line through those kept (Ramer,
// Douglas, Peucker).
std::vector<Vec2> thin_curve(std::span<const Vec2> curve, double tolerance);

}  // namespace abut::view
