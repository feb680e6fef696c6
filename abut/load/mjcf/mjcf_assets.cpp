// <asset>: meshes, height fields, the colours of materials, other models.
#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mesh/builtin_mesh.h"
#include "abut/load/mesh/hfield_file.h"
#include "abut/load/mjcf/mjcf_attach.h"
#include "abut/load/mjcf/mjcf_context.h"
#include "abut/load/mjcf/mjcf_elements.h"

namespace abut {
namespace {

namespace fs = std::filesystem;

fs::path asset_path(const Element& e, const MjcfContext& mjcf) {
  fs::path file = required(e, "file");
  if (mjcf.strippath) file = file.filename();
  const fs::path folder = mjcf.directory / mjcf.meshdir;
  std::error_code ec;
  if (!file.is_absolute() && !fs::exists(folder / file, ec)) {
    // an included file may name files in its own folder
    const fs::path own = fs::path(*e.where.file).parent_path().lexically_relative(mjcf.directory);
    if (fs::exists(folder / own / file, ec)) return folder / own / file;
  }
  return folder / file;
}

// Inline numbers keep the precision they are written in (MuJoCo rounds them to float).
void read_inline_mesh(const Element& e, MeshDesc& mesh) {
  std::vector<double> xyz;
  read_list(e, "vertex", xyz);
  if (xyz.empty() || xyz.size() % 3 != 0)
    fail(e, "vertex", fmt::format("has {} numbers; write three for each vertex", xyz.size()));
  for (std::size_t i = 0; i < xyz.size(); i += 3)
    mesh.vertices.emplace_back(xyz[i], xyz[i + 1], xyz[i + 2]);
}

void read_inline_faces(const Element& e, MeshDesc& mesh) {
  std::vector<int> corners;
  read_list(e, "face", corners);
  if (corners.size() % 3 != 0)
    fail(e, "face",
         fmt::format("has {} numbers; write three vertices for each face", corners.size()));
  const int count = static_cast<int>(mesh.vertices.size());
  for (int corner : corners)
    if (corner < 0 || corner >= count)
      fail(e, "face", fmt::format("names vertex {}, but they go from 0 to {}", corner, count - 1));
  for (std::size_t i = 0; i < corners.size(); i += 3)
    mesh.faces.push_back({corners[i], corners[i + 1], corners[i + 2]});
}

void read_mesh(const Element& e, MjcfContext& mjcf) {
  MeshDesc mesh = mjcf.defaults.of(e, "class", mjcf.defaults.main()).mesh;
  read_mesh_attributes(e, mesh);
  if (e.child("plugin")) return;  // warned of already
  if (e.find("builtin") && e.text("builtin") != "none") {
    if (e.find("file") || e.find("vertex")) fail(e, "builtin and file or vertex; keep one");
    TriangleMesh made = builtin_mesh(e);
    mesh.vertices = std::move(made.vertices);
    mesh.faces = std::move(made.triangles);
    if (mesh.name.empty()) required(e, "name");
  } else if (e.find("file")) {
    if (e.find("vertex")) fail(e, "both file and vertex; keep one");
    const fs::path path = asset_path(e, mjcf);
    const TriangleMesh& data =
        mjcf.mesh_files.get(path, mesh_format(path, e.text("content_type"), e.where), e.where);
    mesh.vertices = data.vertices;
    mesh.faces = data.triangles;
    if (mesh.faces.empty())
      read_inline_faces(e, mesh);
    else if (e.find("face"))
      fail(e, "face", "the file has faces already; remove these");
    if (mesh.name.empty()) mesh.name = path.stem().string();
  } else if (e.find("vertex")) {
    read_inline_mesh(e, mesh);
    read_inline_faces(e, mesh);
    if (mesh.name.empty()) required(e, "name");
  } else {
    fail(e, "<mesh> has no data; add file=\"...\" or vertex=\"...\"");
  }
  mjcf.world.meshes.push_back(std::move(mesh));
}

// Rows are written from the top of a map down, and kept from the lowest y up.
void read_inline_hfield(const Element& e, HfieldDesc& hfield) {
  if (hfield.rows < 1 || hfield.cols < 1)
    fail(e, "<hfield> has no data; add file=\"...\", or nrow and ncol of 1 or more");
  const auto rows = static_cast<std::size_t>(hfield.rows),
             cols = static_cast<std::size_t>(hfield.cols);
  if (rows * cols > kMostElevations)
    fail(e, fmt::format("<hfield> has more than {} elevations; write fewer rows", kMostElevations));
  std::vector<double> written;
  if (!read_list(e, "elevation", written)) written.assign(rows * cols, 0);
  if (written.size() != rows * cols)
    fail(e, "elevation",
         fmt::format("has {} numbers; nrow * ncol is {}", written.size(), rows * cols));
  for (std::size_t r = rows; r-- > 0;)
    hfield.elevation.insert(hfield.elevation.end(),
                            written.begin() + static_cast<std::ptrdiff_t>(r * cols),
                            written.begin() + static_cast<std::ptrdiff_t>((r + 1) * cols));
}

void read_hfield(const Element& e, MjcfContext& mjcf) {
  HfieldDesc& hfield = mjcf.world.hfields.emplace_back();
  hfield.source = e.where;
  read(e, "name", hfield.name);
  required(e, "size");
  read(e, "size", hfield.size);
  for (double s : hfield.size)
    if (!(s > 0))
      fail(e, "size", "must be above zero; write half x, half y, top and bottom in metres");
  read(e, "nrow", hfield.rows);
  read(e, "ncol", hfield.cols);
  if (e.find("file")) {
    if (hfield.rows != 0 || hfield.cols != 0 || e.find("elevation"))
      fail(e, "file and nrow, ncol or elevation; keep one or the other");
    const fs::path path = asset_path(e, mjcf);
    read_hfield_file(path, e.text("content_type"), hfield);
    if (hfield.name.empty()) hfield.name = path.stem().string();
  } else {
    read_inline_hfield(e, hfield);
    if (hfield.name.empty()) required(e, "name");
  }
}

void read_material(const Element& e, MjcfContext& mjcf) {
  Vec4 colour = mjcf.defaults.of(e, "class", mjcf.defaults.main()).material_rgba;
  read(e, "rgba", colour);
  if (e.find("name")) mjcf.material_colours[std::string(e.text("name"))] = colour;
}

}  // namespace

void read_assets(const Element& section, MjcfContext& mjcf) {
  for (const Element& e : section.children) {
    if (e.tag == "mesh")
      read_mesh(e, mjcf);
    else if (e.tag == "hfield")
      read_hfield(e, mjcf);
    else if (e.tag == "material")
      read_material(e, mjcf);
    else if (e.tag == "model")
      read_submodel(e, mjcf);
  }
}

}  // namespace abut
