// Settings of a model by key and value, as words: --set of the command line, `settings` in Python,
// keys of a sweep.
//
//   abut::apply_setting(model, "gravity", "0,0,-1.6");
//   abut::apply_setting(model, "multipoint.ki", "2");     // or "abut.multipoint.ki"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/model/model.h"

namespace abut {

// Changes an option (gravity, timestep, integrator ..) or an `abut.*` setting of the world. Throws
// std::invalid_argument that begins with `what` (empty: the key) and names the nearest key or the
// words that there are.
void apply_setting(Model& model, std::string_view key, std::string_view value,
                   std::string_view what = {});

// By name, instead of what the file says.
void choose_integrator(Model& model, std::string_view name);

// A number, or a fraction such as 1/240. Throws std::invalid_argument that begins with `what`.
double parse_number(std::string_view text, std::string_view what);
// Numbers with commas or blanks between them.
std::vector<double> parse_number_list(std::string_view text, std::string_view what);

}  // namespace abut
