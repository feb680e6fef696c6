// DifferenceFace: a face of the Minkowski difference A - B of two polyhedra, by the features that
// make it: a face of one solid and the vertex of the other that is farthest against it, or two
// edges that face each other.
//
// The faces meet in edges: an edge of one solid with a vertex of the other. On the sphere of
// directions a face is a point and an edge an arc, part of the arc between the normals of the two
// faces at the solid's edge. Along this arc, the next face is where it ends, or where it crosses
// the arc of an edge at the other's vertex: neighbour() looks at these alone, so that a walk from
// face to face costs the same whatever the number of vertices.
//
//   abut::DifferenceFace face;
//   if (difference_face({A, B, X_AB}, a, b, near, face) && face.room(0) < 0)
//     found = neighbour({A, B, X_AB}, face, 0, next);
#pragma once

#include <array>

#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"

namespace abut {

// Two polyhedra, B placed in A's frame.
struct PolyhedronPair {
  const Convex &A, &B;
  const Transform& X_AB;
};

struct DifferenceFace {
  static constexpr int kMostCorners = 12;
  // A vertex a - b of the difference, in A's frame.
  struct Corner {
    Vec3 v;
    int a, b;
  };

  Feature a, b;     // face and vertex, vertex and face, or edge and edge
  Vec3 normal;      // outward, unit: from A to B
  double distance;  // m, of its plane from the origin: how deep the two overlap along the normal
  std::array<Corner, kMostCorners> corner;  // counter-clockwise seen from outside
  int count = 0;

  const Corner& next(int k) const { return corner[static_cast<std::size_t>((k + 1) % count)]; }
  // Across edge k, from corner k to the next: outward in the face's plane, unit.
  Vec3 outward(int k) const {
    return (next(k).v - corner[static_cast<std::size_t>(k)].v).cross(normal).normalized();
  }
  // How far the origin's projection is inside edge k (m).
  double room(int k) const { return outward(k).dot(corner[static_cast<std::size_t>(k)].v); }
};

// False if these features make no face (edges that are parallel), or one with too many corners.
// `near`: of two edges' normals, the one on this side. Whether the features are the farthest
// against each other is not looked at.
bool difference_face(const PolyhedronPair& pair, const Feature& a, const Feature& b,
                     const Vec3& near, DifferenceFace& face);

// The face across edge k. False if it can't be told, or lies 90 degrees away and more.
bool neighbour(const PolyhedronPair& pair, const DifferenceFace& face, int k, DifferenceFace& next);

}  // namespace abut
