#include "abut/shape/merge_facets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace abut {
namespace {

using Loops = std::vector<std::vector<int>>;

// Starts every loop at its lowest id, and sorts the loops.
void make_canonical(Loops& loops) {
  for (auto& loop : loops)
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  std::sort(loops.begin(), loops.end());
}

// Which facet is across each edge of each facet. Flat arrays and one sort: hulls have millions of
// edges.
class EdgeTable {
 public:
  explicit EdgeTable(const Loops& facets) {
    std::vector<Side> sides;
    begin_.push_back(0);
    for (int f = 0; f < static_cast<int>(facets.size()); ++f) {
      const auto& loop = facets[f];
      for (int k = 0; k < static_cast<int>(loop.size()); ++k) {
        const int a = loop[k], b = loop[(k + 1) % loop.size()];
        sides.push_back({std::min(a, b), std::max(a, b), a < b, f, begin_.back() + k});
      }
      begin_.push_back(begin_.back() + static_cast<int>(loop.size()));
    }
    std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
      return std::tie(x.low, x.high, x.up) < std::tie(y.low, y.high, y.up);
    });
    across_.resize(sides.size());
    closed_ = sides.size() % 2 == 0;
    for (std::size_t i = 0; i + 1 < sides.size() && closed_; i += 2) {
      const Side &x = sides[i], &y = sides[i + 1];
      const bool third =
          i + 2 < sides.size() && sides[i + 2].low == x.low && sides[i + 2].high == x.high;
      closed_ = x.low == y.low && x.high == y.high && !x.up && y.up && !third;
      across_[static_cast<std::size_t>(x.place)] = y.facet;
      across_[static_cast<std::size_t>(y.place)] = x.facet;
    }
  }
  // Every edge has two facets, which run along it in opposite directions.
  bool closed() const { return closed_; }
  // Across edge k of facet f.
  int across(int f, int k) const { return across_[static_cast<std::size_t>(begin_[f] + k)]; }

  // visit(k, a, b) for each edge k of a loop, from a to b.
  template <typename Visit>
  static void for_each_edge(const std::vector<int>& loop, Visit visit) {
    for (std::size_t k = 0; k < loop.size(); ++k)
      visit(static_cast<int>(k), loop[k], loop[(k + 1) % loop.size()]);
  }

 private:
  struct Side {
    int low, high;  // vertices of the edge
    bool up;        // the facet runs from low to high
    int facet, place;
  };
  std::vector<int> begin_;   // of each facet's edges
  std::vector<int> across_;  // facets
  bool closed_ = true;
};

// A plane that is fitted to facets as they are added, each weighted by its area: the first, largest
// facet dominates, and thin facets cannot tilt the plane.
class GrowingPlane {
 public:
  GrowingPlane(std::span<const Vec3> points, double tolerance)
      : points_(points), tolerance_(tolerance) {}

  static Vec3 area_vector(std::span<const Vec3> points, const std::vector<int>& loop) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 2; k < loop.size(); ++k) {
      sum += (points[loop[k - 1]] - points[loop[0]]).cross(points[loop[k]] - points[loop[0]]);
    }
    return 0.5 * sum;
  }

  void add(const std::vector<int>& loop) {
    const Vec3 vector = area_vector(points_, loop);
    Vec3 mean = Vec3::Zero();
    for (const int v : loop) mean += points_[v] / static_cast<double>(loop.size());
    area_vector_ += vector;
    area_ += vector.norm();
    area_mean_ += vector.norm() * mean;
  }
  bool holds(const std::vector<int>& loop) const {
    if (!(area_ > 0)) return false;
    const Vec3 eta = area_vector_.normalized(), origin = area_mean_ / area_;
    return std::all_of(loop.begin(), loop.end(),
                       [&](int v) { return std::abs(eta.dot(points_[v] - origin)) <= tolerance_; });
  }

 private:
  std::span<const Vec3> points_;
  double tolerance_;
  Vec3 area_vector_ = Vec3::Zero(), area_mean_ = Vec3::Zero();
  double area_ = 0;
};

// Grows regions from the largest facets; gives the region of each facet and their number.
std::pair<std::vector<int>, int> find_regions(std::span<const Vec3> points, const Loops& facets,
                                              const EdgeTable& edges, double tolerance) {
  std::vector<double> area;
  for (const auto& loop : facets) area.push_back(GrowingPlane::area_vector(points, loop).norm());
  std::vector<int> order(facets.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return area[a] > area[b]; });

  std::vector<int> region(facets.size(), -1);
  int count = 0;
  for (const int seed : order) {
    if (region[seed] >= 0) continue;
    region[seed] = count;
    GrowingPlane plane(points, tolerance);
    plane.add(facets[seed]);
    std::vector<int> front{seed};
    for (std::size_t i = 0; i < front.size(); ++i) {
      const int f = front[i];
      EdgeTable::for_each_edge(facets[f], [&](int k, int, int) {
        const int g = edges.across(f, k);
        if (region[g] >= 0 || !plane.holds(facets[g])) return;
        region[g] = count;
        plane.add(facets[g]);
        front.push_back(g);
      });
    }
    ++count;
  }
  return {std::move(region), count};
}

// The outline of each region, if all are single simple loops.
Loops trace_outlines(const Loops& facets, const EdgeTable& edges, const std::vector<int>& region,
                     int count) {
  std::vector<std::vector<int>> members(static_cast<std::size_t>(count));
  for (std::size_t f = 0; f < facets.size(); ++f) members[region[f]].push_back(static_cast<int>(f));
  Loops outlines;
  std::unordered_map<int, int> next;
  for (const auto& inside : members) {
    if (inside.size() == 1) {
      outlines.push_back(facets[inside[0]]);
      continue;
    }
    bool simple = true;
    next.clear();
    for (const int f : inside)
      EdgeTable::for_each_edge(facets[f], [&](int k, int a, int b) {
        if (region[edges.across(f, k)] != region[f]) simple &= next.emplace(a, b).second;
      });
    if (!simple || next.empty()) return {};
    const int first = next.begin()->first;
    auto& loop = outlines.emplace_back();
    int v = first;
    do {
      loop.push_back(v);
      const auto it = next.find(v);
      if (it == next.end()) return {};
      v = it->second;
    } while (v != first && loop.size() <= next.size());
    if (loop.size() != next.size()) return {};
  }
  return outlines;
}

}  // namespace

Loops merge_coplanar(std::span<const Vec3> points, Loops facets, double tolerance) {
  make_canonical(facets);
  const EdgeTable edges(facets);
  if (!edges.closed()) return {};
  const auto [region, count] = find_regions(points, facets, edges, tolerance);
  Loops faces = trace_outlines(facets, edges, region, count);

  // remove vertices that are no corners
  std::vector<int> meeting(points.size(), 0);
  for (const auto& loop : faces)
    for (const int v : loop) ++meeting[v];
  for (auto& loop : faces) {
    std::erase_if(loop, [&](int v) { return meeting[v] < 3; });
    if (loop.size() < 3) return {};
  }
  make_canonical(faces);
  return faces;
}

}  // namespace abut
