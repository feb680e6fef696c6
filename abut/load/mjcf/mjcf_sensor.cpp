// <sensor>: read, named and kept.
#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_context.h"

namespace abut {
namespace {

// The attribute that names the measured object, and the object's kind.
struct Way {
  std::string_view attribute, type;
};
constexpr Way kObjects[] = {{"site", "site"},         {"joint", "joint"}, {"tendon", "tendon"},
                            {"actuator", "actuator"}, {"body", "body"},   {"mesh", "mesh"},
                            {"geom1", "geom"},        {"body1", "body"},  {"subtree1", "xbody"},
                            {"camera", "camera"}};
constexpr Way kReferences[] = {
    {"geom2", "geom"}, {"body2", "body"}, {"subtree2", "xbody"}, {"geom", "geom"}};

bool find(const Element& e, std::span<const Way> ways, std::string& type, std::string& name) {
  std::string_view found;
  for (const Way& way : ways) {
    if (!e.find(way.attribute)) continue;
    if (!found.empty()) fail(e, fmt::format("both {} and {}; keep one", found, way.attribute));
    found = way.attribute;
    type = way.type;
    name = required(e, way.attribute);
  }
  return !found.empty();
}

void read_pair_of(const Element& e, std::string_view type_attribute,
                  std::string_view name_attribute, std::string& type, std::string& name) {
  if (!e.find(type_attribute) && !e.find(name_attribute)) return;
  type = required(e, type_attribute);
  name = required(e, name_attribute);
}

bool is_of_the_world(std::string_view tag) {
  return tag == "clock" || tag == "e_potential" || tag == "e_kinetic" || tag == "user" ||
         tag == "plugin" || tag == "contact";
}

}  // namespace

void read_sensors(const Element& section, MjcfContext& mjcf) {
  for (const Element& e : section.children) {
    SensorDesc& s = mjcf.world.sensors.emplace_back();
    s.source = e.where;
    s.type = e.tag;
    read(e, "name", s.name);
    read(e, "cutoff", s.cutoff);
    read(e, "noise", s.noise);
    if (e.tag == "camprojection" || e.tag == "insidesite") {
      // the one names a site and the camera that sees it, the other a site and what is in it
      const bool camera = e.tag == "camprojection";
      (camera ? s.objtype : s.reftype) = "site";
      (camera ? s.object : s.reference) = required(e, "site");
      if (camera) {
        s.reftype = "camera";
        s.reference = required(e, "camera");
      } else {
        read_pair_of(e, "objtype", "objname", s.objtype, s.object);
      }
    } else {
      find(e, kObjects, s.objtype, s.object);
      find(e, kReferences, s.reftype, s.reference);
      read_pair_of(e, "objtype", "objname", s.objtype, s.object);
      read_pair_of(e, "reftype", "refname", s.reftype, s.reference);
    }
    if (s.object.empty() && !is_of_the_world(e.tag))
      fail(e, fmt::format(
                  "<{}> does not say what it measures; add the name of a site, joint, body, .. "
                  "(objtype and objname for a frame sensor)",
                  e.tag));
  }
}

}  // namespace abut
