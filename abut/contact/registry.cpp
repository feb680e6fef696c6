#include "abut/contact/registry.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "abut/contact/complementarity/baraff_model.h"
#include "abut/contact/complementarity/feature_model.h"
#include "abut/contact/complementarity/peg_model.h"
#include "abut/contact/complementarity/stepping_model.h"
#include "abut/contact/fast/fast_model.h"
#include "abut/contact/no_contact.h"
#include "abut/contact/penalty/penalty_model.h"
#include "abut/contact/penalty/quasirigid_model.h"
#include "abut/math/suggest.h"

namespace abut {

namespace {

std::vector<ContactModelEntry>& all() {
  // one a line, the default first
  // clang-format off
  static std::vector<ContactModelEntry> entries{
      {&fast_info(), make_fast},
      {&st_info(), make_st},
      {&ap_info(), make_ap},
      {&peg_info(), make_peg},
      {&peg_paper_info(), make_peg_paper},
      {&lnc_info(), make_lnc},
      {&baraff_info(), make_baraff},
      {&deepest_info(), make_deepest_model},
      {&volumetric_info(), make_volumetric_model},
      {&multipoint_info(), make_multipoint_model},
      {&quasirigid_info(), make_quasirigid_model},
      {&no_contact_info(), make_no_contact},
  };
  // clang-format on
  return entries;
}

}  // namespace

std::span<const ContactModelEntry> contact_models() { return all(); }

const ContactModelEntry* find_contact_model(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const ContactModelEntry& entry : all())
    if (entry.info->name == name || entry.info->alias == name) return &entry;
  return nullptr;
}

const ContactModelEntry& contact_model(std::string_view name) {
  if (const ContactModelEntry* entry = find_contact_model(name)) return *entry;
  std::vector<std::string_view> names;
  std::string present;
  for (const ContactModelEntry& entry : all()) {
    names.push_back(entry.info->name);
    present += fmt::format("{}{}", present.empty() ? "" : ", ", entry.info->name);
    if (!entry.info->alias.empty()) present += fmt::format(" ({})", entry.info->alias);
  }
  throw std::invalid_argument(fmt::format("there is no contact model '{}'{}; there are {}", name,
                                          did_you_mean(name, names), present));
}

void add_contact_model(const ContactModelEntry& entry) {
  if (entry.info == nullptr || entry.make == nullptr || entry.info->name.empty())
    throw std::invalid_argument("a contact model needs a name, a ModelInfo and a make function");
  for (const std::string_view name : {entry.info->name, entry.info->alias})
    if (find_contact_model(name) != nullptr)
      throw std::invalid_argument(
          fmt::format("there is a contact model '{}' already; choose another name", name));
  all().push_back(entry);
}

}  // namespace abut
