// What `abut view` and `abut render` share: a world or a recording, lanes, and how it looks.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abut/view/scene/film.h"
#include "contact_flags.h"
#include "world_flags.h"

namespace abut::tool {

struct ViewFlags {
  WorldFlags world;      // world.world may name a recording
  ContactFlags contact;  // contact may be a list: lanes side by side
  std::string of;        // --world: of a recording
  std::string show, theme, camera, look_at, follow;

  bool is_recording() const;
  // One for each contact model in the list.
  std::vector<ContactSettings> lanes(const Model& model) const;
  // Those of the boot note (docs/viewer.md). Throws UsageError for words that there are not.
  Json boot(std::string_view mode) const;
  bool follow_known(const Model& model) const;  // --follow names a body, or is not there
  // The model that a recording is of.
  Model recorded_model(const Recording& recording, bool quiet) const;
};

void add_view_flags(CLI::App& command, ViewFlags& flags, bool timed);

// Throws UsageError where the library was built without npm.
void need_viewer();

}  // namespace abut::tool
