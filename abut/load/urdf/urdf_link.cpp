// Links: inertia, visual and collision geometry.
#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mesh/assimp_file.h"
#include "abut/load/urdf/urdf_context.h"

namespace abut {
namespace {

namespace fs = std::filesystem;

void read_inertial(const Element& e, const urdf::Inertial& inertial, BodyDesc& body) {
  InertialDesc& out = body.inertial.emplace();
  out.source = e.where;
  out.mass = inertial.mass;
  out.pose = to_pose(inertial.origin);
  Mat3 I;
  I << inertial.ixx, inertial.ixy, inertial.ixz, inertial.ixy, inertial.iyy, inertial.iyz,
      inertial.ixz, inertial.iyz, inertial.izz;
  if (I.isZero(0)) return;
  // compile() wants it about the axes of the body, URDF has it about those of its origin
  const Mat3 R = out.pose.q.toRotationMatrix();
  const Mat3 B = R * I * R.transpose();
  out.fullinertia = {B(0, 0), B(1, 1), B(2, 2), B(0, 1), B(0, 2), B(1, 2)};
}

fs::path mesh_path(const Element& mesh, const UrdfContext& urdf) {
  const std::string name = required(mesh, "filename");
  if (name.starts_with("http://") || name.starts_with("https://"))
    fail(mesh, "filename", "abut does not fetch files; download it and write its path");
  const FoundFile found = find_package_file(name, urdf.places);
  if (!found.path.empty()) return found.path;
  std::string places;
  for (const fs::path& path : found.tried) places += "\n    " + path.string();
  fail(mesh, fmt::format("no mesh file '{}'; {}looked for{}", name,
                         name.starts_with("package://")
                             ? "name the folder of its package in ABUT_PACKAGE_PATH; "
                             : "check the path; ",
                         places));
}

TriangleMesh read_mesh_file(const Element& mesh, const fs::path& path, UrdfContext& urdf) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (extension == ".stl" || extension == ".obj" || extension == ".msh")
    return urdf.mesh_files.get(path, mesh_format(path, {}, mesh.where), mesh.where);
  return read_with_assimp(path);
}

// The asset for a mesh at a scale, which several geoms share; its name in the world.
std::string mesh_asset(const Element& e, const urdf::Mesh& mesh, UrdfContext& urdf) {
  const fs::path path = mesh_path(e, urdf);
  const Vec3 scale = to_vec(mesh.scale);
  std::string& name =
      urdf.meshes[fmt::format("{} {} {} {}", path.string(), scale[0], scale[1], scale[2])];
  if (!name.empty()) return name;
  TriangleMesh data = read_mesh_file(e, path, urdf);
  if (data.vertices.size() < 4)
    fail(e, fmt::format("'{}' has {} vertices; a solid needs at least 4", path.string(),
                        data.vertices.size()));
  const std::string stem = path.stem().string();
  name = stem;
  for (int i = 1; !urdf.mesh_names.insert(name).second; ++i) name = stem + std::to_string(i);
  MeshDesc& out = urdf.world.meshes.emplace_back();
  out.name = name;
  out.source = e.where;
  out.vertices = std::move(data.vertices);
  out.faces = std::move(data.triangles);
  out.scale = scale;
  return name;
}

// False if it is a visual mesh that is not there, of which a warning is said.
bool read_shape(const Element& shape, const urdf::Geometry& geometry, bool visual,
                UrdfContext& urdf, GeomDesc& geom) {
  if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(&geometry)) {
    geom.type = ShapeKind::sphere;
    geom.size = {sphere->radius, 0, 0};
    geom.size_count = 1;
  } else if (const auto* box = dynamic_cast<const urdf::Box*>(&geometry)) {
    geom.type = ShapeKind::box;
    geom.size = 0.5 * to_vec(box->dim);
    geom.size_count = 3;
  } else if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(&geometry)) {
    geom.type = shape.tag == "capsule" ? ShapeKind::capsule : ShapeKind::cylinder;
    geom.size = {cylinder->radius, 0.5 * cylinder->length, 0};
    geom.size_count = 2;
  } else if (const auto* mesh = dynamic_cast<const urdf::Mesh*>(&geometry)) {
    geom.type = ShapeKind::mesh;
    try {
      geom.mesh = mesh_asset(shape, *mesh, urdf);
    } catch (const WorldError& error) {
      if (!visual) throw;
      urdf.warnings.once(
          "visual mesh " + mesh->filename, shape.where,
          fmt::format("the visual mesh '{}' is left out: {}", mesh->filename, error.what()));
      return false;
    }
  }
  return true;
}

// Names of geoms are unique in a world, in URDF they need not be.
void name_geom(const Element& e, UrdfContext& urdf, GeomDesc& geom) {
  std::string name;
  if (!read(e, "name", name) || name.empty()) return;
  if (urdf.geom_names.insert(name).second)
    geom.name = name;
  else
    urdf.warnings.once("geom names", e.where,
                       fmt::format("a second visual or collision '{}' stays without a name", name));
}

}  // namespace

void read_urdf_link(const Element& e, UrdfContext& urdf, BodyDesc& body) {
  const urdf::LinkConstSharedPtr link = urdf.dom->getLink(required(e, "name"));
  if (link->inertial) read_inertial(*e.child("inertial"), *link->inertial, body);
  std::size_t visuals = 0, collisions = 0;
  Vec4 colour = GeomDesc{}.rgba;
  for (const Element& c : e.children) {
    const bool visual = c.tag == "visual";
    if (!visual && c.tag != "collision") continue;
    GeomDesc geom;
    geom.source = c.where;
    const urdf::Geometry* geometry = nullptr;
    if (visual) {
      const urdf::Visual& v = *link->visual_array.at(visuals++);
      geometry = v.geometry.get();
      geom.pose = to_pose(v.origin);
      geom.contype = geom.conaffinity = 0;
      geom.group = 1;
      if (v.material && v.material->texture_filename.empty()) {
        const urdf::Color& rgba = v.material->color;
        colour = {rgba.r, rgba.g, rgba.b, rgba.a};
      } else if (!v.material && !v.material_name.empty()) {
        urdf.warnings.once(
            "material " + v.material_name, c.where,
            fmt::format("no such material '{}'; the link stays grey", v.material_name));
      }
      if (urdf.discardvisual) continue;
    } else {
      const urdf::Collision& v = *link->collision_array.at(collisions++);
      geometry = v.geometry.get();
      geom.pose = to_pose(v.origin);
    }
    geom.rgba = colour;
    if (visual || !urdf.weigh_geoms) geom.mass = 0;
    if (!read_shape(c.child("geometry")->children.front(), *geometry, visual, urdf, geom)) continue;
    name_geom(c, urdf, geom);
    body.geoms.push_back(std::move(geom));
  }
}

}  // namespace abut
