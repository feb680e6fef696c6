// abut contact: contact data of every pair at the initial state.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "abut/collide/world_contacts.h"
#include "abut/model/kinematics.h"
#include "abut/view/page/markup.h"
#include "abut/view/page/page_file.h"
#include "abut/view/plot/draw.h"
#include "commands.h"
#include "common.h"
#include "interrupt.h"
#include "warnings.h"

namespace abut::tool {

namespace {

constexpr int kMostLines = 400;  // of the table; --json has all

struct ContactArguments {
  std::vector<std::string> worlds;
  std::string q, keyframe, within, reach, normal, volume = "clip", picture;
  LoadOptions load;
  bool json = false, quiet = false, paper_strict = false;
};

using Settings = WorldContactsOptions;

double parse_length(const std::string& text, std::string_view flag, bool negative) {
  const double x = parse_number(text, flag);
  if (!negative && x < 0)
    throw UsageError(fmt::format("{} {}: write a length, 0 or more", flag, text));
  return x;
}

NormalRule parse_rule(const std::string& text) {
  std::vector<std::string> names;
  for (const NormalRule rule : kNormalRules) {
    if (text == name(rule)) return rule;
    names.push_back(name(rule));
  }
  throw UsageError(fmt::format("--normal {}: there are {}", text, join(names)));
}

Settings settings_of(const ContactArguments& a) {
  Settings s;
  if (!a.within.empty()) s.within = parse_length(a.within, "--within", true);
  if (!a.reach.empty()) s.contact.reach = parse_length(a.reach, "--reach", false);
  s.contact.paper_strict = a.paper_strict;
  if (!a.normal.empty()) s.contact.normal = parse_rule(a.normal);
  if (a.volume != "clip" && a.volume != "dual")
    throw UsageError(fmt::format("--volume {}: there are clip, dual", a.volume));
  s.contact.dual_volume = a.volume == "dual";
  if (!a.picture.empty() && a.worlds.size() != 1)
    throw UsageError("--picture: draws one world; name one");
  return s;
}

// A world at its initial state, and its solids.
struct Scene {
  Model model;
  mutable Collider collider;  // makes the cells of height fields on demand
  std::vector<Pose> poses;
  std::vector<std::string> warnings;

