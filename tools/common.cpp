#include "common.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "abut/collide/planar/planar_world.h"
#include "abut/load/load.h"
#include "abut/math/suggest.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/setting.h"
#include "progress.h"

namespace abut::tool {

namespace fs = std::filesystem;

namespace {

// The names one may type, those of a subfolder as one: "contact/.. (46)".
std::string world_names() {
  std::vector<std::string> names;
  std::map<std::string, int> in_folder;
  for (const NamedWorld& w : named_worlds()) {
    const auto slash = w.name.find('/');
    if (slash == std::string::npos)
      names.push_back(w.name);
    else
      ++in_folder[w.name.substr(0, slash)];
  }
  for (const auto& [folder, n] : in_folder)
    names.push_back(fmt::format("{}/.. ({}, see 'abut worlds')", folder, n));
  return join(names);
}

// A file of the folder that was typed; empty if none is near.
std::string other_file(const fs::path& typed) {
  std::vector<std::string> names;
  std::error_code ignored;
  const fs::path folder = typed.has_parent_path() ? typed.parent_path() : ".";
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (const fs::path& file = entry.path();
        file.extension() == ".xml" || file.extension() == ".urdf" || file.extension() == ".h5")
      names.push_back(typed.has_parent_path() ? file.string() : file.filename().string());
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return typed.has_extension() ? did_you_mean(typed.string(), candidates) : std::string();
}

// The nearest file beside it; else the nearest world: by its whole name, else by the name without its folder; else all names.
std::string other_world(const std::string& typed) {
  if (std::string near = other_file(typed); !near.empty()) return near;
  const std::vector<NamedWorld> worlds = named_worlds();
  const std::string stem = fs::path(typed).stem().string();
  std::vector<std::string_view> names;
  for (const NamedWorld& w : worlds) names.push_back(w.name);
  for (const std::string& word : {typed, stem})
    if (std::string near = did_you_mean(word, names); !near.empty())
      return near + " ('abut worlds' lists all)";
  for (const NamedWorld& w : worlds)
    if (fs::path(w.name).filename() == stem)
      return fmt::format("; did you mean '{}'? ('abut worlds' lists all)", w.name);
  return "; there are: " + world_names();
}

}  // namespace

std::vector<fs::path> world_folders() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  auto add = [&](const fs::path& folder) {
    if (!fs::is_directory(folder, ignored)) return;
    const fs::path real = fs::canonical(folder, ignored);
    if (std::find(folders.begin(), folders.end(), real) == folders.end()) folders.push_back(real);
  };
  add("worlds");
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) {
    add(program.parent_path().parent_path() / "share/abut/worlds");
    add(program.parent_path().parent_path().parent_path() / "worlds");
  } else {  // no /proc, as in a bare chroot
    add("/usr/share/abut/worlds");
    add("/usr/local/share/abut/worlds");
  }
  return folders;
}

std::vector<NamedWorld> named_worlds() {
  std::vector<NamedWorld> worlds;
  std::error_code ignored;
  auto add = [&](const fs::path& folder, const std::string& prefix) {
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".xml" && !entry.is_directory(ignored))
        worlds.push_back({prefix + entry.path().stem().string(), entry.path()});
  };
  for (const fs::path& folder : world_folders()) {
    add(folder, "");
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (const fs::path name = entry.path().filename(); entry.is_directory() && name != "parts")
        add(entry.path(), name.string() + "/");
  }
  // plain names first; of two of one name, the folder that is searched first has it
  std::stable_sort(worlds.begin(), worlds.end(), [](const NamedWorld& a, const NamedWorld& b) {
    const bool deep_a = a.name.find('/') != std::string::npos;
    const bool deep_b = b.name.find('/') != std::string::npos;
    return deep_a != deep_b ? deep_b : a.name < b.name;
  });
  worlds.erase(std::unique(worlds.begin(), worlds.end(),
                           [](const auto& a, const auto& b) { return a.name == b.name; }),
               worlds.end());
  return worlds;
}

fs::path find_world(const std::string& world) {
  std::error_code ignored;
  const bool folder = fs::is_directory(world, ignored);
  if (!folder && fs::exists(world, ignored)) return world;
  for (const NamedWorld& w : named_worlds())
    if (world == w.name || world == w.name + ".xml") return w.file;
  if (folder) throw UsageError(fmt::format("{}: is a folder; name a world file in it", world));
  throw UsageError(fmt::format("{}: no such file or world{}", world, other_world(world)));
}

std::vector<std::string> warning_lines(const Model& model) {
  std::vector<std::string> lines;
  for (const Warning& w : model.warnings) {
    const std::string where = to_string(w.source);
    lines.push_back(where.empty() ? w.text : where + ": " + w.text);
  }
  return lines;
}

void print_warnings(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) print_safe(stderr, "warning: {}\n", line);
}

Model load_for_tool(const std::string& world, bool quiet, const LoadOptions& options) {
  const ProgressBar bar(wants_progress(quiet), "loading " + world);
  Model model = load_model(find_world(world), options);
  checked_plane_of(model);
  return model;
}

double parse_number(std::string_view text, std::string_view what) {
  return abut::parse_number(text, what);
}

std::vector<double> parse_numbers(const std::string& text, std::string_view what) {
  std::error_code ignored;
  if (!fs::is_regular_file(text, ignored)) return parse_number_list(text, what);
  std::ifstream in(text);
  std::ostringstream all;
  all << in.rdbuf();
  return parse_number_list(all.str(), what);
}

void fill_numbers(std::vector<double>& target, const std::string& text, std::string_view flag) {
  if (text.empty()) return;
  std::vector<double> numbers = parse_numbers(text, flag);
  if (numbers.size() != target.size())
    throw UsageError(fmt::format("{}: {} numbers given, this world wants {}", flag, numbers.size(),
                                 target.size()));
  target = std::move(numbers);
}

void start_at_keyframe(const Model& model, const std::string& name, State& state, Input& input) {
  const int key = model.find_keyframe(name);
  if (key < 0) {
    std::vector<std::string> present;
    for (int i = 0; i < model.keyframe_names.size(); ++i)
      present.push_back(model.keyframe_names[i]);
    throw UsageError(present.empty()
                         ? fmt::format("--keyframe {}: this world has no keyframes", name)
                         : fmt::format("--keyframe {}: no such keyframe{}; there are: {}", name,
                                       did_you_mean(name, std::vector<std::string_view>(
                                                              present.begin(), present.end())),
                                       join(present)));
  }
  set_keyframe(model, key, state, &input);
}

void choose_integrator(Model& model, const std::string& name) {
  abut::choose_integrator(model, name);
}

void apply_setting(Model& model, const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("--set {}: write key=value", assignment));
  const std::string key = assignment.substr(0, equals);
  abut::apply_setting(model, key, assignment.substr(equals + 1), "--set " + key);
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    parts.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json to_json(const Quat& q) { return {q.w(), q.x(), q.y(), q.z()}; }

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
void print_json(const Json& document) { put(stdout, printable_json(json_text(document))); }

}  // namespace abut::tool
