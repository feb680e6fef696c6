// The elements and attributes that MJCF defines, and what abut does with each.
//
// check_schema() walks a document once, before it is read. An element or attribute that MJCF does
// not define is an error with the nearest name. One that MJCF defines and abut does not simulate is
// a warning, once per kind, at its first place.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "abut/load/xml_tree.h"

namespace abut {

// Collects warnings, each one once.
class Warnings {
 public:
  explicit Warnings(std::vector<Warning>& out) : out_(out) {}
  void once(const std::string& key, const Source& where, const std::string& text) {
    if (said_.insert(key).second) out_.push_back({where, text});
  }

 private:
  std::vector<Warning>& out_;
  std::set<std::string> said_;
};

void check_schema(const Element& mujoco, Warnings& warnings);

// What abut does with an attribute: `read` changes the world; `silent` affects only appearance or
// another engine's solver; `noted` is stored and reported once; `warned` is not simulated.
enum class Fate { read, silent, noted, warned };
struct KnownAttribute {
  std::string_view element, name;
  Fate fate;
};
// All attributes, for tests and documentation.
std::vector<KnownAttribute> known_attributes();

}  // namespace abut
