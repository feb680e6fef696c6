#include "abut/load/mjcf/mjcf_attach.h"

#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_names.h"
#include "abut/math/suggest.h"

namespace abut {
namespace {

constexpr int kMostModelsWithinModels = 16;

const BodyDesc* find_body(const BodyDesc& root, std::string_view name) {
  for (const BodyDesc& child : root.bodies) {
    if (child.name == name) return &child;
    if (const BodyDesc* found = find_body(child, name)) return found;
  }
  return nullptr;
}

void prefix_assets(BodyDesc& body, const std::string& prefix) {
  for (GeomDesc& geom : body.geoms) {
    if (!geom.mesh.empty()) geom.mesh = prefix + geom.mesh;
    if (!geom.hfield.empty()) geom.hfield = prefix + geom.hfield;
  }
  for (BodyDesc& child : body.bodies) prefix_assets(child, prefix);
}

template <typename Desc>
void copy_assets(const std::deque<Desc>& from, std::deque<Desc>& to, const std::string& prefix) {
  for (const Desc& asset : from) {
    Desc& copy = to.emplace_back(asset);
    copy.name = prefix + copy.name;
  }
}

const Submodel& find_model(const Element& e, const MjcfContext& mjcf) {
  if (!e.find("model"))
    fail(e,
         "<attach> of a part of the same file is not supported; name a model, or use <replicate>");
  const std::string name = required(e, "model");
  const auto found = mjcf.submodels.find(name);
  if (found != mjcf.submodels.end()) return *found->second;
  std::vector<std::string_view> names;
  for (const auto& entry : mjcf.submodels) names.push_back(entry.first);
  fail(e, "model",
       fmt::format("there is no model '{}' in <asset>{}", name, suggestion(name, names)));
}

const BodyDesc& find_frame(const Element& e, const Submodel& model) {
  const std::string name = required(e, "frame");
  const auto found = model.frames.find(name);
  if (found != model.frames.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& entry : model.frames) names.push_back(entry.first);
  fail(e, "frame",
       fmt::format("there is no frame '{}' in model '{}'{}", name, e.text("model"),
                   suggestion(name, names)));
}

}  // namespace

void read_submodel(const Element& e, MjcfContext& mjcf) {
  if (mjcf.submodel_depth >= kMostModelsWithinModels)
    fail(e, fmt::format("models are within models more than {} deep; does one contain itself?",
                        kMostModelsWithinModels));
  const std::filesystem::path path = mjcf.directory / required(e, "file");
  const std::string text = read_bytes(path, e.where);
  const XmlTree tree = read_xml_text(text, path.lexically_normal().string(), path.parent_path());
  if (tree.root.tag != "mujoco")
    fail(tree.root, "an attached model must be MJCF, with the root <mujoco>");
  auto submodel = std::make_unique<Submodel>();
  submodel->world =
      read_mjcf(tree.root, path.parent_path(), mjcf.submodel_depth + 1, &submodel->frames);
  const World& model = submodel->world;
  std::string name = std::string(tree.root.text("model"));
  read(e, "name", name);
  if (!model.keyframes.empty())
    mjcf.warnings.once("keyframes of a model", e.where,
                       "the keyframes of an attached model are left out");
  for (const Warning& w : model.warnings) mjcf.warnings.once(w.text, w.source, w.text);
  if (!mjcf.submodels.try_emplace(name, std::move(submodel)).second)
    fail(e, fmt::format("there is a model '{}' already; give this one another name", name));
}

void attach_model(const Element& e, MjcfContext& mjcf, BodyDesc& body, const Pose* frame) {
  const Submodel& submodel = find_model(e, mjcf);
  const World& model = submodel.world;
  const std::string prefix = std::string(e.text("prefix"));
  if (!e.find("prefix")) required(e, "prefix");
  if (e.find("body") && e.find("frame")) fail(e, "body and frame; keep one");

  // the part, alone in a body of its own
  BodyDesc part;
  if (e.find("body")) {
    const std::string name = required(e, "body");
    const BodyDesc* found = find_body(model.worldbody, name);
    if (!found)
      fail(e, "body", fmt::format("there is no body '{}' in model '{}'", name, e.text("model")));
    part.bodies.push_back(*found);
  } else if (e.find("frame")) {
    part = find_frame(e, submodel);
  } else {
    part = model.worldbody;
  }

  // the elements that refer to the part, and the assets that it uses
  NameSet names;
  collect_names(part, names);
  World rest = model;
  append_references(mjcf.world,
                    take_references(rest, std::move(names), 1,
                                    [&](const std::string& name, int) { return prefix + name; }));
  copy_assets(model.meshes, mjcf.world.meshes, prefix);
  copy_assets(model.hfields, mjcf.world.hfields, prefix);

  rename_tree(part, [&](const std::string& name) { return prefix + name; });
  prefix_assets(part, prefix);
  if (frame) move_contents(part, *frame);
  append_contents(body, std::move(part));
}

}  // namespace abut
