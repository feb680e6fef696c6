// SupportMap: finds the vertex of a polyhedron farthest along a direction, fast.
//
// Directions are sorted by a table over the faces of a cube, cut into cells. A cell lists
// every vertex that is farthest for some direction in it (their normal cones meet the
// cell), about five whatever the number of vertices, so a query looks at those and is
// done: near constant time, without a start to climb from. Where many vertices crowd in
// one cell it names one of them, and a climb over neighbours does the rest.
// Of several farthest vertices it gives any; abut::support() (shape/polyhedron.h) is
// the slower one that always gives the first.
//
//   abut::SupportMap map(hull);
//   int v = map.farthest(direction);
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "abut/math/types.h"
#include "abut/shape/polyhedron.h"

namespace abut {

class SupportMap {
 public:
  SupportMap() = default;
  // The polyhedron must outlive the map.
  explicit SupportMap(const Polyhedron& p);
  // A core without faces: a point or a segment.
  explicit SupportMap(std::span<const Vec3> points);

  int vertex_count() const { return static_cast<int>(vertices_.size()); }
  const Vec3& vertex(int i) const { return vertices_[static_cast<std::size_t>(i)]; }
  // Directions so far apart (rad, more or less) mostly have different farthest vertices.
  double spacing() const { return spacing_; }

  // `direction` of any length but 0.
  int farthest(const Vec3& direction) const {
    return farthest(direction[0], direction[1], direction[2]);
  }
  int farthest(double x, double y, double z) const;

 private:
  void lay_side_by_side();
  void list_cell(const Polyhedron& p, int side, int i, int j, int& near);

  const Polyhedron* polyhedron_ = nullptr;
  std::vector<Vec3> vertices_;
  // Of few vertices: their coordinates side by side, for the vector unit.
  std::vector<double> x_, y_, z_;
  // Cell c lists listed_[begin .. begin + count); count 1: climb from there.
  struct Cell {
    std::int32_t begin, count;
  };
  std::vector<Cell> cell_;
  std::vector<std::int32_t> listed_;
  double widen_ = 0;
  double spacing_ = 1;
  bool unsure_ = false;  // normals are too unsure for lists: they only say where to climb from
  int cells_ = 0;        // along a side of a face of the cube; 0: look at all vertices
};

}  // namespace abut
