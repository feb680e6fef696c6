// Elevations from a PNG or from MuJoCo's binary file.
#pragma once

#include <filesystem>
#include <string_view>

#include "abut/model/world.h"

namespace abut {

// Fills rows, cols and elevation; row 0 is at the lowest y. A PNG is read as grey values 0 to 255
// (the red channel if it has colours), with its top row at the highest y.
void read_hfield_file(const std::filesystem::path& path, std::string_view content_type,
                      HfieldDesc& hfield);

// The most elevations a height field can have.
inline constexpr std::size_t kMostElevations = 50'000'000;

}  // namespace abut
