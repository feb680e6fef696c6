#include "abut/load/load.h"

#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_context.h"
#include "abut/load/urdf/urdf_context.h"
#include "abut/model/maximal.h"

namespace abut {

World load_world(const std::filesystem::path& file, const LoadOptions& options) {
  const XmlTree tree = read_xml_file(file);
  if (tree.root.tag == "mujoco") return read_mjcf(tree.root, file.parent_path(), 0);
  if (tree.root.tag == "robot") return read_urdf(tree.root, file.parent_path(), options);
  fail(tree.root, fmt::format("the root element is <{}>; a world starts with <mujoco> (MJCF) or "
                              "<robot> (URDF)",
                              tree.root.tag));
}

Model load_model(const std::filesystem::path& file, const LoadOptions& options) {
  World world = load_world(file, options);
  if (!options.coordinates.empty()) ask_for_coordinates(world, options.coordinates);
  return compile(world);
}

}  // namespace abut
