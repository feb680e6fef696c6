// Triangles from mesh files: OBJ, STL (binary and text), MSH (MuJoCo's binary).
//
// Coordinates are rounded to float, as in MuJoCo, so that the masses of robots agree. The readers
// are our own: on 600 OBJ files of robots assimp takes five times as long (2.3 s against 0.5 s),
// duplicates vertices and splits quads that are not flat along another diagonal, which changes
// volumes by up to 3e-3. On STL the two agree, but assimp's duplicated vertices would have to be
// merged again.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "abut/model/world.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

enum class MeshFormat { obj, stl, msh };

// The format by content type ("model/obj"), else by extension. Throws WorldError at `where`.
MeshFormat mesh_format(const std::filesystem::path& path, std::string_view content_type,
                       const Source& where);

// Of an OBJ file with several objects or groups, MuJoCo reads the first, and readers of URDF read
// all.
enum class ObjObjects { first, all };

// An OBJ or MSH file may contain points only. Each function throws WorldError with the name of the
// mesh file and, if it has lines, the line.
TriangleMesh read_obj(std::string_view bytes, const std::string& name,
                      ObjObjects objects = ObjObjects::all);
TriangleMesh read_stl(std::string_view bytes, const std::string& name);
TriangleMesh read_msh(std::string_view bytes, const std::string& name);

// Reads each file once.
class MeshCache {
 public:
  explicit MeshCache(ObjObjects objects) : objects_(objects) {}
  const TriangleMesh& get(const std::filesystem::path& path, MeshFormat format,
                          const Source& where);

 private:
  ObjObjects objects_;
  std::map<std::filesystem::path, TriangleMesh> meshes_;
};

}  // namespace abut
