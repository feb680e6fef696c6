#include "abut/collide/patch/patch_reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "abut/collide/patch/hull_above.h"
#include "abut/collide/patch/tolerances.h"

namespace abut {
namespace {

// Points of a patch in units of its radius and of the range of its gaps.
class Scaled {
 public:
  Scaled(PatchScratch& scratch, const ReduceOptions& options) : places_(scratch.scaled) {
    const std::vector<PatchPoint>& points = scratch.points;
    Vec2 middle = Vec2::Zero();
    double least = std::numeric_limits<double>::infinity(), radius = 0;
    for (const PatchPoint& p : points) {
      middle += Vec2(p.u, p.v) / static_cast<double>(points.size());
      least = std::min(least, p.psi);
    }
    for (const PatchPoint& p : points) radius = std::max(radius, (Vec2(p.u, p.v) - middle).norm());
    const double range = std::max(options.reach - least, kLeastGapRange * options.size);
    const double along = radius > 0 ? 1 / radius : 1, up = range > 0 ? kGapWeight / range : 1;
    places_.clear();
    for (const PatchPoint& p : points)
      places_.emplace_back(along * (p.u - middle.x()), along * (p.v - middle.y()),
                           up * (p.psi - least));
  }
  int count() const { return static_cast<int>(places_.size()); }
  const Vec3& operator[](int i) const { return places_[static_cast<std::size_t>(i)]; }

  // The one farthest from the middle of those that are as deep as any: a corner of a flat patch.
  int deepest() const {
    int best = 0;
    double most = -1;
    for (int i = 0; i < count(); ++i) {
      const Vec3& p = (*this)[i];
      if (p.z() > kPatchTolerance) continue;
      const double far = p.head<2>().squaredNorm();
      if (far <= most * (1 + kOutlineRounding)) continue;
      most = far;
      best = i;
    }
    return best;
  }

 private:
  std::vector<Vec3>& places_;
};

// Points that are kept, and how far the others are from what these imply.
class Selection {
 public:
  Selection(const Scaled& places, std::vector<int>& chosen, std::vector<double>& farthest)
      : places_(places), chosen_(chosen), far_(farthest), hull_(2 * kGapWeight) {
    chosen_.clear();
    far_.assign(static_cast<std::size_t>(places.count()), std::numeric_limits<double>::infinity());
  }

  void choose(int i) {
    chosen_.push_back(i);
    far_[static_cast<std::size_t>(i)] = 0;
    hull_.add(places_[i]);
  }
  bool has(int i) const { return std::find(chosen_.begin(), chosen_.end(), i) != chosen_.end(); }

  // Takes the farthest until none is far or there are `most`; returns how far the farthest is.
  double complete(int most) {
    for (;;) {
      const auto [next, far] = farthest();
      if (far <= kPatchTolerance || static_cast<int>(chosen_.size()) >= most) return far;
      choose(next);
    }
  }

 private:
  struct Farthest {
    int point;
    double far;
  };
  // Distances only shrink as points are chosen: what was near stays so, and is not asked again.
  // What far_ has is an upper bound, and those that cannot be farthest are not made exact.
  Farthest farthest() {
    const auto first = std::max_element(far_.begin(), far_.end());
    Farthest best{static_cast<int>(first - far_.begin()), 0};
    if (*first <= kPatchTolerance) return {best.point, *first};
    best.far = *first = hull_.distance(places_[best.point], kPatchTolerance);
    for (int i = 0; i < places_.count(); ++i) {
      double& far = far_[static_cast<std::size_t>(i)];
      const double more = std::max(best.far * (1 + kOutlineRounding), kPatchTolerance);
      if (far <= more) continue;
      far = hull_.distance(places_[i], more);
      if (far > more) best = {i, far};
    }
    return best;
  }

  const Scaled& places_;
  std::vector<int>& chosen_;
  std::vector<double>& far_;
  HullAbove hull_;
};

// Where the point of this name is, -1: it is not there. Points ascend by their features.
int find_name(const std::vector<PatchPoint>& points, std::uint64_t name) {
  const auto key = [](const PatchPoint& p) { return std::pair(p.a, p.b); };
  const std::pair wanted(static_cast<std::int32_t>(name >> 32),
                         static_cast<std::int32_t>(name & 0xffffffffu));
  const auto it = std::lower_bound(points.begin(), points.end(), wanted,
                                   [&](const PatchPoint& p, const auto& k) { return key(p) < k; });
  return it != points.end() && key(*it) == wanted ? static_cast<int>(it - points.begin()) : -1;
}

// From the points that were kept before; infinite: none of them is there.
double keep_again(PatchScratch& scratch, const Scaled& places, const ReduceOptions& options) {
  Selection selection(places, scratch.chosen_again, scratch.farthest);
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint64_t name : options.kept_before) {
    const int i = find_name(scratch.points, name);
    if (i < 0 || selection.has(i)) continue;
    if (static_cast<int>(scratch.chosen_again.size()) == options.most) break;
    selection.choose(i);
    least = std::min(least, places[i].z());
  }
  if (scratch.chosen_again.empty()) return least;
  // the deepest first; without room for it, its gap counts as any other does
  if (least > kPatchTolerance && static_cast<int>(scratch.chosen_again.size()) < options.most)
    selection.choose(places.deepest());
  return selection.complete(options.most);
}

}  // namespace

double keep_few(PatchScratch& scratch, const ReduceOptions& options) {
  const Scaled places(scratch, options);
  double error = keep_again(scratch, places, options);
  if (error <= kPatchTolerance) {
    std::swap(scratch.chosen, scratch.chosen_again);
  } else {
    Selection fresh(places, scratch.chosen, scratch.farthest);
    fresh.choose(places.deepest());
    const double least = fresh.complete(options.most);
    if (error <= kKeepPoints * least)
      std::swap(scratch.chosen, scratch.chosen_again);
    else
      error = least;
  }
  std::vector<int>& chosen = scratch.chosen;
  std::sort(chosen.begin(), chosen.end());
  std::vector<PatchPoint>& points = scratch.points;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    points[k] = points[static_cast<std::size_t>(chosen[k])];
  points.resize(chosen.size());
  return error;
}

}  // namespace abut
