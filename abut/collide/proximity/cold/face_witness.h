// FaceWitness: a point of a polyhedron that lies above a face of another and is lowest
// along that face's normal: what shows that a face's axis is the closest or least deep.
//
// The lowest part of a solid above a face can be a vertex, an edge or a face, and of an
// edge or face a piece alone need be above the face: a vertex is looked for first, then
// an edge, then a face.
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

// Relative to L: heights closer than this count as equal, and points this far beyond a
// border as inside.
constexpr double kWitness = 4e-10;

struct FaceWitness {
  Vec3 on_face = Vec3::Zero();  // in the plane of the face, in the face's frame
  Feature other;                // of the other solid, above that point
  bool inside = false;          // there is one; else `other` is the lowest vertex
};

// X_PQ places the other solid Q in P's frame. L: size of the pair (m). `lowest`: the
// vertex of Q that is lowest, if it is known.
FaceWitness face_witness(const Polyhedron& P, int face, const Polyhedron& Q, const Transform& X_PQ,
                         double L, int lowest = -1);
// The same for a point or a segment, given in P's frame; `other` says nothing then.
FaceWitness face_witness(const Polyhedron& P, int face, std::span<const Vec3> core, double L);

// How far a point is inside the prism over a face (m): the least distance to the planes
// through its edges along its normal, < 0 outside.
inline double inside_face(const Polyhedron& p, int face, const Vec3& point) {
  const Vec3 x = point - p.center;
  double least = std::numeric_limits<double>::infinity();
  for (const Polyhedron::Border& border : p.face_borders(face))
    least = std::min(least, border.inward.dot(x) - border.offset);
  return least;
}

}  // namespace abut
