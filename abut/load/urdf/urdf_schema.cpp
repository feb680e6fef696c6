#include "abut/load/urdf/urdf_schema.h"

#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/math/suggest.h"

namespace abut {
namespace {

// Marks of names: '~' is read by nobody and changes nothing but looks; '!' is not
// simulated; '*' may be there more than once.
struct Row {
  std::string_view tag, attributes, children;
};

constexpr Row kRows[] = {
    {"robot", "name version", "*link *joint *material mujoco !*transmission !*gazebo !*sensor"},
    {"link", "name ~type", "inertial *visual *collision"},
    {"inertial", "", "origin mass inertia"},
    {"mass", "value", ""},
    {"inertia", "ixx ixy ixz iyy iyz izz", ""},
    {"origin", "xyz rpy", ""},
    {"visual", "name", "origin geometry material"},
    {"collision", "name", "origin geometry ~material"},
    {"geometry", "", "box cylinder sphere capsule mesh"},
    {"box", "size", ""},
    {"cylinder", "radius length", ""},
    {"capsule", "radius length", ""},
    {"sphere", "radius", ""},
    {"mesh", "filename scale", ""},
    {"material", "name", "color ~texture"},
    {"color", "rgba", ""},
    {"joint", "name type",
     "origin parent child axis limit dynamics mimic !calibration !safety_controller"},
    {"parent", "link", ""},
    {"child", "link", ""},
    {"axis", "xyz", ""},
    {"limit", "lower upper effort velocity", ""},
    {"dynamics", "damping friction", ""},
    {"mimic", "joint multiplier offset", ""},
};

struct Known {
  std::string_view name;
  bool silent = false, warned = false, many = false;
};

std::vector<Known> known_names(std::string_view words) {
  std::vector<Known> all;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    Known known{words.substr(0, end)};
    for (;; known.name.remove_prefix(1)) {
      const char mark = known.name.empty() ? ' ' : known.name.front();
      if (mark == '~')
        known.silent = true;
      else if (mark == '!')
        known.warned = true;
      else if (mark == '*')
        known.many = true;
      else
        break;
    }
    if (!known.name.empty()) all.push_back(known);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return all;
}

const Known* find(const std::vector<Known>& all, std::string_view name) {
  for (const Known& known : all)
    if (known.name == name) return &known;
  return nullptr;
}

// "; did you mean 'x'?" if a name is near, else nothing.
std::string near(std::string_view name, const std::vector<Known>& all) {
  std::vector<std::string_view> names;
  for (const Known& known : all) names.push_back(known.name);
  const std::string text = suggestion(name, names);
  return text.find("did you mean") != text.npos ? text : std::string();
}

bool foreign(std::string_view name) { return name.find(':') != name.npos; }

void check_attributes(const Element& e, const Row& row, Warnings& warnings) {
  const std::vector<Known> all = known_names(row.attributes);
  for (const Attribute& a : e.attributes) {
    if (find(all, a.name) || foreign(a.name) || a.name == "xmlns") continue;
    const std::string slip = near(a.name, all);
    if (!slip.empty())
      fail(e, fmt::format("unknown attribute '{}' in <{}>{}", a.name, e.tag, slip));
    // later versions of URDF turn frames by it, so it cannot be passed over
    if (a.name == "quat_xyzw") fail(e, "quat_xyzw", "abut reads URDF 1.0; write rpy=\"...\"");
    warnings.once(
        fmt::format("{} {}", e.tag, a.name), e.where,
        fmt::format("attribute '{}' of <{}> is not part of URDF and is ignored", a.name, e.tag));
  }
}

void check(const Element& e, Warnings& warnings) {
  const Row* row = nullptr;
  for (const Row& r : kRows)
    if (r.tag == e.tag) row = &r;
  if (!row) return;
  check_attributes(e, *row, warnings);

  const std::vector<Known> all = known_names(row->children);
  std::vector<std::string_view> seen;
  for (const Element& c : e.children) {
    if (c.tag.starts_with("xacro:"))
      fail(c, fmt::format("<{}> is a macro; run xacro on the file and load what it writes", c.tag));
    const Known* known = find(all, c.tag);
    if (!known) {
      const std::string slip = near(c.tag, all);
      if (!slip.empty()) fail(c, fmt::format("unknown element <{}> in <{}>{}", c.tag, e.tag, slip));
      if (e.tag == "geometry")
        fail(c, fmt::format("unknown shape <{}>; write <box>, <cylinder>, <sphere>, <capsule> or "
                            "<mesh>",
                            c.tag));
      warnings.once(fmt::format("{} <{}>", e.tag, c.tag), c.where,
                    fmt::format("<{}> in <{}> is not part of URDF and is ignored", c.tag, e.tag));
      continue;
    }
    if (known->warned)
      warnings.once(fmt::format("<{}>", c.tag), c.where,
                    fmt::format("<{}> is not simulated by abut", c.tag));
    if (!known->many && std::find(seen.begin(), seen.end(), c.tag) != seen.end())
      fail(c, fmt::format("a second <{}> in this <{}>; keep one", c.tag, e.tag));
    seen.push_back(c.tag);
    if (!known->silent && !known->warned) check(c, warnings);
  }
}

}  // namespace

void check_urdf_schema(const Element& robot, Warnings& warnings) {
  if (robot.find("xmlns:xacro"))
    warnings.once("xmlns:xacro", robot.where,
                  "this names xacro; abut reads what xacro writes, and "
                  "expands no macros");
  check(robot, warnings);
}

}  // namespace abut
