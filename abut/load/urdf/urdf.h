// URDF, the robot format of ROS, as text. docs/worlds.md describes the conversion.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "abut/load/load_options.h"
#include "abut/load/xml_tree.h"
#include "abut/model/world.h"

namespace abut {

// `name` is the file name in messages; meshes are searched from `directory`. Throws WorldError.
World parse_urdf(std::string_view xml, const std::string& name = "text",
                 const std::filesystem::path& directory = {}, const LoadOptions& options = {});

// The world of a document.
World read_urdf(const Element& robot, const std::filesystem::path& directory,
                const LoadOptions& options);

}  // namespace abut
