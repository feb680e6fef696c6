// DifferenceFace: a face of the Minkowski difference A - B of two polyhedra, described by the
// features that make it: a face of one solid and the vertex of the other that is farthest against
// its normal, or two edges that face each other.
//
// Two faces of the difference meet in an edge: an edge of one solid with a vertex of the other. On
// the sphere of directions a face is a point and an edge is an arc, a part of the arc between the
// normals of the two faces at the solid's edge. Along this arc, the next face is at the end of the
// arc, or where the arc crosses the arc of an edge at the other solid's vertex. neighbour() looks
// at these edges alone, so that a step from face to face costs the same whatever the number of
// vertices.
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
  double distance;  // m, of its plane from the origin: depth of overlap along the normal
  std::array<Corner, kMostCorners> corner;  // counter-clockwise seen from outside
  int count = 0;

  const Corner& next(int k) const { return corner[static_cast<std::size_t>((k + 1) % count)]; }
  // Unit vector in the face's plane, outward across edge k (from corner k to the next).
  Vec3 outward(int k) const {
    return (next(k).v - corner[static_cast<std::size_t>(k)].v).cross(normal).normalized();
  }
  // Distance of the origin's projection from edge k, positive inside (m).
  double room(int k) const { return outward(k).dot(corner[static_cast<std::size_t>(k)].v); }
};

// Returns false if these features make no face (parallel edges) or a face with too many corners.
// For two edges, `near` selects the sign of the normal. Does not check that the features are
// farthest against each other.
bool difference_face(const PolyhedronPair& pair, const Feature& a, const Feature& b,
                     const Vec3& near, DifferenceFace& face);

// The face across edge k. Returns false if it cannot be determined, or if it is turned by 90
// degrees or more.
bool neighbour(const PolyhedronPair& pair, const DifferenceFace& face, int k, DifferenceFace& next);

}  // namespace abut
