// What the commands of the abut tool share.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/load/load_options.h"
#include "abut/model/model.h"
#include "abut/model/state.h"
#include "print.h"

namespace abut::tool {

using Json = nlohmann::ordered_json;

enum ExitCode { kDone = 0, kCheckFailed = 1, kBadInput = 2, kDiverged = 3 };

// Bad usage, with what to type instead; ends the command with kBadInput.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Folders where worlds are looked for by name: ./worlds, then the installed ones.
std::vector<std::filesystem::path> world_folders();

// Every world in them, by name: "pendulum", "contact/ff_aligned". Files of the folder parts
// are no worlds.
struct NamedWorld {
  std::string name;
  std::filesystem::path file;
};
std::vector<NamedWorld> named_worlds();

// The file of a world given by path, or by name ("pendulum"). A folder is no world: one that
// --out made hides no world of its name.
std::filesystem::path find_world(const std::string& world);

// Loads and compiles, with a progress bar unless quiet. Its warnings are still to be shown.
Model load_for_tool(const std::string& world, bool quiet, const LoadOptions& options = {});
void print_warnings(const std::vector<std::string>& lines);  // to stderr

// A number, or a fraction such as 1/240.
double parse_number(std::string_view text, std::string_view what);

// Comma or space separated numbers, given directly or as the name of a file of them.
std::vector<double> parse_numbers(const std::string& text, std::string_view what);

// Replaces an array of the state by numbers from the command line, if there are any.
void fill_numbers(std::vector<double>& target, const std::string& text, std::string_view flag);

// Puts the state at a keyframe by name; unknown names list those present.
void start_at_keyframe(const Model& model, const std::string& name, State& state, Input& input);

// Changes an option (gravity, integrator ..) or an abut.* setting: "key=value".
void apply_setting(Model& model, const std::string& assignment);
// By name, instead of what the file says.
void choose_integrator(Model& model, const std::string& name);

// "a,b" as its parts.
std::vector<std::string> split(const std::string& list);
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

Json to_json(const Vec3& v);
Json to_json(const Quat& q);  // wxyz

// Warnings of the model and then those of the run, as lines.
std::vector<std::string> warning_lines(const Model& model);

// As it goes to files; text that is no UTF-8 is replaced.
std::string json_text(const Json& document);
// With --json stdout is one document.
void print_json(const Json& document);

}  // namespace abut::tool
