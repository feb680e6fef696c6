// ModelInfo: what a contact model says of itself. The command line, its help, `abut models`,
// refusals and the tables of the docs are made from it; nothing else lists contact models.
//
//   const abut::ModelInfo& info = *abut::contact_model("st").info;
//   info.friction.front();   // "cone": the default
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/constrain/step/step_settings.h"
#include "abut/model/model.h"

namespace abut {

struct ContactSettings;

// The axes of a choice, as on the command line.
enum class Axis { contact, data, friction, stabilize, solver, integrator, coordinates };
inline constexpr Axis kAxes[] = {Axis::contact, Axis::data,       Axis::friction,   Axis::stabilize,
                                 Axis::solver,  Axis::integrator, Axis::coordinates};

std::string_view name(Axis axis);

// One name of each axis, as on the command line without its numbers.
struct Choice {
  std::string_view contact = "st", data = "manifold", friction = "cone", stabilize = "post";
  std::string_view solver = "auto";  // or a chain: it is refused if each link is
  std::string_view integrator = "euler";
  std::string_view coordinates = "generalized";

  std::string_view operator[](Axis axis) const;
};

// How a contact model acts on bodies.
enum class ContactFamily {
  none,      // no contacts
  forces,    // springs and dampers: forces in every stage of an integrator
  impulses,  // complementarity: impulses that are solved for once a step
};

// What becomes of `abut.restitution`.
enum class Bouncing {
  none,      // it is not used: the model does not bounce
  damping,   // it is not used: the damping of the model decides
  impulses,  // impulses before a step, by the law of restitution
};

// A value of an axis that a model does not go with.
struct NotWith {
  Axis axis;
  std::string_view value;
  std::string_view why;  // the reason, and what to use instead
};

// A setting of one model: `abut.MODEL.NAME` of a world, `--set MODEL.NAME=..` of the command line.
struct ModelSetting {
  std::string_view name;
  std::string_view standard;  // the default, as one would write it; or what decides it
  std::string_view unit;      // empty: a word or a plain number
  std::string_view meaning;
  std::vector<std::string_view> words = {};  // of a setting that is one of these; else a number
};

struct ModelInfo {
  std::string_view name = {};     // on the command line
  std::string_view alias = {};    // another name, or empty
  std::string_view summary = {};  // one line
  ContactFamily family = ContactFamily::impulses;
  bool has_budget = false;  // the time of its problems may be limited (--budget-ms)
  // Values that the model goes with, the default first. Of a model without contacts: empty.
  std::vector<std::string_view> data = {}, friction = {}, stabilize = {}, integrator = {};
  // Why not with others. A value that is neither above nor here is refused without a reason of its
  // own. Solvers are refused here alone: others can be added at any time.
  std::vector<NotWith> not_with = {};
  // Stabilisers that act on the model's contacts too, and not on joints and limits alone; and why
  // others do not, for a world that asks for it.
  std::vector<std::string_view> stabilizes_contacts = {};
  std::string_view why_contacts_unstabilized = {};
  Bouncing bouncing = Bouncing::none;
  std::vector<std::string_view> restitution_laws = {};  // the default first
  std::string_view why_not_other_laws = {};
  bool regresses = false;  // substeps may end where solids meet (abut.impact.time)
  GapRule gaps = GapRule::close;
  std::vector<ModelSetting> settings = {};

  // Where lists are not enough; null: they are. What friction means that nobody chose; why choices
  // that each list allows do not go together, and why the model cannot run a world (empty: they
  // do, it can).
  std::string_view (*natural_friction)(const ContactSettings&) = nullptr;
  std::string (*why_not)(const Choice&) = nullptr;
  std::string (*why_not_in_world)(const Model&, Integrator) = nullptr;

  const ModelSetting* setting(std::string_view of) const {
    for (const ModelSetting& s : settings)
      if (s.name == of) return &s;
    return nullptr;
  }
};

}  // namespace abut
