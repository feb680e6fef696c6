// SupportMap: finds the vertex of a polyhedron that is farthest along a direction, in nearly
// constant time.
//
// Directions are sorted into cells of a table over the faces of a cube. A cell lists every vertex
// that is farthest for some direction in the cell (the normal cone of the vertex meets the cell).
// These are about five vertices, whatever the number of vertices of the solid. A query looks at
// these vertices only, and needs no start vertex to climb from. If many vertices share one cell,
// the cell names one of them, and the query climbs over neighbours from there. If several vertices
// are farthest, the map returns any of them; abut::support() (shape/polyhedron.h) is slower and
// always returns the first.
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
  // For a core without faces: a point or a segment.
  explicit SupportMap(std::span<const Vec3> points);

  int vertex_count() const { return static_cast<int>(vertices_.size()); }
  const Vec3& vertex(int i) const { return vertices_[static_cast<std::size_t>(i)]; }
  // Angle (rad, approximate) beyond which two directions usually have different farthest vertices.
  double spacing() const { return spacing_; }

  // `direction` may have any length but 0.
  int farthest(const Vec3& direction) const {
    return farthest(direction[0], direction[1], direction[2]);
  }
  int farthest(double x, double y, double z) const;

 private:
  void lay_side_by_side();
  void list_cell(const Polyhedron& p, int side, int i, int j, int& near);

  const Polyhedron* polyhedron_ = nullptr;
  std::vector<Vec3> vertices_;
  // For few vertices: their coordinates as columns, for the vector unit.
  std::vector<double> x_, y_, z_;
  // Cell c lists listed_[begin .. begin + count); count 1 means: climb from that vertex.
  struct Cell {
    std::int32_t begin, count;
  };
  std::vector<Cell> cell_;
  std::vector<std::int32_t> listed_;
  double widen_ = 0;
  double spacing_ = 1;
  bool unsure_ = false;  // normals are too inaccurate: lists only say where to climb from
  int cells_ = 0;        // along a side of a cube face; 0: scan all vertices
};

}  // namespace abut
