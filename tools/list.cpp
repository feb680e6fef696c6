// abut models, abut worlds: what there is.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "commands.h"
#include "common.h"

namespace abut::tool {

namespace {

// First sentence of the first comment of a world file.
std::string headline(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream all;
  all << in.rdbuf();
  const std::string text = all.str();
  const auto begin = text.find("<!--");
  const auto end = text.find("-->", begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::istringstream words(text.substr(begin + 4, end - begin - 4));
  std::string line;
  for (std::string word; words >> word;) {
    line += (line.empty() ? "" : " ") + word;
    if (word.ends_with('.') || word.ends_with(':') || line.size() > 110) break;
  }
  if (line.ends_with(':') || line.ends_with('.')) line.pop_back();
  return line;
}

void models(bool json) {
  struct Entry {
    const char *name, *what;
  };
  const Entry contacts[] = {{"none", "no contact: bodies pass through each other"}};
  const Entry integrators[] = {
      {"euler", "semi-implicit, joint damping implicit (eulerdamp); first order"},
      {"implicit", "the same, and the damping of servos is implicit too"},
      {"explicit", "explicit; first order, gains energy; for comparison"},
      {"rk4", "Runge-Kutta, fourth order on rotations too"}};
  if (!json) {
    fmt::print("contact models (--contact)\n");
    for (const Entry& e : contacts) fmt::print("  {:<10} {}\n", e.name, e.what);
    fmt::print("integrators (--integrator)\n");
    for (const Entry& e : integrators) fmt::print("  {:<10} {}\n", e.name, e.what);
    return;
  }
  Json names = Json::array();
  for (const Entry& e : integrators) names.push_back(e.name);
  Json out;
  out["contact"] = Json::array();
  for (const Entry& e : contacts)
    out["contact"].push_back({{"name", e.name},
                              {"about", e.what},
                              {"default", true},
                              {"data", Json::array()},
                              {"friction", Json::array()},
                              {"stabilize", Json::array()},
                              {"solver", Json::array()},
                              {"integrator", names}});
  out["integrator"] = Json::array();
  for (const Entry& e : integrators)
    out["integrator"].push_back({{"name", e.name}, {"about", e.what}});
  print_json(out);
}

void worlds(bool json) {
  const std::vector<NamedWorld> all = named_worlds();
  if (json) {
    Json out = Json::array();
    for (const NamedWorld& w : all)
      out.push_back({{"name", w.name}, {"file", w.file.string()}, {"about", headline(w.file)}});
    print_json(out);
    return;
  }
  std::size_t width = 18;
  for (const NamedWorld& w : all) width = std::max(width, w.name.size());
  for (const NamedWorld& w : all) fmt::print("{:<{}} {}\n", w.name, width, headline(w.file));
  if (all.empty()) fmt::print(stderr, "no worlds found beside this program or in ./worlds\n");
}

void add_listing(CLI::App& app, const char* name, const char* about, void (*show)(bool),
                 int* exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(name, about);
  command->add_flag("--json", *json, "one JSON document on stdout");
  command->footer(fmt::format("Example:\n  abut {} --json", name));
  command->callback([json, show, exit_code] {
    show(*json);
    *exit_code = kDone;
  });
}

}  // namespace

void add_models(CLI::App& app, int* exit_code) {
  add_listing(app, "models", "the contact models and integrators there are", models, exit_code);
}
void add_worlds(CLI::App& app, int* exit_code) {
  add_listing(app, "worlds", "the worlds that come with abut", worlds, exit_code);
}

}  // namespace abut::tool
