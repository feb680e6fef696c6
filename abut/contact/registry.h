// The registry of contact models: the only list of them.
//
//   const abut::ContactModelEntry& st = abut::contact_model("st");
//   for (const abut::ContactModelEntry& m : abut::contact_models()) print(m.info->summary);
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "abut/contact/contact_model.h"
#include "abut/contact/model_info.h"

namespace abut {

struct ContactModelEntry {
  const ModelInfo* info;
  std::unique_ptr<ContactModel> (*make)(const ContactWorld&);
};

// All there are: those of the tree, the default first, then those that were added.
std::span<const ContactModelEntry> contact_models();
// By name or alias; null: there is none.
const ContactModelEntry* find_contact_model(std::string_view name);
// The same; throws std::invalid_argument that names those present, and the nearest.
const ContactModelEntry& contact_model(std::string_view name);
// For programs and plug-ins, before simulators are made; `entry.info` must stay. Throws
// std::invalid_argument where the name is taken or empty. Not for several threads at once.
void add_contact_model(const ContactModelEntry& entry);

}  // namespace abut
