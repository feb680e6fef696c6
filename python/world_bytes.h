// A World as bytes and back, for pickle: every field of every part, in the order of world.h. Not a file
// format: only the same version of abut reads them.
#pragma once

#include <string>

#include "abut/model/world.h"

namespace abut::python {

std::string world_bytes(const World& world);
World world_from_bytes(const std::string& bytes);  // throws std::invalid_argument

}  // namespace abut::python
