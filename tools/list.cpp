// abut models, abut worlds: what there is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "abut/contact/combinations.h"
#include "abut/contact/registry.h"
#include "abut/solve/solver.h"
#include "commands.h"
#include "common.h"
#include "contact_flags.h"

namespace abut::tool {

namespace {

// "Fig." and a lone letter do not end a sentence.
bool ends_sentence(const std::string& word) {
  if (word.ends_with(':')) return true;
  if (!word.ends_with('.')) return false;
  return !word.ends_with("Fig.") && !word.ends_with("Figs.") && word.size() > 2;
}

// First sentence of the first comment of a world file; a long one ends in "..".
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
    if (ends_sentence(word)) {
      line.pop_back();
      break;
    }
    if (line.size() > 110) return line + " ..";
  }
  return line;
}

struct About {
  std::string_view name, what;
};
constexpr About kFrictions[] = {
    {"cone", "Coulomb's round cone, exactly"},
    {"pyramid", "pyramid[:N]: a cone of N sides (8)"},
    {"none", "no friction"},
    {"slip", "penalty: mu times the normal force, against the velocity; nothing sticks"},
    {"viscous", "penalty: proportional to the velocity, mu times the normal force at most"},
    {"springs", "penalty: springs between the points that met first, dragged where they slip"},
    {"anchor", "penalty: springs anchored at the point of the force; static and sliding limits"},
    {"stribeck", "penalty: slip friction, larger at low speed, and with a viscous term"},
    {"linear",
     "multipoint: forces that stop all slip, by a linear system A x = b; slips beyond mu"}};
constexpr About kData[] = {
    {"manifold", "patches: where two surfaces face each other, each point with its gap"},
    {"patch",
     "the same with all points; manifold leaves at most 16 of a patch to models of impulses"},
    {"features",
     "all near pairs of vertex and face, and of edge and edge (st falls into its trap)"},
    {"kissing",
     "the kissing manifold of each pair, moved to touch and back (Cheng Yi, Drumwright)"},
    {"deepest", "one point per pair"},
    {"volume",
     "the intersection of two solids: volume, centroid, and its projection along the normal"},
    {"vertices", "the vertices of the intersection of two solids"}};
constexpr About kStabilizers[] = {
    {"post",
     "post[:N]: after the step, N corrections of positions, or until done; keeps velocities"},
    {"post-pinv", "post-pinv[:N]: the same by a pseudo-inverse, joints and overlaps as equations"},
    {"post-plain",
     "post-plain[:N]: by the pseudo-inverse that knows no masses (Cline and Pai, 12)"},
    {"baumgarte", "baumgarte[:alpha]: errors decay at this rate (50 1/s), through the velocities"},
    {"baumgarte-acc", "baumgarte-acc[:alpha,beta]: the same through the accelerations of joints"},
    {"gamma", "gamma[:g]: Anitescu-Hart, removes this fraction (1) of the error in one step"},
    {"none", "no correction; errors grow"}};
constexpr About kIntegrators[] = {
    {"euler", "semi-implicit, joint damping implicit (eulerdamp); first order"},
    {"implicit", "the same, and the damping of servos is implicit too"},
    {"explicit", "explicit; first order, gains energy; for comparison"},
    {"rk4", "Runge-Kutta, fourth order on rotations too"}};

constexpr About kCoordinates[] = {
    {"generalized", "joint coordinates: a tree of links satisfies its joints exactly"},
    {"maximal", "every link is a free body; its joints are constraints between bodies"}};

std::string_view what(Axis axis, std::string_view value) {
  if (axis == Axis::solver) {
    const SolverInfo* info = find_solver(value);
    return info ? info->summary : "chosen by the problem";
  }
  if (axis == Axis::contact) return contact_model(value).info->summary;
  const std::span<const About> all =
      axis == Axis::data          ? std::span<const About>(kData)
      : axis == Axis::friction    ? std::span<const About>(kFrictions)
      : axis == Axis::stabilize   ? std::span<const About>(kStabilizers)
      : axis == Axis::coordinates ? std::span<const About>(kCoordinates)
                                  : std::span<const About>(kIntegrators);
  for (const About& a : all)
    if (a.name == value) return a.what;
  return "";
}

