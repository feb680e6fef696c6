// MeshField: a mesh that collides by its distance field (abut.mesh = field): the field says quickly what is inside
// and what is far away, the triangles give distances near the surface.
//
//   abut::MeshField field = abut::make_mesh_field(mesh, {.error = 0.01});   // 1 % of the size
//   abut::SurfaceMesh::Place near = field.place(x, reach);
#pragma once

#include <string>

#include "abut/shape/field/distance_field.h"
#include "abut/shape/field/surface_mesh.h"

namespace abut {

struct MeshFieldOptions {
  double error = 0.01;  // fraction of the mesh's size: of the field, near the surface
  double area = 0;      // m^2: triangles are halved until none is larger; 0: as they are
};

struct MeshField {
  SurfaceMesh surface;
  DistanceField field;
  double error = 0;    // m: that was asked for
  bool closed = true;  // else the mesh has small holes, and its field decides what is inside

  // As SurfaceMesh::place(); points that the field knows to be beyond `bound` cost a query of the field alone.
  SurfaceMesh::Place place(const Vec3& x, double bound) const;
};

// Why a mesh has no inside, or "". Small holes are allowed: across by no more than kSmallHole of the size.
std::string why_no_field(const TriangleMesh& mesh);

// Throws ShapeError with that reason. `known`: the field, if it was made before.
MeshField make_mesh_field(const TriangleMesh& mesh, const MeshFieldOptions& options = {},
                          const DistanceField* known = nullptr);

}  // namespace abut
