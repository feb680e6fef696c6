// SupportMap: finds the vertex of a polyhedron farthest along a direction, fast.
//
// Few vertices are looked at one and all. Of many, a table over directions (the faces
// of a cube, cut into cells) names a vertex near the answer, and a climb over
// neighbours ends it: near constant time, cold, for any number of vertices.
// Of several farthest vertices it gives any; abut::support() (shape/polyhedron.h) is
// the slower one that always gives the first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/math/types.h"
#include "abut/shape/polyhedron.h"

namespace abut {

class SupportMap {
 public:
  SupportMap() = default;
  explicit SupportMap(const Polyhedron& p);
  // A core without faces: a point or a segment.
  explicit SupportMap(std::span<const Vec3> points);

  int vertex_count() const { return static_cast<int>(vertices_.size()); }
  const Vec3& vertex(int i) const { return vertices_[static_cast<std::size_t>(i)]; }

  // `direction` of any length but 0. `hint`: a vertex to climb from, -1: none.
  int farthest(const Vec3& direction, int hint = -1) const;

 private:
  int from_table(const Vec3& direction) const;
  int climb(const Vec3& direction, int from) const;

  std::vector<Vec3> vertices_;
  std::vector<std::int32_t> neighbour_begin_, neighbours_;
  std::vector<std::int32_t> table_;  // 6 x cells x cells
  int cells_ = 0;
};

}  // namespace abut
