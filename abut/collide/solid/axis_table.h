// AxisTable: the faces, edges and vertices of a small polyhedron as columns of coordinates. The
// search over separating axes (axis_search.h) reads eight rows of a column at a time.
//
//   std::optional<abut::AxisTable> table = abut::axis_table(hull);  // none: use another method
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "abut/shape/polyhedron.h"

namespace abut {

// Columns of equal length, stored one after the other. The number of rows is a multiple of eight,
// so that each group of eight rows lies in one cache line.
struct AxisColumns {
  struct alignas(64) Line {
    double number[8] = {};
  };
  std::vector<Line> lines;
  int rows = 0;

  AxisColumns() = default;
  AxisColumns(int row_count, int column_count)
      : lines(static_cast<std::size_t>((row_count + 7) / 8 * column_count)),
        rows((row_count + 7) / 8 * 8) {}
  const double* column(int i) const { return lines.data()->number + i * rows; }
  double& at(int column, int row) {
    return lines[static_cast<std::size_t>((column * rows + row) / 8)].number[row % 8];
  }
};

struct AxisTable {
  // Upper bounds: the bits of an EdgeSet and of a word.
  static constexpr int kMostEdges = 128, kMostFaces = 64;
  struct EdgeSet {
    std::uint64_t bits[2] = {0, 0};
  };
  struct Edge {
    double direction[3], tail[3];   // m
    double normal1[3], normal2[3];  // of the edge's faces f1 and f2
  };

  // x, y, z of the normal, offset; padding rows are infinitely far away
  AxisColumns faces;
  std::vector<EdgeSet> edges_of_face;
  // Sorted so that edges with similar normals are neighbours.
  std::vector<Edge> edges;
  AxisColumns edge_columns;           // the same numbers; padding rows are zero
  std::vector<std::int32_t> edge_id;  // index of each edge in the polyhedron
  // Upper bound of 1 / cos(half the angle between the normals of an edge's two faces). A unit
  // normal between them is longer than their mean by at most this factor.
  double stretch = 1;
  AxisColumns vertices;  // x, y, z; padding rows repeat the first vertex
};

// Returns nothing for a polyhedron with many vertices, for which other methods are faster. Returns
// nothing for a polyhedron with faces or edges so short that rounding turns their normals.
std::optional<AxisTable> axis_table(const Polyhedron& p);

}  // namespace abut
