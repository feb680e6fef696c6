#include "abut/collide/support_map.h"

#include <algorithm>
#include <cmath>

namespace abut {
namespace {

// Below this many vertices looking at all of them is the quickest.
constexpr int kLookAtAll = 12;
constexpr int kMostCells = 48;

// The direction through the middle of a cell of the cube's face `side`: axis side / 2,
// positive if side is even.
Vec3 cell_direction(int side, int i, int j, int cells) {
  const int axis = side / 2;
  Vec3 d;
  d[axis] = side % 2 == 0 ? 1 : -1;
  d[(axis + 1) % 3] = (2.0 * i + 1) / cells - 1;
  d[(axis + 2) % 3] = (2.0 * j + 1) / cells - 1;
  return d;
}

}  // namespace

SupportMap::SupportMap(std::span<const Vec3> points) : vertices_(points.begin(), points.end()) {}

SupportMap::SupportMap(const Polyhedron& p)
    : vertices_(p.vertices),
      neighbour_begin_(p.vertex_begin.begin(), p.vertex_begin.end()),
      neighbours_(p.vertex_neighbours.begin(), p.vertex_neighbours.end()) {
  if (vertex_count() <= kLookAtAll) return;
  cells_ = std::clamp(static_cast<int>(std::ceil(std::sqrt(vertex_count() / 3.0))), 3, kMostCells);
  table_.resize(static_cast<std::size_t>(6 * cells_ * cells_));
  int near = 0;
  std::size_t cell = 0;
  for (int side = 0; side < 6; ++side)
    for (int i = 0; i < cells_; ++i)
      for (int j = 0; j < cells_; ++j)
        table_[cell++] = near = climb(cell_direction(side, i, j, cells_), near);
}

int SupportMap::farthest(const Vec3& direction, int hint) const {
  if (vertex_count() <= kLookAtAll) {
    int best = 0;
    double height = vertices_[0].dot(direction);
    for (int i = 1; i < vertex_count(); ++i) {
      const double h = vertex(i).dot(direction);
      if (h > height) {
        height = h;
        best = i;
      }
    }
    return best;
  }
  return climb(direction, hint >= 0 ? hint : from_table(direction));
}

int SupportMap::from_table(const Vec3& d) const {
  const double x = std::abs(d[0]), y = std::abs(d[1]), z = std::abs(d[2]);
  const int axis = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
  const double scale = 0.5 * cells_ / std::max({x, y, z});
  const double half = 0.5 * cells_;
  const int i = std::min(static_cast<int>(d[(axis + 1) % 3] * scale + half), cells_ - 1);
  const int j = std::min(static_cast<int>(d[(axis + 2) % 3] * scale + half), cells_ - 1);
  const int side = 2 * axis + (d[axis] < 0);
  return table_[static_cast<std::size_t>((side * cells_ + i) * cells_ + j)];
}

int SupportMap::climb(const Vec3& direction, int from) const {
  int best = from;
  double height = vertex(best).dot(direction);
  for (;;) {
    const int at = best;
    for (int k = neighbour_begin_[static_cast<std::size_t>(at)];
         k < neighbour_begin_[static_cast<std::size_t>(at) + 1]; ++k) {
      const int v = neighbours_[static_cast<std::size_t>(k)];
      const double h = vertex(v).dot(direction);
      if (h > height) {
        height = h;
        best = v;
      }
    }
    if (best == at) return best;
  }
}

}  // namespace abut
