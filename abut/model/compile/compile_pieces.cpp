// Meshes that collide in convex pieces or by a distance field: abut.mesh = pieces or field, for all or for one
// (abut.mesh.of.NAME).
#include <fmt/format.h>

#include <algorithm>

#include "abut/model/compile/compile_draft.h"
#include "abut/shape/error.h"
#include "abut/shape/field/field_cache.h"
#include "abut/shape/pieces/pieces_cache.h"

namespace abut::compiling {
namespace {

constexpr std::string_view kOf = "abut.mesh.of.";

enum class MeshAs { hull, pieces, field };

MeshAs meaning_of(const TextDesc& text) {
  if (text.data == "hull") return MeshAs::hull;
  if (text.data == "pieces") return MeshAs::pieces;
  if (text.data == "field") return MeshAs::field;
  throw WorldError(text.source,
                   fmt::format("{}: '{}'; there are hull, pieces, field", text.name, text.data));
}

std::vector<MeshAs> wanted_of(const Draft& draft) {
  const NameTable& names = draft.model.mesh_names;
  std::vector<MeshAs> wanted(draft.world.meshes.size(), MeshAs::hull);
  for (const TextDesc& text : draft.world.texts)
    if (text.name == "abut.mesh") wanted.assign(wanted.size(), meaning_of(text));
  for (const TextDesc& text : draft.world.texts) {
    if (!text.name.starts_with(kOf)) continue;
    const std::string name = text.name.substr(kOf.size());
    const int mesh = names.find(name);
    if (mesh < 0) {
      const std::string nearest = names.nearest(name);
      throw WorldError(text.source,
                       fmt::format("{}: there is no mesh '{}'{}", text.name, name,
                                   nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    }
    wanted[std::size_t(mesh)] = meaning_of(text);
  }
  return wanted;
}

struct MeshOptions {
  PiecesOptions pieces;
  MeshFieldOptions field;
};

MeshOptions options_of(const World& world) {
  MeshOptions options;
  for (const NumericDesc& d : world.numerics) {
    if (d.name != "abut.mesh.error" && d.name != "abut.mesh.most" && d.name != "abut.mesh.area")
      continue;
    if (d.data.size() != 1 || !(d.data[0] > 0))
      throw WorldError(d.source, fmt::format("{}: write one positive number", d.name));
    if (d.name == "abut.mesh.error") options.pieces.error = options.field.error = d.data[0];
    if (d.name == "abut.mesh.most")
      options.pieces.most = static_cast<int>(std::min(d.data[0], 1e6));
    if (d.name == "abut.mesh.area") options.field.area = d.data[0];
  }
  return options;
}

[[noreturn]] void refuse(const Draft& draft, int mesh, std::string_view what,
                         const ShapeError& error) {
  Thing(draft.model.mesh_names, mesh, draft.world.meshes[static_cast<std::size_t>(mesh)].source)
      .fail(fmt::format("it {}: {}; write abut.mesh.of.{} = hull", what, error.what(),
                        draft.model.mesh_names[mesh]));
}

}  // namespace

void make_pieces(Draft& draft) {
  const std::vector<MeshAs> wanted = wanted_of(draft);
  const MeshOptions options = options_of(draft.world);
  ShapeAssets& assets = draft.model.assets;
  for (int mesh = 0; mesh < static_cast<int>(wanted.size()); ++mesh) {
    const auto i = static_cast<std::size_t>(mesh);
    if (wanted[i] == MeshAs::hull || assets.hulls[i].vertices.empty())
      continue;  // only seen and weighed
    const bool by_field = wanted[i] == MeshAs::field;
    try {
      if (by_field) {
        assets.fields.resize(wanted.size());
        assets.fields[i] =
            std::make_shared<const MeshField>(cached_mesh_field(assets.meshes[i], options.field));
      } else {
        assets.pieces.resize(wanted.size());
        assets.pieces[i] = cached_pieces(assets.meshes[i], options.pieces);
      }
    } catch (const ShapeError& error) {
      refuse(draft, mesh, by_field ? "has no distance field" : "cannot be cut into pieces", error);
    }
  }
}

}  // namespace abut::compiling
