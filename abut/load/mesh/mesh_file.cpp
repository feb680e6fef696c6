#include "abut/load/mesh/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "abut/load/xml_tree.h"

namespace abut {
namespace {

[[noreturn]] void bad_file(const std::string& name, const std::string& message) {
  throw WorldError(Source{std::make_shared<const std::string>(name), 0}, message);
}

}  // namespace

MeshFormat mesh_format(const std::filesystem::path& path, std::string_view content_type,
                       const Source& where) {
  std::string kind(content_type);
  if (kind.empty()) {
    kind = path.extension().string();
    std::transform(kind.begin(), kind.end(), kind.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  }
  if (kind == ".obj" || kind == "model/obj") return MeshFormat::obj;
  if (kind == ".stl" || kind == "model/stl") return MeshFormat::stl;
  if (kind == ".msh" || kind == "model/vnd.mujoco.msh") return MeshFormat::msh;
  throw WorldError(
      where, fmt::format("cannot read mesh file '{}'; write it as OBJ, STL or MSH", path.string()));
}

// four counts (vertices, normals, texture coordinates, faces), then the arrays
TriangleMesh read_msh(std::string_view bytes, const std::string& name) {
  std::array<std::int32_t, 4> n{};
  if (bytes.size() < sizeof n) bad_file(name, "too short for an MSH file; write it again");
  std::memcpy(n.data(), bytes.data(), sizeof n);
  const auto [vertices, normals, texcoords, faces] = n;
  const bool sane = vertices >= 1 && faces >= 0 && (normals == 0 || normals == vertices) &&
                    (texcoords == 0 || texcoords == vertices);
  const auto words = [](std::int64_t per, std::int32_t count) { return 4 * per * count; };
  const std::int64_t size = static_cast<std::int64_t>(sizeof n) + words(3, vertices) +
                            words(3, normals) + words(2, texcoords) + words(3, faces);
  if (!sane || size != static_cast<std::int64_t>(bytes.size()))
    bad_file(name, "its counts do not fit its size; is it an MSH file?");

  TriangleMesh mesh;
  const char* at = bytes.data() + sizeof n;
  mesh.vertices.resize(static_cast<std::size_t>(vertices));
  for (Vec3& v : mesh.vertices) {
    std::array<float, 3> xyz{};
    std::memcpy(xyz.data(), at, sizeof xyz);
    at += sizeof xyz;
    for (float x : xyz)
      if (!std::isfinite(x)) bad_file(name, "a vertex is not a number; repair the file");
    v = {xyz[0], xyz[1], xyz[2]};
  }
  at += words(3, normals) + words(2, texcoords);
  mesh.triangles.resize(static_cast<std::size_t>(faces));
  for (std::array<int, 3>& face : mesh.triangles) {
    std::memcpy(face.data(), at, sizeof face);
    at += sizeof face;
    for (int corner : face)
      if (corner < 0 || corner >= vertices)
        bad_file(name, fmt::format("a face has no vertex {}", corner));
  }
  return mesh;
}

namespace {

TriangleMesh read_mesh(const std::string& bytes, const std::string& name, MeshFormat format,
                       ObjObjects objects) {
  TriangleMesh mesh = format == MeshFormat::obj   ? read_obj(bytes, name, objects)
                      : format == MeshFormat::stl ? read_stl(bytes, name)
                                                  : read_msh(bytes, name);
  if (mesh.vertices.empty())
    bad_file(name, "there are no vertices in it; write a mesh with at least four");
  return mesh;
}

}  // namespace

const TriangleMesh& MeshCache::get(const std::filesystem::path& path, MeshFormat format,
                                   const Source& where) {
  const auto found = meshes_.find(path);
  if (found != meshes_.end()) return found->second;
  const std::string bytes = read_bytes(path, where);
  try {
    return meshes_
        .emplace(path, read_mesh(bytes, path.lexically_normal().string(), format, objects_))
        .first->second;
  } catch (const WorldError& e) {
    throw WorldError(where, e.what());  // who asked for the file, then what is wrong in it
  }
}

}  // namespace abut
