#include "abut/contact/combinations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "abut/dynamics/integrate.h"

namespace abut {

std::string_view name(Axis axis) {
  switch (axis) {
    case Axis::contact:
      return "contact";
    case Axis::data:
      return "data";
    case Axis::friction:
      return "friction";
    case Axis::stabilize:
      return "stabilize";
    case Axis::solver:
      return "solver";
    case Axis::integrator:
      return "integrator";
    case Axis::coordinates:
      return "coordinates";
  }
  return "";
}

std::span<const std::string_view> values(Axis axis) {
  static constexpr std::array<std::string_view, 11> contact{
      "st",      "ap",         "peg",        "peg-paper",  "lnc", "baraff",
      "deepest", "volumetric", "multipoint", "quasirigid", "none"};
  static constexpr std::array<std::string_view, 5> data{"manifold", "features", "deepest", "volume",
                                                        "vertices"};
  static constexpr std::array<std::string_view, 9> friction{
      "cone", "pyramid", "none", "slip", "viscous", "springs", "anchor", "stribeck", "linear"};
  static constexpr std::array<std::string_view, 6> stabilize{
      "post", "post-pinv", "baumgarte", "baumgarte-acc", "gamma", "none"};
  static constexpr std::array<std::string_view, 12> solver{"auto",  "lemke", "dantzig", "murty",
                                                           "pivot", "pgs",   "nncg",    "fb",
                                                           "lmmcp", "enum",  "nsgs",    "cone"};
  static constexpr std::array<std::string_view, 4> integrator{"euler", "implicit", "explicit",
                                                              "rk4"};
  static constexpr std::array<std::string_view, 2> coordinates{"generalized", "maximal"};
  switch (axis) {
    case Axis::contact:
      return contact;
    case Axis::data:
      return data;
    case Axis::friction:
      return friction;
    case Axis::stabilize:
      return stabilize;
    case Axis::solver:
      return solver;
    case Axis::integrator:
      return integrator;
    case Axis::coordinates:
      return coordinates;
  }
  return {};
}

std::span<const Refusal> refusals() {
  using enum Axis;
  static constexpr std::string_view kStep =
      "the step of an impulse model is the integrator; use euler, or --contact none";
  static constexpr std::string_view kEnd =
      "st closes its gaps by the velocities at the end of the step, explicit moves by those at "
      "its start; use euler, or --contact ap";
  static constexpr std::string_view kOnePoint =
      "one point a pair is what a penalty is fed; use manifold, or --contact deepest";
  static constexpr std::string_view kPatches =
      "its problem is of the points that touch; use manifold, or --contact st";
  static constexpr std::string_view kAdjacent =
      "it needs to know which features meet; use features, or --contact st";
  static constexpr std::string_view kPenaltyPoint =
      "its one spring acts at the deepest point; use deepest, or --contact st";
  static constexpr std::string_view kVolume =
      "a volume is what springs are spread over, and this model is fed points; use manifold, or "
      "--contact volumetric";
  static constexpr std::string_view kLayer =
      "its layer is pressed where solids overlap; use volume or vertices";
  static constexpr std::string_view kSpread =
      "its springs are spread over the common volume; use volume";
  static constexpr std::string_view kOverlap =
      "they are of solids that overlap, which is what penalties live on; use manifold, or "
      "--contact "
      "multipoint";
  static constexpr std::string_view kSurface =
      "its forces act on the bottom of what two solids have in common; use vertices or manifold";
  static constexpr std::string_view kSystem =
      "it is solved for over all points that a multi-point penalty presses; use anchor, or "
      "--contact multipoint";
  static constexpr std::string_view kAcceleration =
      "its equations are of velocities, and this term is one of accelerations; use baumgarte";
  static constexpr std::string_view kRound =
      "it does not take round cones; use cone or nsgs, or --friction pyramid";
  static constexpr std::string_view kSlack =
      "a pyramid's slack has no diagonal, and sweeps divide by it; use lemke, or --friction cone";
  static constexpr std::string_view kPrincipal =
      "principal pivoting is for semidefinite matrices, and a pyramid's is not; use lemke";
  static constexpr std::string_view kMany =
      "it tries every choice, which is for 16 rows, and islands grow; use lemke, or abut solve "
      "on a problem that was written";
  static constexpr std::string_view kForces =
      "it is a force, and this model's friction is part of its problem; use cone";
  static constexpr std::string_view kImpulses =
      "it bounds impulses of a problem, and this model has forces; use anchor";
  static constexpr std::string_view kNormal =
      "its problem is one of normal forces, as the paper's baseline; use none, or --contact ap";
  static constexpr std::string_view kVelocity =
      "the contacts' equations are of accelerations, and this term is one of velocities; use post "
      "or baumgarte-acc";
  static constexpr std::string_view kStages =
      "rk4 holds joints by their accelerations, and this term is one of velocities; use post or "
      "baumgarte-acc";
  // clang-format off
  static constexpr std::array all{
      Refusal{stabilize, "baumgarte", integrator, "rk4", kStages},
      Refusal{stabilize, "gamma", integrator, "rk4", kStages},
      Refusal{integrator, "rk4", contact, "st", kStep},
      Refusal{integrator, "rk4", contact, "ap", kStep},
      Refusal{integrator, "rk4", contact, "peg", kStep},
      Refusal{integrator, "rk4", contact, "peg-paper", kStep},
      Refusal{integrator, "rk4", contact, "lnc", kStep},
      Refusal{integrator, "explicit", contact, "st", kEnd},
      Refusal{integrator, "explicit", contact, "peg", kEnd},
      Refusal{integrator, "explicit", contact, "peg-paper", kEnd},
      Refusal{integrator, "explicit", contact, "lnc", kEnd},
      Refusal{stabilize, "baumgarte-acc", contact, "st", kAcceleration},
      Refusal{stabilize, "baumgarte-acc", contact, "ap", kAcceleration},
      Refusal{stabilize, "baumgarte-acc", contact, "peg", kAcceleration},
      Refusal{stabilize, "baumgarte-acc", contact, "peg-paper", kAcceleration},
      Refusal{stabilize, "baumgarte-acc", contact, "lnc", kAcceleration},
      Refusal{friction, "slip", contact, "st", kForces},
      Refusal{friction, "viscous", contact, "st", kForces},
      Refusal{friction, "springs", contact, "st", kForces},
      Refusal{friction, "anchor", contact, "st", kForces},
      Refusal{friction, "stribeck", contact, "st", kForces},
      Refusal{friction, "linear", contact, "st", kForces},
      Refusal{friction, "slip", contact, "ap", kForces},
      Refusal{friction, "viscous", contact, "ap", kForces},
      Refusal{friction, "springs", contact, "ap", kForces},
      Refusal{friction, "anchor", contact, "ap", kForces},
      Refusal{friction, "stribeck", contact, "ap", kForces},
      Refusal{friction, "linear", contact, "ap", kForces},
      Refusal{friction, "cone", contact, "baraff", kNormal},
      Refusal{friction, "pyramid", contact, "baraff", kNormal},
      Refusal{friction, "slip", contact, "baraff", kNormal},
      Refusal{friction, "viscous", contact, "baraff", kNormal},
      Refusal{friction, "springs", contact, "baraff", kNormal},
      Refusal{friction, "anchor", contact, "baraff", kNormal},
      Refusal{stabilize, "baumgarte", contact, "baraff", kVelocity},
      Refusal{stabilize, "gamma", contact, "baraff", kVelocity},
      Refusal{solver, "enum", contact, "baraff", kMany},
      Refusal{friction, "stribeck", contact, "baraff", kNormal},
      Refusal{friction, "linear", contact, "baraff", kNormal},
      Refusal{friction, "linear", contact, "deepest", kSystem},
      Refusal{friction, "linear", contact, "volumetric", kSystem},
      Refusal{friction, "linear", contact, "quasirigid", kSystem},
      Refusal{friction, "cone", contact, "multipoint", kImpulses},
      Refusal{friction, "pyramid", contact, "multipoint", kImpulses},
      Refusal{data, "deepest", contact, "multipoint", kSurface},
      Refusal{data, "features", contact, "multipoint", kSurface},
      Refusal{data, "vertices", contact, "deepest", kPenaltyPoint},
      Refusal{data, "vertices", contact, "volumetric", kSpread},
      Refusal{data, "volume", contact, "multipoint", kSurface},
      Refusal{data, "vertices", contact, "st", kOverlap},
      Refusal{data, "vertices", contact, "ap", kOverlap},
      Refusal{data, "vertices", contact, "baraff", kOverlap},
      Refusal{data, "vertices", contact, "peg", kAdjacent},
      Refusal{data, "vertices", contact, "peg-paper", kAdjacent},
      Refusal{data, "vertices", contact, "lnc", kAdjacent},
      Refusal{friction, "cone", contact, "deepest", kImpulses},
      Refusal{friction, "pyramid", contact, "deepest", kImpulses},
      Refusal{friction, "cone", contact, "volumetric", kImpulses},
      Refusal{friction, "pyramid", contact, "volumetric", kImpulses},
      Refusal{data, "manifold", contact, "volumetric", kSpread},
      Refusal{data, "features", contact, "volumetric", kSpread},
      Refusal{data, "deepest", contact, "volumetric", kSpread},
      Refusal{data, "manifold", contact, "quasirigid", kLayer},
      Refusal{data, "features", contact, "quasirigid", kLayer},
      Refusal{data, "deepest", contact, "quasirigid", kLayer},
      Refusal{solver, "enum", contact, "quasirigid", kMany},
      Refusal{data, "volume", contact, "st", kVolume},
      Refusal{data, "volume", contact, "ap", kVolume},
      Refusal{data, "volume", contact, "baraff", kVolume},
      Refusal{data, "volume", contact, "peg", kAdjacent},
      Refusal{data, "volume", contact, "peg-paper", kAdjacent},
      Refusal{data, "volume", contact, "lnc", kAdjacent},
      Refusal{data, "volume", contact, "deepest", kPenaltyPoint},
      Refusal{data, "deepest", contact, "st", kOnePoint},
      Refusal{data, "deepest", contact, "ap", kOnePoint},
      Refusal{data, "deepest", contact, "baraff", kOnePoint},
      Refusal{data, "features", contact, "baraff", kPatches},
      Refusal{data, "deepest", contact, "peg", kOnePoint},
      Refusal{data, "deepest", contact, "peg-paper", kOnePoint},
      Refusal{data, "deepest", contact, "lnc", kOnePoint},
      Refusal{data, "manifold", contact, "peg", kAdjacent},
      Refusal{data, "manifold", contact, "peg-paper", kAdjacent},
      Refusal{data, "manifold", contact, "lnc", kAdjacent},
      Refusal{data, "manifold", contact, "deepest", kPenaltyPoint},
      Refusal{data, "features", contact, "deepest", kPenaltyPoint},
      Refusal{friction, "slip", contact, "peg", kForces},
      Refusal{friction, "viscous", contact, "peg", kForces},
      Refusal{friction, "springs", contact, "peg", kForces},
      Refusal{friction, "anchor", contact, "peg", kForces},
      Refusal{friction, "stribeck", contact, "peg", kForces},
      Refusal{friction, "linear", contact, "peg", kForces},
      Refusal{friction, "slip", contact, "peg-paper", kForces},
      Refusal{friction, "viscous", contact, "peg-paper", kForces},
      Refusal{friction, "springs", contact, "peg-paper", kForces},
      Refusal{friction, "anchor", contact, "peg-paper", kForces},
      Refusal{friction, "stribeck", contact, "peg-paper", kForces},
      Refusal{friction, "linear", contact, "peg-paper", kForces},
      Refusal{friction, "slip", contact, "lnc", kForces},
      Refusal{friction, "viscous", contact, "lnc", kForces},
      Refusal{friction, "springs", contact, "lnc", kForces},
      Refusal{friction, "anchor", contact, "lnc", kForces},
      Refusal{friction, "stribeck", contact, "lnc", kForces},
      Refusal{friction, "linear", contact, "lnc", kForces},
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
      Refusal{solver, "enum", contact, "st", kMany},
      Refusal{solver, "enum", contact, "ap", kMany},
      Refusal{solver, "enum", contact, "peg", kMany},
      Refusal{solver, "enum", contact, "peg-paper", kMany},
      Refusal{solver, "enum", contact, "lnc", kMany},
  };
  // clang-format on
  return all;
}

std::string_view Choice::operator[](Axis axis) const {
  switch (axis) {
    case Axis::contact:
      return contact;
    case Axis::data:
      return data;
    case Axis::friction:
      return friction;
    case Axis::stabilize:
      return stabilize;
    case Axis::solver:
      return solver;
    case Axis::integrator:
      return integrator;
    case Axis::coordinates:
      return coordinates;
  }
  return "";
}

std::string_view default_of(std::string_view contact, Axis axis) {
  if (axis != Axis::friction && axis != Axis::data) return values(axis).front();
  ContactSettings s;
  set_contact(s, contact);
  return axis == Axis::data ? name(data_of(s)) : name(friction_of(s));
}

Choice choice_of(const ContactSettings& settings, Integrator integrator) {
  return {name(settings.model),     name(data_of(settings)), name(friction_of(settings)),
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
const Refusal* refusal_of(const Choice& choice) {
  for (const Refusal& r : refusals()) {
    const auto is_of = [&](Axis axis) { return r.first == axis || r.second == axis; };
    if (choice.contact == "none" && (is_of(Axis::friction) || is_of(Axis::data))) continue;
    if (choice[r.first] == r.value && choice[r.second] == r.other) return &r;
  }
  return nullptr;
}

}  // namespace

std::string why_not_contacts(const ContactSettings& s) {
  if (s.law == RestitutionLaw::stronge &&
      (s.model == ContactModel::st || s.model == ContactModel::ap))
    return fmt::format(
        "abut.restitution.law stronge does not go with contact {}: it follows one impact at a "
        "time, "
        "and {} has all contacts in one problem; use newton or poisson, or contact multipoint",
        name(s.model), name(s.model));
  if (s.stabilize_contacts != StabilizeContacts::on || stabilizes_contacts(s)) return {};
  std::string_view why = "its terms are of accelerations, and contacts are solved in velocities";
  if (s.model == ContactModel::none)
    why = "there are no contacts to act on";
  else if (is_penalty(s.model))
    why = "overlap is what its forces come from; use abut.stabilize.contacts off, or contact st";
  else if (s.stabilize == Stabilize::none)
    why = "there is no stabiliser to act on them; use stabilize post";
  else if (s.stabilize != Stabilize::baumgarte_acc)
    why =
        "psi / h of st holds the whole gap, and it would count twice; use stabilize post, or "
        "contact ap";
  return fmt::format("abut.stabilize.contacts on does not go with contact {}, stabilize {}: {}",
                     name(s.model), name(s.stabilize), why);
}

std::string why_not(const Choice& choice) {
  // its layers are forces or rows of a problem, and friction says which
  if (choice.contact == "quasirigid" && choice.integrator == "rk4" &&
      (choice.friction == "cone" || choice.friction == "pyramid"))
    return fmt::format(
        "integrator rk4 does not go with friction {} of contact quasirigid: it bounds impulses of "
        "a "
        "problem, and rk4 takes forces; use --friction anchor, or euler",
        choice.friction);
  const Refusal* refused = nullptr;
  for (std::size_t begin = 0; begin <= choice.solver.size();) {
    const std::size_t comma = std::min(choice.solver.find(',', begin), choice.solver.size());
    Choice one = choice;
    one.solver = choice.solver.substr(begin, comma - begin);
    const Refusal* r = refusal_of(one);
    if (r == nullptr) return {};
    if (refused == nullptr) refused = r;
    begin = comma + 1;
  }
  if (refused == nullptr) return {};
  return fmt::format("{} {} does not go with {} {}: {}", name(refused->first), refused->value,
                     name(refused->second), refused->other, refused->why);
}

}  // namespace abut
