#include "view_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "abut/math/suggest.h"
#include "abut/view/page/viewer_page.h"

namespace abut::tool {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 10> kOverlays = {"points", "normals",  "forces",  "cones",
                                                   "phases", "features", "volumes", "joints",
                                                   "boxes",  "pieces"};

Json three_numbers(const std::string& text, const char* flag, std::size_t least, std::size_t most) {
  const std::vector<double> x = parse_numbers(text, flag);
  if (x.size() < least || x.size() > most)
    throw UsageError(fmt::format(
        "{} {}: write {} numbers", flag, text,
        least == most ? fmt::format("{}", most) : fmt::format("{} or {}", least, most)));
  return x;
}

}  // namespace

bool ViewFlags::is_recording() const {
  return world.world.ends_with(".h5") || world.world.ends_with(".hdf5");
}

std::vector<ContactSettings> ViewFlags::lanes(const Model& model) const {
  std::vector<ContactSettings> all;
  for (const std::string& name : split(contact.contact)) {
    ContactFlags one = contact;
    one.contact = name;
    all.push_back(one.over(model));
  }
  if (all.size() > 4) throw UsageError("--contact: at most four models go side by side");
  return all;
}

Json ViewFlags::boot(std::string_view mode) const {
  Json j = {{"mode", mode}};
  if (!show.empty()) {
    Json list = Json::array();
    for (const std::string& word : split(show)) {
      if (word == "none") continue;
      if (std::find(kOverlays.begin(), kOverlays.end(), word) == kOverlays.end())
        throw UsageError(fmt::format(
            "--show {}: there are {}, none{}", word, fmt::join(kOverlays, ", "),
            did_you_mean(word, std::vector<std::string_view>(kOverlays.begin(), kOverlays.end()))));
      list.push_back(word);
    }
    j["show"] = std::move(list);
  }
  if (!theme.empty()) {
    if (theme != "light" && theme != "dark")
      throw UsageError(fmt::format("--theme {}: write light or dark", theme));
    j["theme"] = theme;
  }
  Json eye = Json::object();
  if (!camera.empty()) {
    const Json x = three_numbers(camera, "--camera", 2, 3);
    eye["azimuth"] = x[0], eye["elevation"] = x[1];
    if (x.size() > 2) eye["distance"] = x[2];
  }
  if (!look_at.empty()) eye["target"] = three_numbers(look_at, "--look-at", 3, 3);
  if (!follow.empty()) eye["follow"] = follow;
  if (!eye.empty()) j["camera"] = std::move(eye);
  return j;
}

bool ViewFlags::follow_known(const Model& model) const {
  return follow.empty() || model.find_body(follow) >= 0;
}

Model ViewFlags::recorded_model(const Recording& recording, bool quiet) const {
  WorldFlags flags = world;
  flags.world = of.empty() ? recording.setting("file") : of;
  if (flags.world.empty())
    throw UsageError(world.world + ": does not say which world it is of; add --world FILE");
  // a path that was written where the run was, or lies beside the recording
  std::error_code ignored;
  const fs::path beside = fs::path(world.world).parent_path() / flags.world;
  if (!fs::is_regular_file(flags.world, ignored) && fs::is_regular_file(beside, ignored))
    flags.world = beside.string();
  Model model = [&] {
    try {
      return flags.read(quiet);
    } catch (const UsageError& e) {
      if (!of.empty()) throw;
      throw UsageError(
          fmt::format("{}; the recording {} is of it: add --world FILE", e.what(), world.world));
    }
  }();
  if (!quiet) print_warnings(warning_lines(model));
  std::vector<std::string> names;
  for (int b = 0; b < model.nbody(); ++b) names.push_back(model.body_names[b]);
  if (names != recording.body_names())
    throw UsageError(
        fmt::format("{} is not a recording of {}: their bodies differ", world.world, flags.world));
  return model;
}

void add_view_flags(CLI::App& command, ViewFlags& f, bool timed) {
  add_world_flags(command, f.world, timed);
  add_contact_flags(command, f.contact);
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    command.add_option(name, target, about)->option_text(form);
  };
  option("--world", f.of, "the world of a recording (default: the one named in it)", "FILE");
  option("--show", f.show,
         "list of points, normals, forces, cones, phases, features, volumes, joints, boxes, "
         "pieces, none (default points,forces)",
         "LIST");
  option("--theme", f.theme, "light or dark (default: the browser's setting)", "NAME");
  option("--camera", f.camera, "azimuth and elevation in degrees, distance in sizes of the scene",
         "AZ,EL[,FAR]");
  option("--look-at", f.look_at, "point that the camera looks at (m)", "X,Y,Z");
  option("--follow", f.follow, "body that the camera follows", "BODY");
}

void need_viewer() {
  if (!view::has_viewer())
    throw UsageError(
        "this abut was built without the viewer's page: install npm (and be online once), then "
        "build again");
}

}  // namespace abut::tool
