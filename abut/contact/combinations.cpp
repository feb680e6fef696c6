#include "abut/contact/combinations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "abut/contact/choose.h"
#include "abut/contact/registry.h"
#include "abut/dynamics/integrate.h"
#include "abut/solve/solver.h"

namespace abut {

namespace {

constexpr std::array<std::string_view, 4> kIntegrators{"euler", "implicit", "explicit", "rk4"};
constexpr std::array<std::string_view, 2> kCoordinates{"generalized", "maximal"};

bool has(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <class Value>
std::vector<std::string_view> names_of(std::span<const Value> values) {
  std::vector<std::string_view> names;
  for (const Value v : values) names.push_back(name(v));
  return names;
}

}  // namespace

std::vector<std::string_view> values(Axis axis) {
  std::vector<std::string_view> names;
  switch (axis) {
    case Axis::contact:
      for (const ContactModelEntry& m : contact_models()) names.push_back(m.info->name);
      return names;
    case Axis::data:
      return names_of(contact_sources());
    case Axis::friction:
      return names_of(frictions());
    case Axis::stabilize:
      return names_of(stabilizers());
    case Axis::solver:
      names.push_back("auto");
      for (const SolverEntry& s : solvers()) names.push_back(s.info->name);
      return names;
    case Axis::integrator:
      return {kIntegrators.begin(), kIntegrators.end()};
    case Axis::coordinates:
      return {kCoordinates.begin(), kCoordinates.end()};
  }
  return names;
}

namespace {

// What solvers and integrators refuse, whatever the contact model is.
std::span<const Refusal> general_refusals() {
  using enum Axis;
  static constexpr std::string_view kStages =
      "rk4 holds joints by their accelerations, and this term is one of velocities; use post or "
      "baumgarte-acc";
  static constexpr std::string_view kRound =
      "it does not take round cones; use cone or nsgs, or --friction pyramid";
  static constexpr std::string_view kSlack =
      "a pyramid's slack has no diagonal, and sweeps divide by it; use lemke, or --friction cone";
  static constexpr std::string_view kPrincipal =
      "principal pivoting is for semidefinite matrices, and a pyramid's is not; use lemke";
  // clang-format off
  static constexpr std::array all{
      Refusal{stabilize, "baumgarte", integrator, "rk4", kStages},
      Refusal{stabilize, "gamma", integrator, "rk4", kStages},
      Refusal{solver, "lemke", friction, "cone", kRound},
      Refusal{solver, "dantzig", friction, "cone", kRound},
      Refusal{solver, "murty", friction, "cone", kRound},
      Refusal{solver, "pivot", friction, "cone", kRound},
      Refusal{solver, "fb", friction, "cone", kRound},
      Refusal{solver, "lmmcp", friction, "cone", kRound},
      Refusal{solver, "dantzig", friction, "pyramid", "it takes symmetric matrices, and a pyramid's is not; use lemke"},
      Refusal{solver, "murty", friction, "pyramid", kPrincipal},
      Refusal{solver, "pivot", friction, "pyramid", kPrincipal},
      Refusal{solver, "pgs", friction, "pyramid", kSlack},
      Refusal{solver, "nncg", friction, "pyramid", kSlack},
      Refusal{solver, "nsgs", friction, "pyramid", kSlack},
      Refusal{solver, "cone", friction, "pyramid", "its interior points stall on a pyramid's slacks; use lemke, or --friction cone"},
  };
  // clang-format on
  return all;
}

// The values of an axis that a model goes with; null: of this axis all, but those that it names.
const std::vector<std::string_view>* allowed(const ModelInfo& info, Axis axis) {
  switch (axis) {
    case Axis::data:
      return &info.data;
    case Axis::friction:
      return &info.friction;
    case Axis::stabilize:
      return &info.stabilize;
    case Axis::integrator:
      return &info.integrator;
    default:
      return nullptr;
  }
}

void append_refusals(const ModelInfo& info, std::vector<Refusal>& out) {
  const auto why = [&](Axis axis, std::string_view value) -> std::string_view {
    for (const NotWith& n : info.not_with)
      if (n.axis == axis && n.value == value) return n.why;
    return "";
  };
  for (const Axis axis : kAxes) {
    const std::vector<std::string_view>* with = allowed(info, axis);
    // what has no contacts leaves these alone
    if (axis == Axis::contact || (with != nullptr && with->empty())) continue;
    for (const std::string_view value : values(axis)) {
      const std::string_view reason = why(axis, value);
      if (with != nullptr ? has(*with, value) : reason.empty()) continue;
      out.push_back({axis, value, Axis::contact, info.name,
                     reason.empty() ? "the model does not take it" : reason});
    }
  }
}

}  // namespace

std::vector<Refusal> refusals() {
  const std::span<const Refusal> general = general_refusals();
  std::vector<Refusal> all(general.begin(), general.end());
  for (const ContactModelEntry& m : contact_models()) append_refusals(*m.info, all);
  return all;
}

std::vector<std::string_view> values_of(std::string_view contact, Axis axis) {
  if (contact == "none" && (axis == Axis::friction || axis == Axis::data)) return {};
  const std::vector<Refusal> all = refusals();
  std::vector<std::string_view> taken = values(axis);
  std::erase_if(taken, [&](std::string_view value) {
    return std::any_of(all.begin(), all.end(), [&](const Refusal& r) {
      return (r.first == Axis::contact && r.value == contact && r.second == axis &&
              r.other == value) ||
             (r.second == Axis::contact && r.other == contact && r.first == axis &&
              r.value == value);
    });
  });
  return taken;
}

std::string_view default_of(std::string_view contact, Axis axis) {
  if (axis != Axis::friction && axis != Axis::data) return values(axis).front();
  ContactSettings s;
  set_contact(s, contact);
  return axis == Axis::data ? name(data_of(s)) : name(friction_of(s));
}

Choice choice_of(const ContactSettings& settings, Integrator integrator) {
  return {settings.model,           name(data_of(settings)), name(friction_of(settings)),
          name(settings.stabilize), settings.solver,         integrator_name(integrator)};
}

Choice choice_of(const ContactSettings& settings, const Model& model) {
  Choice choice = choice_of(settings, model.option.integrator);
  if (const auto asked = model.custom.find("abut.coordinates"); asked != model.custom.end())
    choice.coordinates = asked->second.text;
  return choice;
}

namespace {

// With a solver that is one name.
const Refusal* refusal_of(const std::vector<Refusal>& all, const Choice& choice) {
  for (const Refusal& r : all) {
    const auto is_of = [&](Axis axis) { return r.first == axis || r.second == axis; };
    if (choice.contact == "none" && (is_of(Axis::friction) || is_of(Axis::data))) continue;
    if (choice[r.first] == r.value && choice[r.second] == r.other) return &r;
  }
  return nullptr;
}

}  // namespace

std::string why_not_contacts(const ContactSettings& s) {
  const ModelInfo& info = info_of(s);
  if (!info.restitution_laws.empty() && !has(info.restitution_laws, name(s.law)))
    return fmt::format("abut.restitution.law {} does not go with contact {}: {}", name(s.law),
                       info.name, info.why_not_other_laws);
  if (s.stabilize_contacts != StabilizeContacts::on || stabilizes_contacts(s)) return {};
  std::string_view why = info.why_contacts_unstabilized;
  if (info.family == ContactFamily::none)
    why = "there are no contacts to act on";
  else if (info.family != ContactFamily::forces && s.stabilize == Stabilize::none)
    why = "there is no stabiliser to act on them; use stabilize post";
  return fmt::format("abut.stabilize.contacts on does not go with contact {}, stabilize {}: {}",
                     info.name, name(s.stabilize), why);
}

std::string why_not(const Choice& choice) {
  const ContactModelEntry* model = find_contact_model(choice.contact);
  if (model != nullptr && model->info->why_not != nullptr)
    if (std::string why = model->info->why_not(choice); !why.empty()) return why;
  const std::vector<Refusal> all = refusals();
  const Refusal* refused = nullptr;
  for (std::size_t begin = 0; begin <= choice.solver.size();) {
    const std::size_t comma = std::min(choice.solver.find(',', begin), choice.solver.size());
    Choice one = choice;
    one.solver = choice.solver.substr(begin, comma - begin);
    const Refusal* r = refusal_of(all, one);
    if (r == nullptr) return {};
    if (refused == nullptr) refused = r;
    begin = comma + 1;
  }
  if (refused == nullptr) return {};
  return fmt::format("{} {} does not go with {} {}: {}", name(refused->first), refused->value,
                     name(refused->second), refused->other, refused->why);
}

std::string why_not(const ContactSettings& settings, const Model& model, Integrator integrator) {
  const ModelInfo& info = info_of(settings);
  if (info.why_not_in_world != nullptr)
    if (std::string why = info.why_not_in_world(model, integrator); !why.empty()) return why;
  Choice choice = choice_of(settings, model);
  choice.integrator = integrator_name(integrator);
  return why_not(choice);
}

}  // namespace abut
