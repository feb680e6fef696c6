// What `abut compare` found, and its page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/contact/settings.h"
#include "abut/view/plot/series.h"
#include "abut/view/scene/film.h"
#include "common.h"

namespace abut::tool {

// One way to run the world, and how it went.
struct Entry {
  std::string label;  // what tells it from the others: "st", "st post:2"
  ContactSettings settings;
  Json summary;
  int diverged_body = -1;
  std::vector<Vec3> end;         // of every body
  view::Series energy, overlap;  // J, and the deepest (m), over time
  std::optional<view::Film> film;
};

// What the table says of each run.
struct Column {
  const char *title, *unit;
  Json::json_pointer field;
  const char* meaning;
};
const std::vector<Column>& compare_columns();

// A replay of all runs side by side, if there are films; the table; curves of energy and overlap.
std::string compare_page(const std::vector<Entry>& all, const Model& model);

}  // namespace abut::tool
