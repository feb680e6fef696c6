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
#include "abut/contact/choose.h"
#include "abut/dynamics/integrate.h"
#include "abut/load/load.h"
#include "abut/math/suggest.h"
#include "abut/model/kinematics.h"
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

// The nearest world: by its whole name, else by the name without its folder; else all names.
std::string other_world(const std::string& typed) {
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

bool parse_switch(const std::string& key, const std::string& value) {
  if (value == "on" || value == "enable" || value == "true" || value == "1") return true;
  if (value == "off" || value == "disable" || value == "false" || value == "0") return false;
  throw UsageError(fmt::format("--set {}={}: write on or off", key, value));
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
  auto plain = [&](std::string_view part) {
    const std::string s(part);
    char* end = nullptr;
    const double x = std::strtod(s.c_str(), &end);
    if (s.empty() || *end != '\0' || !std::isfinite(x))
      throw UsageError(fmt::format("{}: '{}' is no number", what, text));
    return x;
  };
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return plain(text);
  const double below = plain(text.substr(slash + 1));
  if (below == 0) throw UsageError(fmt::format("{}: '{}' divides by zero", what, text));
  return plain(text.substr(0, slash)) / below;
}

namespace {

std::vector<double> parse_list(std::string list, std::string_view what) {
  std::replace_if(
      list.begin(), list.end(),
      [](char c) { return c == ',' || c == '\n' || c == '\t' || c == '\r'; }, ' ');
  std::istringstream words(list);
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(parse_number(word, what));
  return numbers;
}

}  // namespace

std::vector<double> parse_numbers(const std::string& text, std::string_view what) {
  std::error_code ignored;
  if (!fs::is_regular_file(text, ignored)) return parse_list(text, what);
  std::ifstream in(text);
  std::ostringstream all;
  all << in.rdbuf();
  return parse_list(all.str(), what);
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
  std::vector<std::string_view> names;
  for (const Integrator i :
       {Integrator::euler, Integrator::implicit, Integrator::explicit_euler, Integrator::rk4}) {
    names.push_back(integrator_name(i));
    if (name == integrator_name(i)) {
      model.option.integrator = i;
      model.custom.erase("abut.integrator.else");  // it is no wish, it is an order
      return;
    }
  }
  throw UsageError(fmt::format("integrator '{}': there are {}{}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

namespace {

// `abut.*` of the world, with or without its first word; `options` are the other keys.
void apply_own_setting(Model& model, const std::string& key, const std::string& value,
                       std::vector<std::string> options) {
  const std::string prefix = "abut.", what = "--set " + key;
  const std::string full = key.starts_with(prefix) ? key : prefix + key;
  NamedValue set;
  set.source.file = std::make_shared<const std::string>(what);
  switch (setting_kind(full)) {
    case SettingKind::none: {
      for (const std::string& own : setting_keys())
        options.push_back(key.starts_with(prefix) ? own : own.substr(prefix.size()));
      const std::vector<std::string_view> names(options.begin(), options.end());
      throw UsageError(fmt::format("{}: no such setting{}; there are: {}", what,
                                   did_you_mean(key, names), join(options)));
    }
    case SettingKind::at_load:
      throw UsageError(fmt::format(
          "{}: is read while the world is loaded; {}", what,
          full == "abut.coordinates" ? "use --coordinates" : "write it into the world"));
    case SettingKind::word:
      set.text = value;
      break;
    case SettingKind::number:
      set.numbers = parse_list(value, what);
      if (set.numbers.empty()) throw UsageError(what + ": write a number");
      break;
  }
  model.custom.insert_or_assign(full, std::move(set));
}

}  // namespace

void apply_setting(Model& model, const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("--set {}: write key=value", assignment));
  const std::string key = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  const std::string what = "--set " + key;
  Options& o = model.option;
  auto vector = [&](Vec3& v) {
    const auto x = parse_numbers(value, what);
    if (x.size() != 3) throw UsageError(what + ": write three numbers, x,y,z");
    v = {x[0], x[1], x[2]};
  };
  auto positive = [&](double& x, bool zero) {
    x = parse_number(value, what);
    if (x < 0 || (x == 0 && !zero)) throw UsageError(what + ": must be positive");
  };
  struct Switch {
    const char* name;
    bool* flag;
  };
  const Switch switches[] = {{"gravity_on", &o.gravity_on},
                             {"spring", &o.spring_on},
                             {"damper", &o.damper_on},
                             {"actuation", &o.actuation_on},
                             {"clampctrl", &o.clamp_ctrl},
                             {"equality", &o.equality_on},
                             {"limit", &o.limit_on},
                             {"eulerdamp", &o.euler_damp},
                             {"frictionloss", &o.frictionloss_on},
                             {"constraint", &o.constraint_on}};
  if (key == "gravity") return vector(o.gravity);
  if (key == "wind") return vector(o.wind);
  if (key == "density") return positive(o.density, true);
  if (key == "viscosity") return positive(o.viscosity, true);
  if (key == "timestep") return positive(o.timestep, false);
  if (key == "integrator") {
    choose_integrator(model, value);
    return;
  }
  for (const Switch& s : switches)
    if (key == s.name) {
      *s.flag = parse_switch(key, value);
      return;
    }
  std::vector<std::string> options{"gravity",   "wind",     "density",
                                   "viscosity", "timestep", "integrator"};
  for (const Switch& s : switches) options.emplace_back(s.name);
  apply_own_setting(model, key, value, options);
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
