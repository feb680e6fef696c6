#include "contact_flags.h"

#include <fmt/format.h>

#include <stdexcept>

#include "common.h"

namespace abut::tool {

namespace {

template <class Set>
void apply(const char* flag, const std::string& text, ContactSettings& s, const Set& set) {
  try {
    set(s, text);
  } catch (const std::invalid_argument& e) {
    throw UsageError(fmt::format("{} {}: {}", flag, text, e.what()));
  }
}

}  // namespace

ContactSettings ContactFlags::over(const Model& model) const {
  ContactSettings s = contact_settings(model);
  apply("--contact", contact, s, set_contact);
  apply("--data", data, s, set_data);
  apply("--friction", friction, s, set_friction);
  apply("--stabilize", stabilize, s, set_stabilize);
  apply("--solver", solver, s, set_solver);
  if (s.model == ContactModel::none && (!data.empty() || !friction.empty()))
    throw UsageError(fmt::format("{} {}: contact model 'none' has no contacts to use it for",
                                 data.empty() ? "--friction" : "--data",
                                 data.empty() ? friction : data));
  return s;
}

void add_contact_flags(CLI::App& command, ContactFlags& f) {
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    command.add_option(name, target, about)->option_text(form);
  };
  option("--contact", f.contact,
         "contact model: none, st, ap, peg, peg-paper, lnc, baraff, deepest (pm), volumetric, "
         "multipoint, quasirigid (default: the world's, else st)",
         "NAME");
  option("--data", f.data, "what the contact model is fed (see 'abut models')", "NAME");
  option("--friction", f.friction,
         "none, cone, pyramid[:N], slip, viscous, springs, anchor (default: the model's)", "NAME");
  option(
      "--stabilize", f.stabilize,
      "against drift: none, post[:N], post-pinv[:N], baumgarte[:alpha], gamma[:g] (default post)",
      "NAME");
  option("--solver", f.solver, "solver, or a chain a,b,c (default auto; docs/solvers.md)", "NAME");
}

}  // namespace abut::tool
