// The volumes of a mesh and its convex hull. Solids collide as hulls: where the two volumes differ,
// hollows and holes of the mesh are filled.
#pragma once

#include "abut/shape/polyhedron.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

struct MeshVolume {
  double mesh = 0;     // m^3, inside the faces; only a guess if the mesh is not closed
  double hull = 0;     // m^3
  bool closed = true;  // the faces close consistently, or the two volumes agree
  int open_edges = 0;  // edges of one triangle, if it is not closed

  // The volume that the hull adds, relative to the mesh. 0 if unknown.
  double excess() const { return mesh > 0 ? hull / mesh - 1 : 0; }
  bool differs() const;
};

// An excess above this causes a warning.
inline constexpr double kHullExcess = 0.01;

inline bool MeshVolume::differs() const { return hull > 0 && !(hull - mesh <= kHullExcess * mesh); }

// Sums signed tetrahedra of the mesh and of the hull. Checks whether the mesh is closed only if the
// two volumes differ.
MeshVolume mesh_volume(const TriangleMesh& mesh, const Polyhedron& hull);

}  // namespace abut
