// AxisTable: the faces, edges and vertices of a small polyhedron with their coordinates side by
// side, as the search over separating axes (axis_search.h) reads them, eight at a time.
//
//   std::optional<abut::AxisTable> table = abut::axis_table(hull);  // none: look elsewhere
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "abut/shape/polyhedron.h"

namespace abut {

// Columns of numbers of equal length, one after the other; a multiple of eight rows each, so that
// every eight lie in one line of the cache.
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
  // At most: as many bits as EdgeSet has, and as a word has.
  static constexpr int kMostEdges = 128, kMostFaces = 64;
  struct EdgeSet {
    std::uint64_t bits[2] = {0, 0};
  };
  struct Edge {
    double direction[3], tail[3];   // m
    double normal1[3], normal2[3];  // of f1 and f2
  };

  // x, y, z of the normal, offset; those that fill up are never near anything
  AxisColumns faces;
  std::vector<EdgeSet> edges_of_face;
  // Sorted so that those with like normals are neighbours.
  std::vector<Edge> edges;
  AxisColumns edge_columns;           // the same numbers; zeros fill up
  std::vector<std::int32_t> edge_id;  // the number of each one
  // Between the normals of an edge's faces there are some that are more than a mean of the two:
  // by this factor, at most.
  double stretch = 1;
  AxisColumns vertices;  // x, y, z; the first one fills up
};

// None for a polyhedron with many vertices, for which there are quicker ways, and for one whose
// faces or edges are so short that rounding turns their normals.
std::optional<AxisTable> axis_table(const Polyhedron& p);

}  // namespace abut
