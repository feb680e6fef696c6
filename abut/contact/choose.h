// Choosing a contact model and what goes with it: words of the command line and of a world into
// ContactSettings, and defaults for what nobody chose, from ModelInfo.
//
//   abut::ContactSettings s = abut::contact_settings(model);  // of the world
//   abut::set_contact(s, "ap");
//   abut::set_friction(s, "pyramid:12");
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/contact/model_info.h"
#include "abut/contact/settings.h"

namespace abut {

// From `abut.contact`, `abut.friction`, `abut.stabilize`, `abut.solver` and others of the world.
// Throws WorldError that lists what there is.
ContactSettings contact_settings(const Model& model);

// The same words from the command line; empty ones leave it as it is. Throw std::invalid_argument
// that lists what there is, and the nearest word.
void set_contact(ContactSettings& s, std::string_view text);
void set_data(ContactSettings& s, std::string_view text);
void set_friction(ContactSettings& s, std::string_view text);            // cone, pyramid:12, ..
void set_stabilize(ContactSettings& s, std::string_view text);           // post:3, baumgarte:20, ..
void set_stabilize_contacts(ContactSettings& s, std::string_view text);  // auto on off
void set_solver(ContactSettings& s, std::string_view text);  // a name, auto, or a chain a,b,c
// Throw std::invalid_argument for numbers that none can be.
void set_accuracy(ContactSettings& s, double residual);
void set_iterations(ContactSettings& s, double most);
// st, ap and fast: throws for other models.
void set_budget(ContactSettings& s, double ms);
// A setting of a single model, by its key: "st.recover".
void set_own(ContactSettings& s, std::string_view key, std::string_view word);

// Settings of a world, by their key: "abut.multipoint.kp".
enum class SettingKind {
  none,     // there is none of that key
  word,     // one of some words
  number,   // one number or several
  at_load,  // read while the world is loaded: a model that is there can no longer change it
};
SettingKind setting_kind(std::string_view key);
// All keys there are, but for those that end in a name of the world (`abut.layer.GEOM`).
std::vector<std::string> setting_keys();

// The forms that set_friction() and set_stabilize() take, for help: "none, cone, pyramid[:N], ..".
std::string friction_forms();
std::string stabilize_forms();

// What is meant by natural: the model's own.
const ModelInfo& info_of(const ContactSettings& s);
ContactSource data_of(const ContactSettings& s);
FrictionKind friction_of(const ContactSettings& s);
// Whether the stabiliser acts on contacts (ModelInfo::stabilizes_contacts;
// docs/derivations/rules.md).
bool stabilizes_contacts(const ContactSettings& s);
// With all of this filled in, and the defaults of the model's own settings.
ContactSettings resolved(ContactSettings s);

// Neither the settings nor the world's flags turn contacts off.
bool has_contacts(const Model& model, const ContactSettings& settings);

// As one would write them on the command line: "pyramid:8", "post:2".
std::string friction_text(const ContactSettings& s);
std::string stabilize_text(const ContactSettings& s);

}  // namespace abut
