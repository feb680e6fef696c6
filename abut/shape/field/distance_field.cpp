#include "abut/shape/field/distance_field.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "abut/math/index.h"
#include "abut/shape/tolerances.h"

namespace abut {
namespace {

// Levels that all cells are cut to: what is smaller than the points of a large cell would be missed.
constexpr int kLeastDepth = 3;
// Of the distance: what the field may be off by far from the surface.
constexpr double kFarError = 0.25;

// p: place in the cell, each of its numbers between 0 and 1.
double interpolated(const std::array<double, 8>& corner, const Vec3& p) {
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    double weight = 1;
    for (int axis = 0; axis < 3; ++axis) weight *= (k >> axis & 1) != 0 ? p[axis] : 1 - p[axis];
    sum += weight * corner[at(k)];
  }
  return sum;
}

}  // namespace

// Builds cells, breadth first. Corners and samples of neighbours are the same points of a grid, and are asked for
// once.
class FieldBuilder {
 public:
  FieldBuilder(DistanceField& field, const std::function<double(const Vec3&)>& exact,
               const DistanceFieldOptions& options)
      : field_(field), exact_(exact), options_(options), steps_(2 << options.deepest) {}

  void build() {
    field_.cells_.assign(1, {});
    places_.assign(1, {{0, 0, 0}, 0});
    field_.leaves_ = 1;
    for (std::size_t i = 0; i < field_.cells_.size(); ++i) {
      fill(i);
      const bool has_room = places_[i].level < options_.deepest && field_.leaves_ < options_.most;
      const double error = check(i);
      if (has_room && (is_off_ || places_[i].level < least_depth(i)))
        cut(i);
      else
        field_.error_ = std::max(field_.error_, error);
    }
  }

 private:
  struct Place {
    std::array<int, 3> low;  // of the grid
    int level;
  };

  Vec3 point(const std::array<int, 3>& g) const {
    Vec3 x;
    for (int k = 0; k < 3; ++k)
      x[k] = field_.center_[k] + field_.half_ * (2.0 * g[at(k)] / steps_ - 1);
    return x;
  }
  double distance(const std::array<int, 3>& g) {
    const std::uint64_t key = static_cast<std::uint64_t>(g[0]) << 42 |
                              static_cast<std::uint64_t>(g[1]) << 21 |
                              static_cast<std::uint64_t>(g[2]);
    const auto [it, is_new] = known_.try_emplace(key, 0.0);
    if (is_new) it->second = exact_(point(g));
    return it->second;
  }
  int width(int level) const { return steps_ >> level; }
  std::array<int, 3> shifted(const Place& p, int x, int y, int z, int step) const {
    return {p.low[0] + x * step, p.low[1] + y * step, p.low[2] + z * step};
  }

  void fill(std::size_t i) {
    const Place& p = places_[i];
    for (int k = 0; k < 8; ++k)
      field_.cells_[i].corner[at(k)] =
          distance(shifted(p, k & 1, k >> 1 & 1, k >> 2 & 1, width(p.level)));
  }
  // Cells that the surface may pass through are one level finer than the others at least.
  int least_depth(std::size_t i) {
    const Place& p = places_[i];
    const double diagonal = std::sqrt(3.0) * field_.half_ / (1 << p.level);
    const double middle = distance(shifted(p, 1, 1, 1, width(p.level) / 2));
    return std::abs(middle) <= diagonal ? kLeastDepth + 1 : kLeastDepth;
  }
  // The largest error near the surface; is_off_: it, or that far away, is too large.
  double check(std::size_t i) {
    const Place p = places_[i];
    is_off_ = false;
    double largest = 0;
    for (int k = 0; k < 27; ++k) {
      const int x = k % 3, y = k / 3 % 3, z = k / 9;
      if (x != 1 && y != 1 && z != 1) continue;  // a corner
      const double d = distance(shifted(p, x, y, z, width(p.level) / 2));
      const double off = std::abs(interpolated(field_.cells_[i].corner, 0.5 * Vec3(x, y, z)) - d);
      if (off > std::max(options_.error, kFarError * std::abs(d))) is_off_ = true;
      if (std::abs(d) <= 4 * options_.error) largest = std::max(largest, off);
    }
    return largest;
  }
  void cut(std::size_t i) {
    const Place p = places_[i];
    field_.cells_[i].child = static_cast<int>(field_.cells_.size());
    field_.leaves_ += 7;
    field_.depth_ = std::max(field_.depth_, p.level + 1);
    for (int k = 0; k < 8; ++k) {
      field_.cells_.emplace_back();
      places_.push_back(
          {shifted(p, k & 1, k >> 1 & 1, k >> 2 & 1, width(p.level) / 2), p.level + 1});
    }
  }

  DistanceField& field_;
  const std::function<double(const Vec3&)>& exact_;
  const DistanceFieldOptions& options_;
  int steps_;  // of the grid along a side: twice as fine as the smallest cells
  bool is_off_ = false;
  std::vector<Place> places_;
  std::unordered_map<std::uint64_t, double> known_;
};

DistanceField::DistanceField(const Aabb& box, const std::function<double(const Vec3&)>& exact,
                             const DistanceFieldOptions& options)
    : center_(box.center()),
      half_(0.5 * box.extent().maxCoeff() + kFieldMargin * box.extent().norm()) {
  FieldBuilder(*this, exact, options).build();
}

double DistanceField::value(const Vec3& x, long* visits) const {
  Vec3 p = (x - center_) / (2 * half_) + Vec3::Constant(0.5);  // 0 to 1
  const Vec3 inside = p.cwiseMax(0.0).cwiseMin(1.0);
  const double beyond = 2 * half_ * (p - inside).norm();
  p = inside;
  int i = 0;
  for (;;) {
    if (visits) ++*visits;
    const Cell& cell = cells_[at(i)];
    if (cell.child < 0) break;
    int k = 0;
    for (int axis = 0; axis < 3; ++axis) {
      p[axis] *= 2;
      if (p[axis] >= 1) {
        k |= 1 << axis;
        p[axis] -= 1;
      }
    }
    i = cell.child + k;
  }
  const double here = interpolated(cells_[at(i)].corner, p);
  return beyond > 0 ? std::max(beyond, here - beyond) : here;
}

std::vector<double> DistanceField::numbers() const {
  std::vector<double> out{center_.x(), center_.y(), center_.z(),
                          half_,       error_,      static_cast<double>(depth_)};
  for (const Cell& cell : cells_) {
    out.push_back(cell.child);
    if (cell.child < 0) out.insert(out.end(), cell.corner.begin(), cell.corner.end());
  }
  return out;
}

std::optional<DistanceField> DistanceField::from_numbers(std::span<const double> in) {
  constexpr std::size_t kHeader = 6;
  if (in.size() <= kHeader) return {};
  DistanceField field;
  field.center_ = {in[0], in[1], in[2]};
  field.half_ = in[3];
  field.error_ = in[4];
  field.depth_ = static_cast<int>(in[5]);
  for (std::size_t next = kHeader; next < in.size();) {
    Cell& cell = field.cells_.emplace_back();
    cell.child = static_cast<int>(in[next++]);
    if (cell.child >= 0) continue;
    if (in.size() - next < cell.corner.size()) return {};
    for (double& d : cell.corner) d = in[next++];
    ++field.leaves_;
  }
  // children come after their parents, and are there
  const int count = static_cast<int>(field.cells_.size());
  for (int i = 0; i < count; ++i)
    if (const int child = field.cells_[at(i)].child;
        child >= 0 && (child <= i || child + 8 > count))
      return {};
  return field;
}

}  // namespace abut
