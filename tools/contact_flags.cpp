#include "contact_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "abut/contact/choose.h"
#include "abut/contact/combinations.h"
#include "abut/contact/plugin.h"
#include "abut/contact/registry.h"
#include "common.h"

namespace abut::tool {

namespace {

template <class Set>
void apply(const char* flag, const auto& value, ContactSettings& s, const Set& set) {
  try {
    set(s, value);
  } catch (const std::invalid_argument& e) {
    throw UsageError(fmt::format("{} {}: {}", flag, value, e.what()));
  }
}

std::string names(Axis axis) { return fmt::format("{}", fmt::join(values(axis), ", ")); }

std::string contact_forms() {
  std::string forms;
  for (const ContactModelEntry& m : contact_models()) {
    forms += fmt::format("{}{}", forms.empty() ? "" : ", ", m.info->name);
    if (!m.info->alias.empty()) forms += fmt::format(" ({})", m.info->alias);
  }
  return forms;
}

}  // namespace

ContactSettings ContactFlags::over(const Model& model) const {
  ContactSettings s = contact_settings(model);
  apply("--contact", contact, s, set_contact);
  apply("--data", data, s, set_data);
  apply("--normal", normal, s, [](ContactSettings& to, const std::string& word) {
    if (word.empty()) return;
    if (to.model != "multipoint")
      throw std::invalid_argument(
          "it is a choice of multipoint; use --contact multipoint, or --set volumetric.normal");
    set_own(to, "multipoint.normal", word);
  });
  apply("--friction", friction, s, set_friction);
  apply("--stabilize", stabilize, s, set_stabilize);
  apply("--solver", solver, s, set_solver);
  if (accuracy) apply("--accuracy", *accuracy, s, set_accuracy);
  if (iterations) apply("--iterations", *iterations, s, set_iterations);
  if (budget) apply("--budget-ms", *budget, s, set_budget);
  if (s.model == "none" && (!data.empty() || !friction.empty()))
    throw UsageError(fmt::format("{} {}: contact model 'none' has no contacts to use it for",
                                 data.empty() ? "--friction" : "--data",
                                 data.empty() ? friction : data));
  return s;
}

void add_contact_flags(CLI::App& command, ContactFlags& f) {
  auto option = [&](const char* name, auto& target, const std::string& about, const char* form) {
    command.add_option(name, target, about)->option_text(form);
  };
  option("--contact", f.contact,
         fmt::format("contact model: {} (default: the world's, else {})", contact_forms(),
                     contact_models().front().info->name),
         "NAME");
  option("--data", f.data, fmt::format("contact data for the contact model: {}", names(Axis::data)),
         "NAME");
  option("--normal", f.normal, "normal of an overlap under multipoint: translation, facets",
         "NAME");
  option("--friction", f.friction, friction_forms() + " (default: the model's)", "NAME");
  option("--stabilize", f.stabilize,
         fmt::format("stabiliser against drift: {} (default {})", stabilize_forms(),
                     values(Axis::stabilize).front()),
         "NAME");
  option("--solver", f.solver,
         fmt::format("{}, or a chain a,b,c (docs/solvers.md)", names(Axis::solver)), "NAME");
  option("--accuracy", f.accuracy,
         "relative residual asked of solvers (default 1e-10; islands of 32 bodies and more 1e-8; "
         "sweeps "
         "of fast 1e-5, at most 20)",
         "R");
  option("--iterations", f.iterations,
         "the most iterations of a problem (default: the solver's own)", "N");
  option("--budget-ms", f.budget,
         "after this time in a step solvers end (fast, st, ap); results then depend on the machine",
         "MS");
  add_plugin_flag(command);
}

// Loaded as soon as the flag is read: names of later flags may be the plug-in's.
void add_plugin_flag(CLI::App& command) {
  command
      .add_option_function<std::vector<std::string>>(
          "--plugin",
          [](const std::vector<std::string>& files) {
            for (const std::string& file : files) load_plugin(file);
          },
          "shared library with contact models or solvers; repeatable")
      ->option_text("FILE.so")
      ->expected(1)
      ->take_all();
}

}  // namespace abut::tool
