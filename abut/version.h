// The version of the library that is linked, as "major.minor.patch".
#pragma once

#include <string_view>

namespace abut {

std::string_view version();

}  // namespace abut
