// MJCF, MuJoCo's XML, as text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "abut/model/world.h"

namespace abut {

// `name` is the file name in messages; files that the text refers to are searched from `directory`.
// Throws WorldError.
World parse_mjcf(std::string_view xml, const std::string& name = "text",
                 const std::filesystem::path& directory = {});

}  // namespace abut
