// Names of the enumerations for users.
#pragma once

#include <string_view>

#include "abut/model/world.h"

namespace abut {

constexpr std::string_view type_name(JointType type) {
  switch (type) {
    case JointType::free:
      return "free";
    case JointType::ball:
      return "ball";
    case JointType::slide:
      return "slide";
    case JointType::hinge:
      return "hinge";
  }
  return "";
}

}  // namespace abut
