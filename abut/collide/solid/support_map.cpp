#include "abut/collide/solid/support_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/collide/solid/least_length.h"
#include "abut/collide/solid/support_scan.h"
#include "abut/collide/solid/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// Up to this many vertices, a scan of all vertices is the fastest.
constexpr int kLookAtAll = 64;
constexpr double kCells = 0.33;  // cells of a cube face per vertex
constexpr int kFewestCells = 3, kMostCells = 64;
// A list longer than this costs more than a climb.
constexpr int kCrowd = 24;
// Multiplies 1 / cbrt(number of vertices). The mean distance of neighbours is proportional to 1 /
// sqrt(number), but this formula performed better as the start of the expanding polytope.
constexpr double kSpacing = 1.25;

// Whether the arc between the normals `f` and `g` passes through a cell: the cell of the cube face
// (`axis`, `sign`) with slopes between low and high along the two other axes. Clips the chord with
// five planes through the origin.
bool meets(const Vec3& f, const Vec3& g, int axis, double sign, const double (&low)[2],
           const double (&high)[2], double widen) {
  double from = 0, to = 1;
  const auto cut = [&](double at_f, double at_g) {  // keeps the part where the value is >= 0
    if (at_f < 0 && at_g < 0) {
      to = -1;
    } else if (at_f < 0) {
      from = std::max(from, at_f / (at_f - at_g) - widen);
    } else if (at_g < 0) {
      to = std::min(to, at_f / (at_f - at_g) + widen);
    }
  };
  const double height_f = sign * f[axis], height_g = sign * g[axis];
  cut(height_f + widen, height_g + widen);
  for (int k = 0; k < 2; ++k) {
    const int other = (axis + 1 + k) % 3;
    cut(f[other] - low[k] * height_f + widen, g[other] - low[k] * height_g + widen);
    cut(high[k] * height_f - f[other] + widen, high[k] * height_g - g[other] + widen);
  }
  return from <= to;
}

}  // namespace

SupportMap::SupportMap(std::span<const Vec3> points) : vertices_(points.begin(), points.end()) {
  lay_side_by_side();
}

void SupportMap::lay_side_by_side() {
  const std::size_t padded = (vertices_.size() + 3) / 4 * 4;
  for (std::size_t i = 0; i < padded; ++i) {
    const Vec3& v = vertices_[i < vertices_.size() ? i : 0];
    x_.push_back(v[0]);
    y_.push_back(v[1]);
    z_.push_back(v[2]);
  }
}

SupportMap::SupportMap(const Polyhedron& p) : polyhedron_(&p), vertices_(p.vertices) {
  spacing_ = kSpacing / std::cbrt(vertex_count());
  if (vertex_count() <= kLookAtAll) {
    lay_side_by_side();
    return;
  }
  cells_ = std::clamp(static_cast<int>(std::ceil(std::sqrt(vertex_count() * kCells))), kFewestCells,
                      kMostCells);
  widen_ = std::max(kLeastCellWidening, kHullFlatness * p.size / least_length(p));
  unsure_ = !(widen_ <= kMostCellWidening);
  int near = 0;
  for (int side = 0; side < 6; ++side)
    for (int i = 0; i < cells_; ++i)
      for (int j = 0; j < cells_; ++j) list_cell(p, side, i, j, near);
}

// Lists the vertices of one cell: starts from the vertex that is farthest along its middle, and
// follows every edge whose arc of normals meets the cell.
void SupportMap::list_cell(const Polyhedron& p, int side, int i, int j, int& near) {
  const int axis = side / 2;
  const double sign = side % 2 == 0 ? 1 : -1;
  const double low[2] = {2.0 * i / cells_ - 1, 2.0 * j / cells_ - 1};
  const double high[2] = {2.0 * (i + 1) / cells_ - 1, 2.0 * (j + 1) / cells_ - 1};
  Vec3 middle;
  middle[axis] = sign;
  middle[(axis + 1) % 3] = 0.5 * (low[0] + high[0]);
  middle[(axis + 2) % 3] = 0.5 * (low[1] + high[1]);
  near = support(p, middle, near);

  std::vector<std::int32_t> listed{near};
  bool crowded = false;
  for (std::size_t k = 0; k < listed.size() && !crowded; ++k) {
    const std::span<const int> edges = p.edges_around(listed[k]);
    const std::span<const int> neighbours = p.neighbours(listed[k]);
    for (std::size_t e = 0; e < edges.size() && !crowded; ++e) {
      const Polyhedron::Edge& edge = p.edges[at(edges[e])];
      if (!meets(p.faces[at(edge.f1)].eta, p.faces[at(edge.f2)].eta, axis, sign, low, high, widen_))
        continue;
      if (std::find(listed.begin(), listed.end(), neighbours[e]) != listed.end()) continue;
      listed.push_back(neighbours[e]);
      crowded = listed.size() > kCrowd;
    }
  }
  if (crowded) listed.resize(1);
  if (!crowded && listed.size() % 2 != 0) listed.push_back(near);
  cell_.push_back(
      {static_cast<std::int32_t>(listed_.size()), static_cast<std::int32_t>(listed.size())});
  listed_.insert(listed_.end(), listed.begin(), listed.end());
}

int SupportMap::farthest(double x, double y, double z) const {
  if (cells_ == 0) return scan_farthest(x_.data(), y_.data(), z_.data(), x_.size(), x, y, z);
  const double ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
  // the axis of the largest component and the two others in cyclic order, without branches
  const bool yx = ay > ax;
  const double m = yx ? ay : ax;
  const bool zm = az > m;
  const double most = zm ? az : m;
  const double u = zm ? x : (yx ? z : y), v = zm ? y : (yx ? x : z), w = zm ? z : (yx ? y : x);
  const int axis = zm ? 2 : yx;
  const double half = 0.5 * cells_, scale = half / most;
  const int i = std::clamp(static_cast<int>(u * scale + half), 0, cells_ - 1);
  const int j = std::clamp(static_cast<int>(v * scale + half), 0, cells_ - 1);
  const Cell cell = cell_[at(((2 * axis + (w < 0)) * cells_ + i) * cells_ + j)];
  const std::int32_t* ids = listed_.data() + cell.begin;
  if (cell.count == 1) return support(*polyhedron_, {x, y, z}, ids[0]);
  const int best = gather_farthest(vertices_[0].data(), ids, cell.count, x, y, z);
  return unsure_ ? support(*polyhedron_, {x, y, z}, best) : best;
}

}  // namespace abut
