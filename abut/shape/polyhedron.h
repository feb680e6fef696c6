// Convex polyhedron: vertices, edges, polygonal faces and their adjacency, as flat arrays.
//
// Faces run counter-clockwise seen from outside. An edge e = (tail, head, f1, f2) has f1 on its
// left: f1's loop runs tail -> head, f2's head -> tail. With eta the outward normals, eta1 x e
// points into f1 and e x eta2 into f2.
//
//            head
//          \  ^  /
//       f1  \ | /  f2        seen from outside
//            \|/
//            tail
//
//   abut::Polyhedron p = abut::convex_hull(points);
//   for (int f = 0; f < p.face_count(); ++f)
//     for (int v : p.face_loop(f)) use(p.vertices[v]);
#pragma once

#include <cassert>
#include <span>
#include <string>
#include <vector>

#include "abut/shape/mass_properties.h"
#include "abut/shape/tolerances.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

struct Polyhedron {
  struct Edge {
    int tail, head;  // vertices
    int f1, f2;      // faces
  };
  // The plane eta . x = offset; the solid is where eta . x <= offset.
  struct Face {
    Vec3 eta;        // outward unit normal
    double offset;   // m
    int begin, end;  // its loop's range in face_vertices, face_edges and borders
  };
  // An edge as a border of one of its faces: in the face's plane, the face is where inward . (x -
  // center) >= offset.
  struct Border {
    Vec3 inward;    // unit, across the edge
    double offset;  // m
  };

  std::vector<Vec3> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<int> face_vertices;  // the loops, one after the other
  std::vector<int> face_edges;     // face_edges[k] leaves face_vertices[k] along its loop
  std::vector<Border> borders;     // of these edges

  // A vertex has as many edges as neighbours and faces, so that the three share one table of
  // ranges. They are counter-clockwise seen from outside: edge k leads to neighbour k, and face k
  // lies between edges k and k + 1.
  std::vector<int> vertex_begin;  // one more than there are vertices
  std::vector<int> vertex_neighbours;
  std::vector<int> vertex_edges;
  std::vector<int> vertex_faces;
  std::vector<Vec3> spokes;       // from the vertex to neighbour k
  std::vector<int> edge_borders;  // of edge e: the border of f1 at 2 e, of f2 at 2 e + 1

  Vec3 center = Vec3::Zero();  // mean of the vertices: well inside
  // L, the diagonal of the bounding box (m): the length that tolerances are relative to
  double size = 0;

  int vertex_count() const { return static_cast<int>(vertices.size()); }
  int edge_count() const { return static_cast<int>(edges.size()); }
  int face_count() const { return static_cast<int>(faces.size()); }
  std::span<const int> face_loop(int f) const {
    return range(face_vertices, faces[f].begin, faces[f].end);
  }
  std::span<const int> face_edge_ring(int f) const {
    return range(face_edges, faces[f].begin, faces[f].end);
  }
  std::span<const Border> face_borders(int f) const {
    return range(borders, faces[f].begin, faces[f].end);
  }
  std::span<const int> neighbours(int v) const { return around(vertex_neighbours, v); }
  std::span<const int> edges_around(int v) const { return around(vertex_edges, v); }
  std::span<const int> faces_around(int v) const { return around(vertex_faces, v); }
  std::span<const Vec3> spokes_of(int v) const { return around(spokes, v); }
  // Directions into the faces at an edge, in their planes and perpendicular to the edge: unit
  // vectors (docs/notation.md).
  const Vec3& into_f1(int edge) const { return borders[edge_borders[2 * edge]].inward; }
  const Vec3& into_f2(int edge) const { return borders[edge_borders[2 * edge + 1]].inward; }
  // Height above face f, positive outside (m).
  double height_above(int f, const Vec3& point) const {
    return faces[f].eta.dot(point) - faces[f].offset;
  }

 private:
  template <typename T>
  static std::span<const T> range(const std::vector<T>& array, int begin, int end) {
    return {array.data() + begin, static_cast<std::size_t>(end - begin)};
  }
  template <typename T>
  std::span<const T> around(const std::vector<T>& array, int v) const {
    return range(array, vertex_begin[v], vertex_begin[v + 1]);
  }
};

// From vertices and the faces' loops: finds edges, adjacency and planes. Throws
// ShapeError if the loops do not close up to one surface; does not check convexity.
Polyhedron make_polyhedron(std::vector<Vec3> vertices, std::span<const std::vector<int>> loops);

// The first error found ("face 3 is not convex ..."), or "" if none: the arrays are consistent,
// Euler's formula holds, faces are planar and every edge is convex up to `tolerance`, relative to
// the size.
std::string validate(const Polyhedron& p, double tolerance = kValidShape);

// V - E + F: 2 for a surface without handles and holes.
double euler_characteristic(const Polyhedron& p);

TriangleMesh triangulated(const Polyhedron& p);

// Exact, at density 1.
MassProperties solid_polyhedron(const Polyhedron& p);
MassProperties shell_polyhedron(const Polyhedron& p);

// The polyhedron with every coordinate transformed by X_WB.
Polyhedron transformed(const Polyhedron& p, const Pose& X_WB);

// The vertex farthest along `direction` (any length); the first of them if there are several. The
// search climbs from `hint` (any vertex; a good one makes it fast). The answer does not depend on
// the hint: plateaus of equal or nearly equal height are searched completely. Allocates nothing.
int support(const Polyhedron& p, const Vec3& direction, int hint = 0);

// The same by testing every vertex.
int support_brute_force(const Polyhedron& p, const Vec3& direction);

}  // namespace abut
