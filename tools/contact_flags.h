// --contact, --data, --normal, --friction, --stabilize, --solver and --plugin: what commands that simulate
// take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include <optional>

#include "abut/contact/settings.h"

namespace abut::tool {

struct ContactFlags {
  std::string contact, data, normal, friction, stabilize,
      solver;  // empty: the world's, or the default
  std::optional<double> accuracy, iterations, budget;

  // Throws UsageError that says what there is, or why not.
  ContactSettings over(const Model& model) const;
};

void add_contact_flags(CLI::App& command, ContactFlags& flags);
void add_plugin_flag(CLI::App& command);

}  // namespace abut::tool
