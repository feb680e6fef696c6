// Meshes and height fields as the geoms use them.
#include <fmt/format.h>

#include <algorithm>

#include "abut/model/compile/compile_draft.h"
#include "abut/shape/error.h"
#include "abut/shape/hull.h"

namespace abut::compiling {
namespace {

Thing mesh_thing(const Draft& draft, int id) {
  return {draft.model.mesh_names, id, draft.world.meshes[std::size_t(id)].source};
}

void check_mesh(const Thing& thing, const MeshDesc& d) {
  if (d.vertices.size() < 4) {
    thing.fail(fmt::format("it has {} vertices; a solid needs at least 4", d.vertices.size()));
  }
  for (const Vec3& v : d.vertices) thing.vector("vertex", v);
  const int count = static_cast<int>(d.vertices.size());
  for (std::size_t f = 0; f < d.faces.size(); ++f) {
    for (const int v : d.faces[f]) {
      if (v < 0 || v >= count) {
        thing.fail(
            fmt::format("face {} names vertex {}, and there are {} (counted from 0)", f, v, count));
      }
    }
  }
  thing.vector("scale", d.scale);
  if (d.scale.cwiseAbs().minCoeff() == 0) {
    thing.fail("scale has a 0, which flattens the mesh; write three numbers other than 0");
  }
}

// The file's mesh moved by refpos and refquat, then scaled; outward faces stay outward.
TriangleMesh placed_mesh(const Thing& thing, const MeshDesc& d) {
  const Pose ref = thing.pose({d.refpos, d.refquat});
  const Mat3 R = ref.q.toRotationMatrix().transpose();
  TriangleMesh mesh{d.vertices, d.faces};
  for (Vec3& v : mesh.vertices) v = d.scale.cwiseProduct(R * (v - ref.p));
  if (d.scale.prod() < 0) {
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
  return mesh;
}

Polyhedron make_hull(const Thing& thing, const TriangleMesh& mesh) {
  try {
    return convex_hull(mesh.vertices);
  } catch (const ShapeError& error) {
    thing.fail(
        fmt::format("it has no convex hull ({}); if it is only to be seen, give its geoms "
                    "contype=\"0\" conaffinity=\"0\"",
                    error.what()));
  }
}

bool empty(const Polyhedron& hull) { return hull.vertices.empty(); }

const Polyhedron& hull_of(Draft& draft, int mesh) {
  ShapeAssets& assets = draft.model.assets;
  Polyhedron& hull = assets.hulls[std::size_t(mesh)];
  if (empty(hull)) hull = make_hull(mesh_thing(draft, mesh), assets.meshes[std::size_t(mesh)]);
  return hull;
}

// Meshes whose geoms can collide. The other meshes are only drawn and weighed, and the hull of a
// visual mesh of 100,000 vertices takes longer than the rest of loading.
std::vector<bool> colliding_meshes(const Draft& draft) {
  std::vector<bool> colliding(draft.world.meshes.size(), false);
  const auto mark = [&](const GeomDesc& geom) {
    const int id = geom.type == ShapeKind::mesh ? draft.model.mesh_names.find(geom.mesh) : -1;
    if (id >= 0) colliding[std::size_t(id)] = true;
  };
  for (const GeomDesc* geom : draft.geoms) {
    if (geom->contype != 0 || geom->conaffinity != 0) mark(*geom);
  }
  for (const PairDesc& pair : draft.world.pairs) {
    for (const std::string& name : {pair.geom1, pair.geom2}) {
      const int id = draft.model.geom_names.find(name);
      if (id >= 0) mark(*draft.geoms[std::size_t(id)]);
    }
  }
  return colliding;
}

void make_meshes(Draft& draft) {
  const auto& descriptions = draft.world.meshes;
  for (const MeshDesc& d : descriptions) {
    const int id = draft.model.mesh_names.add(d.name, d.source);
    const Thing thing = mesh_thing(draft, id);
    check_mesh(thing, d);
    draft.model.assets.meshes.push_back(placed_mesh(thing, d));
  }
  draft.model.assets.hulls.resize(descriptions.size());
  draft.mesh_inertia.resize(descriptions.size());
  const std::vector<bool> colliding = colliding_meshes(draft);
  for (std::size_t id = 0; id < descriptions.size(); ++id) {
    TriangleMesh& mesh = draft.model.assets.meshes[id];
    if (colliding[id] || mesh.triangles.empty()) hull_of(draft, static_cast<int>(id));
    if (mesh.triangles.empty()) mesh = triangulated(draft.model.assets.hulls[id]);
  }
}

void make_hfields(Draft& draft) {
  for (const HfieldDesc& d : draft.world.hfields) {
    const int id = draft.model.hfield_names.add(d.name, d.source);
    const Thing thing(draft.model.hfield_names, id, d.source);
    thing.numbers("elevation", d.elevation);
    thing.numbers("size", d.size);
    HeightField field{d.rows, d.cols, {d.size[0], d.size[1]}, d.size[2], d.size[3], d.elevation};
    normalise_heights(field.height);
    if (const std::string wrong = check(field); !wrong.empty()) thing.fail(wrong);
    draft.model.assets.hfields.push_back(std::move(field));
  }
}

// Vertices as MuJoCo stores them, in 32 bits.
std::vector<Vec3> in_floats(const std::vector<Vec3>& vertices) {
  std::vector<Vec3> rounded;
  for (const Vec3& v : vertices) rounded.push_back(v.cast<float>().cast<double>());
  return rounded;
}

// Shapes keep every digit of the file, but masses are those of the vertices in 32 bits, so
// that a robot weighs in abut what it weighs in MuJoCo (docs/decisions.md).
MassProperties mesh_properties(Draft& draft, int id) {
  MeshDesc described = draft.world.meshes[std::size_t(id)];
  const Thing thing = mesh_thing(draft, id);
  const bool convex = described.inertia == MeshInertia::convex || described.faces.empty();
  TriangleMesh mesh = draft.model.assets.meshes[std::size_t(id)];
  Polyhedron hull;
  std::vector<Vec3> rounded = in_floats(described.vertices);
  if (rounded == described.vertices) {
    if (convex) hull = hull_of(draft, id);
  } else {
    described.vertices = std::move(rounded);
    mesh = placed_mesh(thing, described);
    if (convex) hull = make_hull(thing, mesh);
    if (described.faces.empty()) mesh = triangulated(hull);
  }
  switch (described.inertia) {
    case MeshInertia::convex:
      return solid_polyhedron(hull);
    case MeshInertia::shell:
      return shell_mesh(mesh);
    case MeshInertia::legacy:
      return legacy_mesh(mesh);
    case MeshInertia::exact:
      break;
  }
  const MeshCheck found = check(welded(mesh));
  if (found.watertight && !found.oriented) {
    thing.fail(
        "its faces are turned in and out; turn them all one way, or write "
        "inertia=\"convex\"");
  }
  return solid_mesh(mesh);
}

}  // namespace

void make_assets(Draft& draft) {
  make_meshes(draft);
  make_hfields(draft);
}

const PrincipalInertia& mesh_inertia(Draft& draft, int id) {
  std::optional<PrincipalInertia>& known = draft.mesh_inertia[std::size_t(id)];
  if (known) return *known;
  const Thing thing = mesh_thing(draft, id);
  const MassProperties properties = mesh_properties(draft, id);
  if (properties.mass <= -kTiny) {
    thing.fail(
        "its volume is negative: the faces point inwards; turn them, or write "
        "inertia=\"convex\"");
  }
  if (properties.mass < kTiny) {
    thing.fail(draft.world.meshes[std::size_t(id)].inertia == MeshInertia::shell
                   ? "its area is zero, so it cannot weigh anything; give the geom mass=\"0\""
                   : "its volume is zero, so its mass cannot be found; write inertia=\"shell\" on "
                     "the mesh, or give the geom mass=\"0\"");
  }
  known = principal_inertia_of_mesh(properties);
  return *known;
}

}  // namespace abut::compiling
