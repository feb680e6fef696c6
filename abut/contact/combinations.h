// Which choices go together (docs/derivations/rules.md). A choice is one name of each axis, as on
// the command line without its numbers. Two names that make no sense together are refused, with the
// reason and what to use instead; what no pair of names refuses runs. The rules of contact models
// come from their ModelInfo, those of solvers and integrators among themselves from here.
//
//   if (const std::string why = abut::why_not(choice); !why.empty()) ..
//   for (const abut::Refusal& r : abut::refusals()) ..   // the whole table
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/contact/model_info.h"
#include "abut/contact/settings.h"

namespace abut {

// The names of an axis that are built, the default first.
std::vector<std::string_view> values(Axis axis);

// Those of them that a contact model takes.
std::vector<std::string_view> values_of(std::string_view contact, Axis axis);

struct Refusal {
  Axis first;
  std::string_view value;
  Axis second;
  std::string_view other;
  std::string_view why;
};
std::vector<Refusal> refusals();

// What a contact model has where nothing is said.
std::string_view default_of(std::string_view contact, Axis axis);

Choice choice_of(const ContactSettings& settings, Integrator integrator);
Choice choice_of(const ContactSettings& settings, const Model& model);

// Empty: it can be run. Without contacts (contact none) data and friction do not count.
std::string why_not(const Choice& choice);
// The same of settings in a world, with rules of the model beyond pairs of names.
std::string why_not(const ContactSettings& settings, const Model& model, Integrator integrator);
// Of an explicit `abut.stabilize.contacts` and of the law of restitution; empty: they make sense.
std::string why_not_contacts(const ContactSettings& settings);

}  // namespace abut