  Scene(const ContactArguments& a, const std::string& world)
      : model(load_for_tool(world, a.quiet, a.load)), collider(model) {
    State state(model);
    Input input(model);
    if (!a.keyframe.empty()) start_at_keyframe(model, a.keyframe, state, input);
    fill_numbers(state.q, a.q, "--q");
    normalize(model, state.q);
    Derived derived(model);
    positions(model, state, input, derived);
    geom_poses(model, derived, poses);
    Warnings all(a.quiet || a.json, warning_lines(model));
    all.add(collider.warnings());
    warnings = all.lines();
  }
  const Convex& solid(int g) const { return collider.solids()[g]; }
  const Pose& pose(int g) const { return poses[static_cast<std::size_t>(g)]; }
  bool has_parts(const GeomPair& p) const {
    return collider.solids().is_compound(p.a) || collider.solids().is_compound(p.b);
  }
};

// Calls visit(pair, contact) for every pair in question, ascending; contact is null for
// solids that no query takes.
template <class Visit>
void for_each_contact(const Scene& scene, const Settings& s, const Visit& visit) {
  abut::for_each_contact(scene.model, scene.collider, scene.poses, s, visit);
}

std::string body_name(const Model& model, int geom) {
  const int body = model.geoms[static_cast<std::size_t>(geom)].body;
  const Body& b = model.bodies[static_cast<std::size_t>(body)];
  return b.weld == 0 ? "world" : model.body_names[body];
}

std::string words(const Feature& f) {
  return f.kind == FeatureKind::none      ? "none"
         : f.kind == FeatureKind::surface ? "surface"
                                          : fmt::format("{} {}", name(f.kind), f.index);
}

// Readable, and whole: 64 bits do not fit into the numbers of JSON's readers. Here a
// surface has a number too: it tells the points on it apart.
std::string point_name(std::uint64_t id) {
  const auto named = [](std::uint64_t half) {
    const Feature f = unpacked_feature(static_cast<std::int32_t>(half & 0xffffffff));
    return f.kind == FeatureKind::none ? "none" : fmt::format("{} {}", name(f.kind), f.index);
  };
  return named(id >> 32) + ", " + named(id);
}

Json feature_json(const Feature& f) {
  if (f.kind == FeatureKind::none) return nullptr;
  return {{"kind", name(f.kind)}, {"index", f.index}};
}

// Numbers that are not finite have no place in JSON.
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
Json finite(const Vec3& v) { return v.allFinite() ? to_json(v) : Json(nullptr); }

Json pair_json(const Model& model, const GeomPair& pair, const PairContact* c) {
  Json j = {{"a", model.geom_names[pair.a]},
            {"b", model.geom_names[pair.b]},
            {"body_a", body_name(model, pair.a)},
            {"body_b", body_name(model, pair.b)}};
  if (!c) {
    for (const char* field : {"distance", "normal", "indeterminate", "features", "manifold",
                              "patch", "volume", "centroid"})
      j[field] = nullptr;
    return j;
  }
  const Proximity& d = c->proximity;
  j["distance"] = finite(d.distance);
  // several normals would do: none is given
  const bool known = c->normal.defined && !c->normal.indeterminate;
  j["normal"] = known ? finite(c->normal.normal) : Json(nullptr);
  j["indeterminate"] = c->normal.indeterminate;
  j["features"] = {{"a", feature_json(d.a)}, {"b", feature_json(d.b)}};
  j["manifold"] = Json::array();
  for (int i = 0; i < c->manifold.count(); ++i)
    j["manifold"].push_back({{"position", finite(c->manifold.points[static_cast<std::size_t>(i)])},
                             {"id", point_name(c->manifold.ids[static_cast<std::size_t>(i)])}});
  j["patch"] = Json::array();
  const ContactPoints& points = c->patch.points;
  for (std::size_t i = 0; i < points.psi.size(); ++i)
    j["patch"].push_back({{"a", finite(points.p_A[i])},
                          {"b", finite(points.p_B[i])},
                          {"gap", finite(points.psi[i])},
                          {"id", point_name(points.id[i])}});
  j["volume"] = finite(c->common.volume);
  j["centroid"] =
      c->common.volume > 0 ? finite(Vec3(c->common.origin + c->common.centroid)) : Json(nullptr);
  if (c->tessellated) j["tessellated"] = true;
  return j;
}

Json world_json(const Scene& scene, const Settings& s) {
  Json pairs = Json::array();
  for_each_contact(scene, s, [&](const GeomPair& pair, const PairContact* c) {
    pairs.push_back(pair_json(scene.model, pair, c));
  });
  return {{"world", scene.model.name}, {"pairs", pairs}, {"warnings", scene.warnings}};
}

std::string counted(int n, const char* one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

std::string normal_words(const ContactNormal& n) {
  if (n.indeterminate) return "indeterminate";
  if (!n.defined) return "undefined";
  std::vector<std::string> parts;
  for (int i = 0; i < 3; ++i)
    parts.push_back(fmt::format("{:.4f}", std::abs(n.normal[i]) < 5e-5 ? 0 : n.normal[i]));
  return join(parts, " ");
}

void print_table(const Scene& scene, const Settings& s) {
  const Model& model = scene.model;
  std::size_t width = 8;
  for (int g = 0; g < model.geom_names.size(); ++g)
    width = std::max(width, model.geom_names[g].size());
  width = std::min<std::size_t>(width, 24);
  int pairs = 0, touching = 0;
  bool tessellated = false;
  for_each_contact(scene, s, [&](const GeomPair& pair, const PairContact* c) {
    if (pairs++ == 0) {
      print_safe("{}\n", model.name);
      print_safe("  {:<{}} {:<{}} {:>13}  {:<26} {:<22} {:>8} {:>5} {:>12}\n", "a", width, "b",
                 width, "distance m", "normal, a to b", "features", "manifold", "patch",
                 scene.collider.plane() ? "area m^2" : "volume m^3");
    }
    if (c &&
        c->proximity.distance <= kKissing * pair_size(scene.solid(pair.a), scene.solid(pair.b)))
      ++touching;
    if (pairs > kMostLines) return;
    if (!c) {
      print_safe("  {:<{}} {:<{}} {:>13}\n", model.geom_names[pair.a], width,
                 model.geom_names[pair.b], width, "not known");
      return;
    }
    const Proximity& d = c->proximity;
    tessellated |= c->tessellated && c->common.volume > 0;
    print_safe("  {:<{}} {:<{}} {:>13.6g}  {:<26} {:<22} {:>8} {:>5} {:>12.6g}{}\n",
               model.geom_names[pair.a], width, model.geom_names[pair.b], width, d.distance,
               normal_words(c->normal), words(d.a) + ", " + words(d.b), c->manifold.count(),
               c->patch.points.count(), c->common.volume,
               c->tessellated && c->common.volume > 0 ? " *" : "");
  });
  if (pairs > kMostLines)
    print_safe("  .. and {} more: --within D shows the near ones, --json all\n",
               pairs - kMostLines);
  if (pairs == 0)
    print_safe("{}: no pair{}\n", model.name,
               std::isinf(s.within) ? " that may touch" : fmt::format(" within {:g} m", s.within));
  else
    print_safe("  {}, {} touching\n", counted(pairs, "pair"), touching);
  if (tessellated)
    print_safe(
        "  * volume of the polyhedron inscribed in the curved solid, within 1e-3 of its radius\n");
}

// The nearest pair.
void draw(const Scene& scene, const Settings& s, view::PageFile& file) {
  GeomPair best{-1, -1};
  double least = std::numeric_limits<double>::infinity();
  for_each_contact(scene, s, [&](const GeomPair& pair, const PairContact* c) {
    if (!c || scene.has_parts(pair) || !(c->proximity.distance < least)) return;
    least = c->proximity.distance;
    best = pair;
  });
  if (best.a < 0) throw UsageError("--picture: this world has no pair to draw");
  PairContactScratch scratch;
  const PairContact c = *contact_of_pair(scene.collider, best, scene.poses, s, scratch);
  Drawing drawing = pair_drawing(scene.solid(best.a), scene.pose(best.a), scene.solid(best.b),
                                 scene.pose(best.b), c);
  const Proximity& d = c.proximity;
  drawing.title = scene.model.name;
  const double shown = std::abs(d.distance) < 1e-12 ? 0 : d.distance;
  drawing.notes.push_back(
      fmt::format("distance {} m; {} of a, {} of b", view::number(shown), words(d.a), words(d.b)));
  std::string second =
      d.indeterminate ? "normal indeterminate" : counted(c.manifold.count(), "manifold point");
  if (c.common.overlap == OverlapKind::solid)
    second += fmt::format("; common volume {} m³", view::number(c.common.volume));
  drawing.notes.push_back(second);
  const Uninterrupted whole;
  file.write(view::to_svg(drawing));
}

void contact(const ContactArguments& a) {
  const Settings s = settings_of(a);
  std::optional<view::PageFile> picture;
  if (!a.picture.empty()) picture.emplace(a.picture);
  // every file is read before anything is printed
  std::vector<Scene> scenes;
  for (const std::string& world : a.worlds) scenes.emplace_back(a, world);
  if (picture) draw(scenes[0], s, *picture);
  if (a.json) {
    Json out = Json::array();
    for (const Scene& scene : scenes) out.push_back(world_json(scene, s));
    print_json(out);
    return;
  }
  if (picture && !a.quiet) print_safe("wrote {}\n", a.picture);
  for (std::size_t i = 0; i < scenes.size() && !picture; ++i) {
    if (i > 0) print_safe("\n");
    print_table(scenes[i], s);
  }
}

}  // namespace

void add_contact(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<ContactArguments>();
  ContactArguments& a = *args;
  CLI::App* command =
      app.add_subcommand("contact", "contact data of every pair of geoms at the initial state");
  command->add_option("world", a.worlds, "MJCF or URDF files, or names of worlds")
      ->required()
      ->option_text("WORLD..");
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    return command->add_option(name, target, about)->option_text(form);
  };
  option("--within", a.within, "only pairs at most this far apart (m)", "D");
  option("--reach", a.reach, "largest gap of the patch's points (m, default 0)", "R");
  option("--normal", a.normal,
         "rule of the normal: closest-feature, minimum-translation, contact-plane,\n"
         "center-to-center, area-weighted, minmax-facet (default: the normal of the distance)",
         "RULE");
  option("--volume", a.volume, "algorithm of the intersection volume: clip or dual", "HOW");
  option("--keyframe", a.keyframe, "at a keyframe (default: qpos0)", "NAME");
  option("--q", a.q, "configuration: numbers, or a file of them", "LIST");
  option("--picture", a.picture, "draw the nearest pair instead of the table", "FILE.svg");
  command->add_flag("--paper-strict", a.paper_strict,
                    "manifolds as Cheng Yi and Drumwright define them: only with a face");
  command->add_flag("--floating-base", a.load.floating_base, "URDF: the root link floats");
  command->add_flag("--json", a.json, "one JSON document on stdout (docs/contact.md)");
  command->add_flag("--quiet", a.quiet, "no warnings");
  command->footer(
      "Examples:\n"
      "  abut contact contact/ff_rotated\n"
      "  abut contact worlds/humanoid.xml --within 0.01\n"
      "  abut contact contact/ff_tilted --reach 1e-5 --json\n"
      "  abut contact contact/vf_deep --picture vf.svg");
  command->callback([args, exit_code] {
    contact(*args);
    *exit_code = kDone;
  });
}

}  // namespace abut::tool
