#include "abut/shape/mesh_volume.h"

#include <cmath>

namespace abut {

MeshVolume mesh_volume(const TriangleMesh& mesh, const Polyhedron& hull) {
  MeshVolume v;
  v.mesh = std::abs(solid_mesh(mesh).mass);  // also of faces that all point inwards
  v.hull = solid_polyhedron(hull).mass;
  if (!v.differs()) return v;
  const MeshCheck found = check(welded(mesh));
  v.closed = found.oriented;
  v.open_edges = found.open_edges;
  return v;
}

}  // namespace abut
