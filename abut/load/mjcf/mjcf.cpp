// The order of reading: settings, then classes, then all elements that refer to others by name, and
// the tree last, so that <replicate> can copy the elements that refer to its contents.
#include "abut/load/mjcf/mjcf.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_context.h"

namespace abut {

namespace {

// MuJoCo combines RK4 with contacts. A file with RK4 must not be refused because a contact model of
// abut does not support RK4: euler runs instead, with a warning (Simulator), unless the file sets
// abut.integrator.else.
void let_rk4_yield(World& world) {
  const auto said = [](const TextDesc& t) { return t.name == "abut.integrator.else"; };
  if (world.option.integrator == Integrator::rk4 &&
      std::none_of(world.texts.begin(), world.texts.end(), said))
    world.texts.push_back({"abut.integrator.else", "euler", world.option_source});
}

}  // namespace

World read_mjcf(const Element& mujoco, const std::filesystem::path& directory, int submodel_depth,
                NamedFrames* frames) {
  World world;
  MjcfContext mjcf(world, directory, submodel_depth);
  check_schema(mujoco, mjcf.warnings);
  read(mujoco, "model", world.name);

  const auto each = [&](std::string_view tag, void (*section)(const Element&, MjcfContext&)) {
    for (const Element& e : mujoco.children)
      if (e.tag == tag) section(e, mjcf);
  };
  each("compiler", read_compiler);
  each("option", read_option);
  each("default", [](const Element& e, MjcfContext& m) { m.defaults.read(e, m.angles); });
  each("custom", read_custom);
  each("asset", read_assets);
  each("contact", read_contacts);
  each("equality", read_equalities);
  each("tendon", read_tendons);
  each("actuator", read_actuators);
  each("sensor", read_sensors);
  each("keyframe", read_keyframes);
  each("worldbody", read_worldbody);
  if (submodel_depth == 0) let_rk4_yield(world);
  if (frames != nullptr) *frames = std::move(mjcf.frames);
  return world;
}

World parse_mjcf(std::string_view xml, const std::string& name,
                 const std::filesystem::path& directory) {
  const XmlTree tree = read_xml_text(xml, name, directory);
  if (tree.root.tag != "mujoco")
    fail(tree.root,
         fmt::format("the root element is <{}>; MJCF starts with <mujoco>", tree.root.tag));
  return read_mjcf(tree.root, directory, 0);
}

}  // namespace abut
