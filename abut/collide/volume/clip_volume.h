// clip_volume: the common part of two convex solids by cutting with one plane after the other, in
// buffers that are reused (the answer of K-15, for a step).
//
// A box around the region where the two can meet is cut down. While a vertex of it is outside one
// of the solids, it is cut by the face through which a ray from the solid's centre to that vertex
// leaves the solid. Neighbouring vertices leave through neighbouring faces, a cut touches only what
// it removes, and at the end each remaining plane is tested from its neighbour's nearest vertex.
// Therefore the work grows with the number of features in the result (H-17); a shallow overlap of
// two large hulls takes little more than one test for each of their planes.
//
// Cuts keep the surface closed whatever the rounding (cut_polyhedron.h): touching, coplanar and
// identical solids are not special cases. Faces of both solids in one plane, to kFlush of the size,
// count as A's (H-N4).
//
//   abut::ClipBuffers buffers;  // one a thread
//   abut::Intersection common;
//   abut::clip_volume(a, b, X_AB, buffers, common);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/collide/volume/cut_polyhedron.h"
#include "abut/collide/volume/intersection.h"
#include "abut/math/transform.h"

namespace abut {

// Buffers of clip_volume. They hold no part of the answer and no memory of earlier calls.
struct ClipBuffers {
  CutPolyhedron polyhedron;
  std::array<std::vector<std::uint8_t>, 2> used;  // planes of A and of B that have cut
  std::array<std::vector<int>, 2> near;           // a vertex at or near each plane; -1: unknown
  std::vector<int> joined, number;  // vertices in one place; their indices in the answer
  std::vector<std::uint8_t> face_seen;
  long looks = 0;  // number of vertices and planes tested: the cost (H-17)
};

// The answer is in the frame of A; X_AB places B in A. Two half-spaces, and solids that are not
// convex, give OverlapKind::none. A warm call allocates nothing.
void clip_volume(const Convex& A, const Convex& B, const Transform& X_AB, ClipBuffers& buffers,
                 Intersection& common);

}  // namespace abut
