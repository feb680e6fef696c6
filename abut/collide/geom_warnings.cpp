#include "abut/collide/geom_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/math/index.h"
#include "abut/shape/mesh_volume.h"

namespace abut {

namespace {

// At most this many meshes are named; the rest are only counted.
constexpr std::size_t kMostMeshes = 8;

bool meets_any(const PairFilter& filter, int g) {
  for (int other = 0; other < filter.count(); ++other)
    if (other != g && filter.allows(g, other)) return true;
  return false;
}

// A mesh with a larger hull, and the geoms that collide as that hull.
struct Filled {
  int mesh = 0, geom = 0, others = 0;
  MeshVolume volume;
};

std::vector<Filled> filled_meshes(const Model& model, const PairFilter& filter) {
  std::vector<Filled> all;
  for (int g = 0; g < filter.count(); ++g) {
    const Shape& shape = model.geoms[at(g)].shape;
    if (shape.kind != ShapeKind::mesh || model.solids.is_compound(g) || !meets_any(filter, g))
      continue;
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const Filled& f) { return f.mesh == shape.asset; });
    if (known != all.end()) {
      ++known->others;
      continue;
    }
    const Polyhedron& hull = model.assets.hulls[at(shape.asset)];
    const TriangleMesh& mesh = model.assets.meshes[at(shape.asset)];
    if (hull.vertices.empty() || mesh.triangles.empty()) continue;
    all.push_back({shape.asset, g, 0, mesh_volume(mesh, hull)});
  }
  std::erase_if(all, [](const Filled& f) { return !f.volume.differs(); });
  // largest excess first; for a mesh that is not closed, by the volume that its faces seem to
  // enclose
  std::stable_sort(all.begin(), all.end(), [](const Filled& a, const Filled& b) {
    return a.volume.hull * b.volume.mesh > b.volume.hull * a.volume.mesh;
  });
  return all;
}

std::string line_of(const Model& model, const Filled& f) {
  const MeshVolume& v = f.volume;
  const std::string who = fmt::format(
      "geom '{}'{} collides as the convex hull of mesh '{}'", model.geom_names[f.geom],
      f.others > 0 ? fmt::format(" (and {} more)", f.others) : "", model.mesh_names[f.mesh]);
  if (v.closed)
    return fmt::format(
        "{}: {:.4g} m^3 instead of {:.4g} m^3, {:.3g} % more; holes and hollows are "
        "filled. Write abut.mesh = pieces or field, or build it of convex parts, to keep them",
        who, v.hull, v.mesh, 100 * v.excess());
  return fmt::format(
      "{}, {:.4g} m^3. The mesh is not closed ({}), so that its own volume is not certain; its "
      "faces hold about {:.4g} m^3. Holes and hollows, if it has any, are filled",
      who, v.hull,
      v.open_edges > 0 ? fmt::format("{} edges have a face on one side only", v.open_edges)
                       : "its faces are not all turned the same way",
      v.mesh);
}

}  // namespace

std::vector<std::string> geom_warnings(const Model& model, const ConvexSet& solids,
                                       const PairFilter& filter) {
  std::vector<std::string> lines;
  for (int g = 0; g < solids.count(); ++g) {
    if (solids.can_collide(g) || !meets_any(filter, g)) continue;
    lines.push_back(
        fmt::format("geom '{}' is a mesh without volume: nothing touches it", model.geom_names[g]));
  }
  const std::vector<Filled> filled = filled_meshes(model, filter);
  for (std::size_t i = 0; i < std::min(filled.size(), kMostMeshes); ++i)
    lines.push_back(line_of(model, filled[i]));
  if (filled.size() > kMostMeshes)
    lines.push_back(
        fmt::format("{} more meshes differ from their convex hulls by more than {:g} % "
                    "of their volume",
                    filled.size() - kMostMeshes, 100 * kHullExcess));
  return lines;
}

}  // namespace abut
