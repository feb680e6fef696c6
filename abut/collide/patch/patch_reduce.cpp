#include "abut/collide/patch/patch_reduce.h"

#include <algorithm>
#include <limits>

namespace abut {
namespace {

// Twice the signed area of a triangle.
double doubled_area(const PatchPoint& a, const PatchPoint& b, const PatchPoint& c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

double squared_distance(const PatchPoint& a, const PatchPoint& b) {
  return (a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v);
}

// Of the indices not yet chosen, the one with the largest value; -1 if none is left.
template <class Value>
int best_left(const std::vector<int>& chosen, std::size_t count, Value value) {
  int best = -1;
  double most = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(count); ++i) {
    if (std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
    // a point must be better by more than rounding to come before an earlier one
    const double v = value(i);
    if (best >= 0 && v <= most + 1e-9 * std::abs(most)) continue;
    most = v;
    best = i;
  }
  return best;
}

}  // namespace

void keep_extremes(PatchScratch& scratch, int most) {
  std::vector<PatchPoint>& points = scratch.points;
  std::vector<int>&chosen = scratch.chosen, &ring = scratch.ring;
  const auto point = [&](int i) -> const PatchPoint& {
    return points[static_cast<std::size_t>(i)];
  };
  chosen.clear();
  ring.clear();  // the convex polygon that the chosen ones span, counter-clockwise

  // what a convex polygon gains by a point outside: the triangles over the sides it sees
  const auto gain = [&](int i) {
    double sum = 0;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const int next = ring[k + 1 < ring.size() ? k + 1 : 0];
      sum += std::max(0.0, -doubled_area(point(ring[k]), point(next), point(i)));
    }
    return sum;
  };
  // in place of the sides it sees come two to the new point
  const auto span_with = [&](int i) {
    const std::size_t count = ring.size();
    const auto sees = [&](std::size_t k) {
      return doubled_area(point(ring[k]), point(ring[k + 1 < count ? k + 1 : 0]), point(i)) < 0;
    };
    std::size_t first = count;
    for (std::size_t k = 0; k < count; ++k)
      if (sees(k) && !sees(k > 0 ? k - 1 : count - 1)) first = k;
    if (first == count) return;
    std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(first), ring.end());
    std::size_t seen = 1;
    while (seen < count && sees(seen)) ++seen;
    ring.erase(ring.begin() + 1, ring.begin() + static_cast<std::ptrdiff_t>(seen));
    ring.insert(ring.begin() + 1, i);
  };

  const std::size_t count = points.size();
  const int deepest = best_left(chosen, count, [&](int i) { return -point(i).psi; });
  chosen.push_back(deepest);
  while (static_cast<int>(chosen.size()) < most) {
    int next = -1;
    if (chosen.size() == 1) {
      next = best_left(chosen, count,
                       [&](int i) { return squared_distance(point(deepest), point(i)); });
    } else if (ring.empty()) {
      const PatchPoint &p = point(deepest), &q = point(chosen[1]);
      next =
          best_left(chosen, count, [&](int i) { return std::abs(doubled_area(p, q, point(i))); });
      if (next >= 0) {
        ring.assign({deepest, chosen[1], next});
        if (doubled_area(p, q, point(next)) < 0) std::swap(ring[1], ring[2]);
      }
    } else {
      next = best_left(chosen, count, gain);
      if (next >= 0) span_with(next);
    }
    if (next < 0) break;
    chosen.push_back(next);
  }

  std::sort(chosen.begin(), chosen.end());
  for (std::size_t k = 0; k < chosen.size(); ++k) points[k] = point(chosen[k]);
  points.resize(chosen.size());
}

}  // namespace abut
