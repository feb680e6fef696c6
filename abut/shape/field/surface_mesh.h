// SurfaceMesh: the surface of a solid as triangles, with a tree of boxes and what contact queries need
// of its edges and vertices: which are ridges, and which normals they have.
//
//   abut::SurfaceMesh surface(mesh);
//   double psi = surface.distance(x);   // m, negative inside
#pragma once

#include <span>
#include <vector>

#include "abut/shape/field/triangle_tree.h"
#include "abut/shape/polyhedron.h"

namespace abut {

class SurfaceMesh {
 public:
  struct Edge {
    int tail = 0, head = 0;                           // vertices
    int t1 = -1, t2 = -1;                             // triangles; -1: the surface is open here
    bool ridge = false;                               // convex, and no crease within a plane
    Vec3 normal = Vec3::Zero();                       // unit, between those of its triangles
    Vec3 into1 = Vec3::Zero(), into2 = Vec3::Zero();  // unit, into its triangles, across the edge
  };
  // Where a point is with respect to the surface.
  struct Place {
    NearestTriangle near;
    double distance = std::numeric_limits<double>::infinity();  // m, negative inside
    Vec3 normal = Vec3::Zero();  // unit, outward: the way that the distance grows
  };

  SurfaceMesh() = default;
  // Vertices of the mesh are welded; triangles are counter-clockwise seen from outside.
  explicit SurfaceMesh(TriangleMesh mesh);
  explicit SurfaceMesh(const Polyhedron& polyhedron);

  const TriangleMesh& mesh() const { return mesh_; }
  const TriangleTree& tree() const { return tree_; }
  const Aabb& box() const { return tree_.box(); }
  double size() const { return size_; }  // m: diagonal of the box

  std::span<const Edge> edges() const { return edges_; }
  // Of triangle t: its side from corner k to k + 1.
  int edge_of(int t, int k) const { return edge_of_[static_cast<std::size_t>(3 * t + k)]; }
  const Vec3& normal(int t) const { return normals_[static_cast<std::size_t>(t)]; }
  // Mean of the normals around a vertex, by their angles: whether a point near the vertex is inside is
  // decided by it (Baerentzen and Aanaes 2005).
  const Vec3& vertex_normal(int v) const { return vertex_normals_[static_cast<std::size_t>(v)]; }
  std::span<const int> neighbours(int v) const {
    const auto i = static_cast<std::size_t>(v);
    return std::span(neighbours_)
        .subspan(static_cast<std::size_t>(first_[i]),
                 static_cast<std::size_t>(first_[i + 1] - first_[i]));
  }
  int open_edges() const { return open_; }

  // The signed distance of x (in the mesh's frame) if it is within `bound`, from the triangles. Right
  // for closed surfaces.
  Place place(const Vec3& x, double bound = std::numeric_limits<double>::infinity()) const;
  double distance(const Vec3& x) const { return place(x).distance; }

 private:
  void connect();

  TriangleMesh mesh_;
  TriangleTree tree_;
  double size_ = 0;
  int open_ = 0;
  std::vector<Edge> edges_;
  std::vector<int> edge_of_, neighbours_, first_;
  std::vector<Vec3> normals_, vertex_normals_;
};

}  // namespace abut
