// Options that a file does not specify.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace abut {

struct LoadOptions {
  // URDF: the root link gets a free joint. Otherwise it is fixed to the world, unless the robot has
  // a floating joint.
  bool floating_base = false;
  // generalized or maximal (model/maximal.h); empty: the file's abut.coordinates decides.
  std::string coordinates{};
  // URDF: folders with ROS packages, searched for package:// after the packages around the
  // file and before ABUT_PACKAGE_PATH, ROS_PACKAGE_PATH and AMENT_PREFIX_PATH.
  std::vector<std::filesystem::path> package_path{};
};

}  // namespace abut
