#include "abut/shape/qhull_facets.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <cstdio>
#include <memory>
#include <unordered_map>

namespace abut {
namespace {

// One run of Qhull and its memory.
class Qhull {
 public:
  Qhull(std::vector<double>& coordinates, QhullMode mode)
      : log_(std::fopen("/dev/null", "w"), &std::fclose) {
    if (!log_) return;
    QHULL_LIB_CHECK
    qh_zero(&qh_, log_.get());
    char command[32];
    std::snprintf(command, sizeof command, "qhull %s",
                  mode == QhullMode::joggled ? "QJ"
                  : mode == QhullMode::raw   ? "Q0 Pp"
                                             : "Pp");
    const int n = static_cast<int>(coordinates.size() / 3);
    status_ = qh_new_qhull(&qh_, 3, n, coordinates.data(), False, command, log_.get(), log_.get());
    // the hull is complete; some facets are concave by rounding, which Qhull's merging would have
    // repaired
    if (mode == QhullMode::raw && status_ == qh_ERRprec) status_ = 0;
  }
  ~Qhull() {
    if (!log_) return;
    qh_freeqhull(&qh_, !qh_ALL);
    int current, total;
    qh_memfreeshort(&qh_, &current, &total);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  bool ok() const { return status_ == 0; }
  qhT* get() { return &qh_; }

 private:
  std::unique_ptr<FILE, int (*)(FILE*)> log_;
  qhT qh_;
  int status_ = -1;
};

// The corners of a facet in order, oriented alike for all facets; empty if the ridges do
// not form one ring. Done by hand: Qhull's own walk ends the process when it fails.
std::vector<int> corner_loop(qhT* qh, facetT* facet) {
  const auto id = [&](void* vertex) {
    return qh_pointid(qh, static_cast<vertexT*>(vertex)->point);
  };
  if (facet->simplicial) {
    std::vector<int> loop{id(SETelem_(facet->vertices, 0)), id(SETelem_(facet->vertices, 1)),
                          id(SETelem_(facet->vertices, 2))};
    if (!facet->toporient) std::swap(loop[0], loop[1]);
    return loop;
  }
  std::unordered_map<int, int> next;
  int first = -1;
  ridgeT *ridge, **ridgep;
  FOREACHridge_(facet->ridges) {
    int from = id(SETfirst_(ridge->vertices)), to = id(SETsecond_(ridge->vertices));
    if (ridge->top != facet) std::swap(from, to);
    if (!next.emplace(from, to).second) return {};
    first = from;
  }
  std::vector<int> loop;
  for (int v = first; loop.size() < next.size();) {
    loop.push_back(v);
    const auto it = next.find(v);
    if (it == next.end()) return {};
    v = it->second;
    if (v == first) break;
  }
  if (loop.size() != next.size() || loop.size() < 3) return {};
  return loop;
}

// Six times the signed volume within the loops.
double volume6(std::span<const Vec3> points, std::span<const std::vector<int>> loops) {
  double sum = 0;
  for (const auto& loop : loops) {
    for (std::size_t k = 2; k < loop.size(); ++k) {
      sum += points[loop[0]].dot(points[loop[k - 1]].cross(points[loop[k]]));
    }
  }
  return sum;
}

}  // namespace

std::vector<std::vector<int>> qhull_facets(std::span<const Vec3> points, QhullMode mode) {
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), p.data(), p.data() + 3);
  Qhull hull(coordinates, mode);
  if (!hull.ok()) return {};

  std::vector<std::vector<int>> loops;
  qhT* qh = hull.get();
  facetT* facet;
  FORALLfacets {
    loops.push_back(corner_loop(qh, facet));
    if (loops.back().empty()) return {};
  }
  if (volume6(points, loops) < 0) {
    for (auto& loop : loops) std::reverse(loop.begin(), loop.end());
  }
  return loops;
}

}  // namespace abut
