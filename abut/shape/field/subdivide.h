// Meshes with more vertices: points of contact between meshes are looked for at vertices, and a long box has
// few (Steiner points; D-12).
//
//   abut::TriangleMesh fine = abut::subdivided(mesh, 1e-4);   // no triangle above 1 cm^2
#pragma once

#include "abut/shape/triangle_mesh.h"

namespace abut {

// The same surface with triangles of at most `largest` (m^2): longest sides are halved, with all their
// triangles, so that a closed mesh stays closed. Throws ShapeError beyond `most` triangles.
TriangleMesh subdivided(TriangleMesh mesh, double largest, std::size_t most = 1'000'000);

}  // namespace abut
