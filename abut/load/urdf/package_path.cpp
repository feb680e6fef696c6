#include "abut/load/urdf/package_path.h"

#include <algorithm>
#include <cstdlib>
#include <pugixml.hpp>

namespace abut {
namespace fs = std::filesystem;
namespace {

bool is_folder(const fs::path& path) {
  std::error_code ec;
  return fs::is_directory(path, ec);
}

bool is_file(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

// The <name> in a folder's package.xml; empty without one.
std::string package_name(const fs::path& folder) {
  const fs::path file = folder / "package.xml";
  if (!is_file(file)) return {};
  pugi::xml_document document;
  document.load_file(file.c_str());
  std::string name = document.child("package").child("name").text().get();
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  std::erase_if(name, blank);
  return name;
}

// Adds the folders that could be the package: this folder, or one inside it.
void add_package(const fs::path& folder, const fs::path& package, std::vector<fs::path>& out) {
  const std::string name = package_name(folder);
  if (name == package || (name.empty() && folder.filename() == package)) out.push_back(folder);
  if (is_folder(folder / package)) out.push_back(folder / package);
}

void add_environment(const char* variable, const fs::path& below, std::vector<fs::path>& out) {
  const char* value = std::getenv(variable);
  std::string_view rest = value ? value : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) out.push_back(fs::path(rest.substr(0, end)) / below);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::vector<fs::path> package_folders(const fs::path& package, const PackagePlaces& places) {
  std::vector<fs::path> folders;
  std::error_code ec;
  fs::path up =
      fs::absolute(places.directory.empty() ? "." : places.directory, ec).lexically_normal();
  if (!up.has_filename()) up = up.parent_path();  // "a/b/" is a/b
  for (;; up = up.parent_path()) {
    add_package(up, package, folders);
    if (up == up.parent_path()) break;
  }
  std::vector<fs::path> search = places.search;
  add_environment("ABUT_PACKAGE_PATH", {}, search);
  add_environment("ROS_PACKAGE_PATH", {}, search);
  add_environment("AMENT_PREFIX_PATH", "share", search);
  for (const fs::path& folder : search) add_package(folder, package, folders);
  return folders;
}

bool take(std::string_view& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  return true;
}

}  // namespace

FoundFile find_package_file(std::string_view name, const PackagePlaces& places) {
  FoundFile found;
  const auto look = [&](const fs::path& path) {
    const fs::path tidy = path.lexically_normal();
    if (std::find(found.tried.begin(), found.tried.end(), tidy) != found.tried.end()) return false;
    found.tried.push_back(tidy);
    if (is_file(tidy)) found.path = tidy;
    return !found.path.empty();
  };

  const bool in_package = take(name, "package://") || take(name, "model://");
  if (!in_package) take(name, "file://");
  // package:///robot/x.stl: the package's name is missing, or there is a slash too many
  while (in_package && take(name, "/")) {
  }
  const fs::path file(name);
  const fs::path own = places.directory / places.meshdir;
  if (!places.strippath) {
    if (in_package) {
      const fs::path package = file.empty() ? file : *file.begin();
      const fs::path inside = file.lexically_relative(package);
      for (const fs::path& folder : package_folders(package, places))
        if (look(folder / inside)) return found;
      if (look(own / file) || look(places.directory / file)) return found;
    } else if (look(own / file) || look(places.directory / file)) {
      return found;
    }
  }
  const fs::path last = file.filename();
  for (const fs::path& folder : {own, places.directory, places.directory / "meshes",
                                 places.directory / "assets", places.directory / ".." / "meshes"})
    if (look(folder / last)) return found;
  return found;
}

}  // namespace abut
