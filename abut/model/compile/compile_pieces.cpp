// Meshes that collide in convex pieces: abut.mesh = pieces, for all or for one (abut.mesh.of.NAME).
#include <fmt/format.h>

#include <algorithm>

#include "abut/model/compile/compile_draft.h"
#include "abut/shape/error.h"
#include "abut/shape/pieces/pieces_cache.h"

namespace abut::compiling {
namespace {

constexpr std::string_view kOf = "abut.mesh.of.";

bool means_pieces(const TextDesc& text) {
  if (text.data == "pieces") return true;
  if (text.data == "hull") return false;
  throw WorldError(text.source,
                   fmt::format("{}: '{}'; there are hull, pieces", text.name, text.data));
}

std::vector<bool> wanted_in_pieces(const Draft& draft) {
  const NameTable& names = draft.model.mesh_names;
  std::vector<bool> wanted(draft.world.meshes.size(), false);
  for (const TextDesc& text : draft.world.texts)
    if (text.name == "abut.mesh") wanted.assign(wanted.size(), means_pieces(text));
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
    wanted[std::size_t(mesh)] = means_pieces(text);
  }
  return wanted;
}

PiecesOptions options_of(const World& world) {
  PiecesOptions options;
  for (const NumericDesc& d : world.numerics) {
    if (d.name != "abut.mesh.error" && d.name != "abut.mesh.most") continue;
    if (d.data.size() != 1 || !(d.data[0] > 0))
      throw WorldError(d.source, fmt::format("{}: write one positive number", d.name));
    if (d.name == "abut.mesh.error") options.error = d.data[0];
    if (d.name == "abut.mesh.most") options.most = static_cast<int>(std::min(d.data[0], 1e6));
  }
  return options;
}

}  // namespace

void make_pieces(Draft& draft) {
  const std::vector<bool> wanted = wanted_in_pieces(draft);
  const PiecesOptions options = options_of(draft.world);
  ShapeAssets& assets = draft.model.assets;
  for (int mesh = 0; mesh < static_cast<int>(wanted.size()); ++mesh) {
    const auto i = static_cast<std::size_t>(mesh);
    if (!wanted[i] || assets.hulls[i].vertices.empty()) continue;  // only seen and weighed
    assets.pieces.resize(wanted.size());
    try {
      assets.pieces[i] = cached_pieces(assets.meshes[i], options);
    } catch (const ShapeError& error) {
      Thing(draft.model.mesh_names, mesh, draft.world.meshes[i].source)
          .fail(fmt::format("it cannot be cut into pieces: {}; write abut.mesh.of.{} = hull",
                            error.what(), draft.model.mesh_names[mesh]));
    }
  }
}

}  // namespace abut::compiling
