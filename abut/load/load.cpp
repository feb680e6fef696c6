#include "abut/load/load.h"

#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_context.h"
#include "abut/load/urdf/urdf_context.h"
#include "abut/model/maximal.h"

namespace abut {

namespace {

World read_world(const XmlTree& tree, const std::filesystem::path& directory,
                 const LoadOptions& options) {
  if (tree.root.tag == "mujoco") return read_mjcf(tree.root, directory, 0);
  if (tree.root.tag == "robot") return read_urdf(tree.root, directory, options);
  fail(tree.root, fmt::format("the root element is <{}>; a world starts with <mujoco> (MJCF) or "
                              "<robot> (URDF)",
                              tree.root.tag));
}

}  // namespace

World load_world(const std::filesystem::path& file, const LoadOptions& options) {
  return read_world(read_xml_file(file), file.parent_path(), options);
}

World parse_world(std::string_view xml, const std::string& name,
                  const std::filesystem::path& directory, const LoadOptions& options) {
  return read_world(read_xml_text(xml, name, directory), directory, options);
}

Model load_model(const std::filesystem::path& file, const LoadOptions& options) {
  World world = load_world(file, options);
  if (!options.coordinates.empty()) ask_for_coordinates(world, options.coordinates);
  return compile(world);
}

}  // namespace abut
