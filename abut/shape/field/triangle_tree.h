// TriangleTree: a tree of boxes over the triangles of a mesh, for queries whose cost grows with the
// logarithm of their number.
//
//   abut::TriangleTree tree(mesh);
//   abut::NearestTriangle near = tree.nearest(mesh, x);
//   tree.pairs(mesh, other_tree, other_mesh, X_AB, reach, pairs);   // triangles that come near
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "abut/math/transform.h"
#include "abut/shape/aabb.h"
#include "abut/shape/field/triangle_point.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

struct NearestTriangle {
  int triangle = -1;  // none within the bound
  TrianglePoint at;
  double distance = std::numeric_limits<double>::infinity();  // m
};

class TriangleTree {
 public:
  TriangleTree() = default;
  explicit TriangleTree(const TriangleMesh& mesh);

  // The triangle nearest to x, if it is within `bound` (m). `visits`, if given, grows by the nodes that
  // were looked at. Of triangles that are equally near the first in the tree's order is taken.
  NearestTriangle nearest(const TriangleMesh& mesh, const Vec3& x,
                          double bound = std::numeric_limits<double>::infinity(),
                          long* visits = nullptr) const;
  // Triangles whose boxes touch a box, appended.
  void in_box(const Aabb& box, std::vector<int>& out) const;
  // Pairs of triangles whose boxes come within `reach` (m) of each other, appended: those of this mesh
  // first. X: pose of the other mesh in this one's frame.
  void pairs(const TriangleTree& other, const Transform& X, double reach,
             std::vector<std::pair<int, int>>& out) const;
  // How often the surface winds around x: 1 inside, 0 outside, to a few hundredths; in between near
  // where the surface is open (Jacobson et al. 2013). Far triangles count as one.
  double winding(const TriangleMesh& mesh, const Vec3& x) const;

  const Aabb& box() const { return nodes_.front().box; }
  bool empty() const { return nodes_.empty(); }

 private:
  struct Node {
    Aabb box;
    int begin = 0, end = 0;      // triangles
    int left = -1, right = -1;   // -1: a leaf
    Vec3 area = Vec3::Zero();    // vector area (m^2) of its triangles,
    Vec3 middle = Vec3::Zero();  // their middle by area, and the radius of a ball around it (m)
    double radius = 0;
  };
  int build(const TriangleMesh& mesh, const std::vector<Vec3>& middles, int begin, int end);

  std::vector<Node> nodes_;
  std::vector<int> order_;
  std::vector<Aabb> boxes_;  // of triangles
};

std::array<Vec3, 3> corners_of(const TriangleMesh& mesh, int triangle);

// Of a triangle as seen from x, over 4 pi (van Oosterom and Strackee 1983); positive from inside.
double solid_angle(const std::array<Vec3, 3>& corners, const Vec3& x);

}  // namespace abut
