// Files that a URDF refers to: package://PACKAGE/path, file://, and plain paths.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

struct PackagePlaces {
  std::filesystem::path directory;  // of the URDF file
  std::filesystem::path meshdir;    // <mujoco><compiler meshdir>, relative to that
  bool strippath = false;           // <mujoco><compiler strippath>: only the file's name matters
  std::vector<std::filesystem::path> search;  // folders of packages, before the environment's
};

struct FoundFile {
  std::filesystem::path path;                // empty: not found
  std::vector<std::filesystem::path> tried;  // in this order
};

// A package is the nearest folder upwards from the URDF whose package.xml has its <name>, or which
// has its name, or which contains a folder of its name; otherwise a folder on the search path
// (given, ABUT_PACKAGE_PATH, ROS_PACKAGE_PATH, AMENT_PREFIX_PATH). If the file is not there, its
// last path component is searched beside the URDF, as in MuJoCo, and in the usual folders near it
// (meshes, assets, ../meshes).
FoundFile find_package_file(std::string_view name, const PackagePlaces& places);

}  // namespace abut
