#include "abut/collide/solid/axis_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "abut/collide/solid/least_length.h"
#include "abut/collide/solid/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

constexpr int kMostVertices = 33;  // which bounds the faces by 62 and the edges by 93
// Divides the edges recursively along the coordinate in which their normals differ most, so that
// each eight consecutive edges are near each other on the sphere of directions.
void sort_by_normal(std::span<std::int32_t> edges, const std::vector<Vec3>& normal) {
  if (edges.size() <= 8) return;
  Vec3 low = normal[at(edges[0])], high = low;
  for (const std::int32_t e : edges) {
    low = low.cwiseMin(normal[at(e)]);
    high = high.cwiseMax(normal[at(e)]);
  }
  int axis;
  (high - low).maxCoeff(&axis);
  std::sort(edges.begin(), edges.end(), [&](std::int32_t e, std::int32_t f) {
    return std::pair(normal[at(e)][axis], e) < std::pair(normal[at(f)][axis], f);
  });
  const std::size_t half = (edges.size() / 2 + 7) / 8 * 8;
  sort_by_normal(edges.first(half), normal);
  sort_by_normal(edges.subspan(half), normal);
}

// Writes v to columns first, first + 1, first + 2 of one row.
void put(AxisColumns& c, int row, int first, const Vec3& v) {
  for (int i = 0; i < 3; ++i) c.at(first + i, row) = v[i];
}

}  // namespace

std::optional<AxisTable> axis_table(const Polyhedron& p) {
  if (p.vertex_count() > kMostVertices || !(least_length(p) > kLeastAxisLength * p.size)) return {};
  AxisTable t;
  t.faces = AxisColumns(p.face_count(), 4);
  for (int f = 0; f < t.faces.rows; ++f) {
    if (f < p.face_count()) put(t.faces, f, 0, p.faces[at(f)].eta);
    t.faces.at(3, f) = f < p.face_count() ? p.faces[at(f)].offset : 1e300;
  }

  std::vector<Vec3> normal;
  for (const Polyhedron::Edge& e : p.edges)
    normal.push_back(p.faces[at(e.f1)].eta + p.faces[at(e.f2)].eta);
  t.edge_id.resize(at(p.edge_count()));
  std::iota(t.edge_id.begin(), t.edge_id.end(), 0);
  sort_by_normal(t.edge_id, normal);
  t.edges_of_face.resize(at(p.face_count()));
  t.edge_columns = AxisColumns(p.edge_count(), sizeof(AxisTable::Edge) / sizeof(double));
  for (int row = 0; row < p.edge_count(); ++row) {
    const Polyhedron::Edge& e = p.edges[at(t.edge_id[at(row)])];
    const Vec3 &tail = p.vertices[at(e.tail)], along = p.vertices[at(e.head)] - tail;
    const Vec3 &eta1 = p.faces[at(e.f1)].eta, &eta2 = p.faces[at(e.f2)].eta;
    put(t.edge_columns, row, 0, along);
    put(t.edge_columns, row, 3, tail);
    put(t.edge_columns, row, 6, eta1);
    put(t.edge_columns, row, 9, eta2);
    t.edges.push_back({{along[0], along[1], along[2]},
                       {tail[0], tail[1], tail[2]},
                       {eta1[0], eta1[1], eta1[2]},
                       {eta2[0], eta2[1], eta2[2]}});
    for (const int f : {e.f1, e.f2})
      t.edges_of_face[at(f)].bits[row / 64] |= std::uint64_t{1} << (row % 64);
    // 1 / cos(half the angle between the two normals)
    t.stretch =
        std::max(t.stretch, 1.000001 / std::max(0.5 * (eta1 + eta2).norm(), kLeastHalfAngleCosine));
  }

  t.vertices = AxisColumns(p.vertex_count(), 3);
  for (int v = 0; v < t.vertices.rows; ++v)
    put(t.vertices, v, 0, p.vertices[at(v < p.vertex_count() ? v : 0)]);
  return t;
}

}  // namespace abut
