// FaceWitness: a point of a polyhedron that lies above a face of another one and is lowest along
// that face's normal. It proves that the face's axis is the closest or least deep.
//
// The lowest part of a solid above a face can be a vertex, an edge or a face; only a piece of an
// edge or a face may be above the face. A vertex is searched first, then an edge, then a face.
//
//   abut::FaceWitness w = abut::face_witness(A, 3, B, X_AB, A.size + B.size);
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut {

struct FaceWitness {
  Vec3 on_face = Vec3::Zero();  // in the plane and in the frame of the face
  Feature other;                // feature of the other solid above that point
  bool inside = false;          // such a point exists; else `other` is the lowest vertex
};

// X_PQ places the other solid Q in P's frame. L: size of the pair (m). `lowest`: the lowest vertex
// of Q, if it is known.
FaceWitness face_witness(const Polyhedron& P, int face, const Polyhedron& Q, const Transform& X_PQ,
                         double L, int lowest = -1);
// The same for a point or a segment, given in P's frame; `other` is not set then.
FaceWitness face_witness(const Polyhedron& P, int face, std::span<const Vec3> core, double L);

// Distance (m) of a point from the border of the prism over a face, positive inside: the least
// distance to the planes through the face's edges along its normal.
inline double inside_face(const Polyhedron& p, int face, const Vec3& point) {
  const Vec3 x = point - p.center;
  double least = std::numeric_limits<double>::infinity();
  for (const Polyhedron::Border& border : p.face_borders(face))
    least = std::min(least, border.inward.dot(x) - border.offset);
  return least;
}

}  // namespace abut