// Of a setting: its meaning, unit, words and default.
std::string about(const ModelSetting& s) {
  std::string text(s.meaning);
  if (!s.unit.empty()) text += fmt::format(" ({})", s.unit);
  if (!s.words.empty()) text += fmt::format(": {}", fmt::join(s.words, ", "));
  return text + fmt::format("; default {}", s.standard);
}

void models(bool json) {
  if (!json) {
    for (const Axis axis : kAxes) {
      print_safe("--{}\n", name(axis));
      for (const std::string_view v : values(axis)) print_safe("  {:<14} {}\n", v, what(axis, v));
    }
    print_safe(
        "abut.stabilize.contacts, of a world\n"
        "  auto           the stabiliser corrects contacts where it can: post with st and ap,\n"
        "                 baumgarte and gamma with ap\n"
        "  on             the same; an error where it cannot\n"
        "  off            only joints and limits\n");
    print_safe("abut.MODEL.NAME, of a world; gains also by geom or pair\n");
    for (const ContactModelEntry& m : contact_models())
      for (const ModelSetting& s : m.info->settings)
        print_safe("  {:<20} {}\n", fmt::format("{}.{}", m.info->name, s.name), about(s));
    print_safe("\nThe first of each is the default. What does not go together:\n");
    for (const Refusal& r : refusals())
      print_safe("  {:<24} {:<16} {}\n", fmt::format("{} {}", name(r.first), r.value),
                 fmt::format("{} {}", name(r.second), r.other), r.why);
    return;
  }
  Json out;
  for (const Axis axis : kAxes) {
    Json entries = Json::array();
    for (const std::string_view v : values(axis)) {
      Json e = {{"name", v}, {"about", what(axis, v)}, {"default", v == values(axis).front()}};
      if (axis == Axis::contact) {
        for (const Axis other : kAxes)
          if (other != Axis::contact) e[std::string(name(other))] = values_of(v, other);
        Json defaults = Json::object();
        for (const Axis other : kAxes)
          if (other != Axis::contact && !e[std::string(name(other))].empty())
            defaults[std::string(name(other))] = default_of(v, other);
        e["defaults"] = defaults;
        const ModelInfo& info = *contact_model(v).info;
        e["stabilizes_contacts"] = info.stabilizes_contacts;
        e["settings"] = Json::object();
        for (const ModelSetting& s : info.settings)
          e["settings"][std::string(s.name)] = {
              {"default", s.standard}, {"unit", s.unit}, {"about", s.meaning}, {"words", s.words}};
      }
      entries.push_back(std::move(e));
    }
    out[std::string(name(axis))] = std::move(entries);
  }
  out["refused"] = Json::array();
  for (const Refusal& r : refusals())
    out["refused"].push_back({{std::string(name(r.first)), r.value},
                              {std::string(name(r.second)), r.other},
                              {"why", r.why}});
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
  for (const NamedWorld& w : all) print_safe("{:<{}} {}\n", w.name, width, headline(w.file));
  if (all.empty()) print_safe(stderr, "no worlds found beside this program or in ./worlds\n");
}

void add_listing(CLI::App& app, const char* name, const char* about, void (*show)(bool),
                 int* exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(name, about);
  command->add_flag("--json", *json, "one JSON document on stdout");
  add_plugin_flag(*command);
  command->footer(fmt::format("Example:\n  abut {} --json", name));
  command->callback([json, show, exit_code] {
    show(*json);
    *exit_code = kDone;
  });
}

}  // namespace

void add_models(CLI::App& app, int* exit_code) {
  add_listing(app, "models", "list the contact models and the choices that each supports", models,
              exit_code);
}
void add_worlds(CLI::App& app, int* exit_code) {
  add_listing(app, "worlds", "list the worlds that come with abut", worlds, exit_code);
}

}  // namespace abut::tool
