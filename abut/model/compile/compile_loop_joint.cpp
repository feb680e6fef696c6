// Joints that MJCF does not have, as custom texts with two sites:
//
//   <text name="abut.joint.NAME" data="KIND SITE1 SITE2 [NUMBERS]"/>
#include <fmt/format.h>

#include <sstream>

#include "abut/model/compile/compile_draft.h"

namespace abut::compiling {
namespace {

struct Kind {
  std::string_view name;
  EqualityType type;
};
constexpr Kind kKinds[] = {{"ball", EqualityType::connect},
                           {"weld", EqualityType::weld},
                           {"hinge", EqualityType::hinge},
                           {"slide", EqualityType::slide},
                           {"cylindrical", EqualityType::cylindrical},
                           {"universal", EqualityType::universal},
                           {"planar", EqualityType::planar},
                           {"distance", EqualityType::distance},
                           {"gear", EqualityType::gear}};

constexpr std::string_view kPrefix = "abut.joint.";

EqualityDesc parse(const TextDesc& text) {
  const auto fail = [&](const std::string& what) {
    throw WorldError(text.source, fmt::format("{}: {}; write \"KIND SITE1 SITE2\", with a length "
                                              "(m) behind for a distance and two numbers of teeth "
                                              "for a gear",
                                              text.name, what));
  };
  std::istringstream words(text.data);
  std::string kind, rest;
  EqualityDesc e;
  e.name = text.name.substr(kPrefix.size());
  e.source = text.source;
  e.by_site = true;
  if (!(words >> kind >> e.first >> e.second)) fail("three words at least are wanted");
  bool known = false;
  std::string names;
  for (const Kind& k : kKinds) {
    if (k.name == kind) {
      e.type = k.type;
      known = true;
    }
    names += (names.empty() ? "" : ", ") + std::string(k.name);
  }
  if (!known) fail(fmt::format("there is no joint '{}', there are {}", kind, names));
  if (e.type == EqualityType::gear && !(words >> e.teeth[0] >> e.teeth[1]))
    fail("a gear wants the teeth of both wheels, such as 12 30");
  if (e.type == EqualityType::distance && !(words >> std::ws).eof() && !(words >> e.length))
    fail("the length is no number");
  words.clear();
  if (words >> rest) fail(fmt::format("'{}' is too much", rest));
  return e;
}

}  // namespace

std::vector<EqualityDesc> loop_joints(const World& world) {
  std::vector<EqualityDesc> joints;
  for (const TextDesc& text : world.texts)
    if (text.name.starts_with(kPrefix)) joints.push_back(parse(text));
  return joints;
}

}  // namespace abut::compiling
