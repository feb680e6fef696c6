// Pieces: a mesh that is not convex as convex solids that touch along seams.
//
// The solid is cut by planes until the hulls of the parts are near enough to it (an approximate
// convex decomposition). A part is what lies in a convex cell; its hull is the next cell. Each cut
// goes through the part with the largest error, along a plane of the surface near the worst place or
// through it, whichever leaves the least volume. Components of the mesh that are apart are parts
// from the start. A mesh that consists of convex parts, such as an L or a stair, comes out exact.
//
//   abut::Pieces pieces = abut::cut_into_pieces(mesh, {.error = 0.01});  // 1 % of the size
#pragma once

#include <vector>

#include "abut/shape/polyhedron.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

struct Pieces {
  std::vector<Polyhedron> solids;
  // m, measured at points of both surfaces: how far a piece reaches out of the mesh, and how deep in
  // a piece the mesh's surface lies.
  double error = 0;
};

struct PiecesOptions {
  double error = 0.01;  // fraction of the mesh's size; cutting ends when it is reached
  int most = 256;       // pieces; cutting ends there too
};

// Throws ShapeError if the mesh is not the surface of a solid: open, turned in and out, or cutting
// itself; the message says where.
Pieces cut_into_pieces(const TriangleMesh& mesh, const PiecesOptions& options = {});

}  // namespace abut
