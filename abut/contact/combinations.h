// Which choices go together (docs/derivations/rules.md). A choice is one name of each axis, as on
// the command line without its numbers; two names that make no sense together are refused, with the
// reason and what to use instead. What no pair of names refuses runs.
//
//   if (const std::string why = abut::why_not(choice); !why.empty()) ..
//   for (const abut::Refusal& r : abut::refusals()) ..   // the whole table
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "abut/contact/settings.h"

namespace abut {

enum class Axis { contact, data, friction, stabilize, solver, integrator, coordinates };
inline constexpr Axis kAxes[] = {Axis::contact, Axis::data,       Axis::friction,   Axis::stabilize,
                                 Axis::solver,  Axis::integrator, Axis::coordinates};

std::string_view name(Axis axis);
// The names of an axis that are built, the default first.
std::span<const std::string_view> values(Axis axis);

struct Refusal {
  Axis first;
  std::string_view value;
  Axis second;
  std::string_view other;
  std::string_view why;
};
std::span<const Refusal> refusals();

struct Choice {
  std::string_view contact = "st", data = "manifold", friction = "cone", stabilize = "post";
  std::string_view solver = "auto";  // or a chain: it is refused if each link is
  std::string_view integrator = "euler";
  std::string_view coordinates = "generalized";

  std::string_view operator[](Axis axis) const;
};
// What a contact model has where nothing is said.
std::string_view default_of(std::string_view contact, Axis axis);

Choice choice_of(const ContactSettings& settings, Integrator integrator);
Choice choice_of(const ContactSettings& settings, const Model& model);

// Empty: it can be run. Without contacts (contact none) data and friction do not count.
std::string why_not(const Choice& choice);
// Of an explicit `abut.stabilize.contacts` and of the law of restitution; empty: they make sense.
std::string why_not_contacts(const ContactSettings& settings);

}  // namespace abut
