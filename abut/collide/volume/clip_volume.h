// clip_volume: the common part of two convex solids by cutting with one plane after the
// other, into buffers that are used again (K-15's answer, for stepping).
//
// A box around the place where the two can meet is cut down: as long as a vertex of it is
// outside one of the solids, by the face through which a ray from the solid's middle to
// that vertex leaves. Neighbouring vertices leave through neighbouring faces, a cut touches only
// what it takes off, and in the end each other plane is looked at from its neighbour's nearest
// vertex on: the work grows as the features that are there (H-17), and a shallow overlap of
// two large hulls takes little more than a last look at each of their planes.
//
// The cuts keep the surface closed whatever the numbers do (cut_polyhedron.h): touching,
// coplanar and identical solids are no special cases. Faces of both solids in one plane,
// to kFlush of the size, count as A's (H-N4).
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

// Relative to the pair's size: a plane that would cut off less than this cuts nothing, and
// vertices closer than this along an edge become one. Larger, and volumes lose digits;
// smaller, and equal faces of both solids are shared out by rounding.
constexpr double kFlush = 2e-14;

// What clip_volume works in. No part of the answer; nothing is remembered.
struct ClipBuffers {
  CutPolyhedron polyhedron;
  std::array<std::vector<std::uint8_t>, 2> used;  // planes of A and of B that have cut
  std::array<std::vector<int>, 2> near;           // a vertex at or near each plane; -1: unknown
  std::vector<int> joined, number;  // vertices in one place; their numbers in the answer
  std::vector<std::uint8_t> face_seen;
  long looks = 0;  // vertices and planes that the last call looked at: what it cost (H-17)
};

// In the frame of A; X_AB places B in A. Two half-spaces, and solids that are not convex,
// give OverlapKind::none. A warm call allocates nothing.
void clip_volume(const Convex& A, const Convex& B, const Transform& X_AB, ClipBuffers& buffers,
                 Intersection& common);

}  // namespace abut
