// How much a mesh and its convex hull hold. Solids collide as hulls: where the two volumes differ,
// hollows and holes of the mesh are filled.
#pragma once

#include "abut/shape/polyhedron.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

struct MeshVolume {
  double mesh = 0;     // m^3, within the faces; of a mesh that is not closed no more than a guess
  double hull = 0;     // m^3
  bool closed = true;  // the faces close up and are turned alike, or the two volumes agree anyway
  int open_edges = 0;  // edges of one triangle, if it is not closed

  // What the hull adds, relative to the mesh. 0 where neither is known.
  double excess() const { return mesh > 0 ? hull / mesh - 1 : 0; }
  bool differs() const;
};

// More than this is worth a warning.
inline constexpr double kHullExcess = 0.01;

inline bool MeshVolume::differs() const { return hull > 0 && !(hull - mesh <= kHullExcess * mesh); }

// The faces' signed tetrahedra, and those of the hull. Whether the mesh is closed is looked at only
// where the two differ.
MeshVolume mesh_volume(const TriangleMesh& mesh, const Polyhedron& hull);

}  // namespace abut
