// Elements that refer to the tree by name: contact pairs and excludes, equalities, tendons and
// actuators. (Sensors have their own file.)
#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_actuator.h"
#include "abut/load/mjcf/mjcf_context.h"
#include "abut/load/mjcf/mjcf_elements.h"

namespace abut {
namespace {

// connect and weld join two sites, or a body and another body or the world.
void read_ends(const Element& e, EqualityDesc& equality, std::string_view body_extra) {
  const bool sites = e.find("site1") || e.find("site2");
  if (sites) {
    for (std::string_view other : {"body1", "body2", "anchor", "relpose"})
      if (e.find(other)) fail(e, other, "does not go with site1 and site2; keep one or the other");
    equality.by_site = true;
    equality.first = required(e, "site1");
    equality.second = required(e, "site2");
  } else {
    if (!e.find("body1"))
      fail(e,
           fmt::format("<{}> holds nothing; write body1=\"...\"{} or site1=\"...\" site2=\"...\"",
                       e.tag, body_extra));
    equality.first = required(e, "body1");
    read(e, "body2", equality.second);
    equality.has_anchor = read(e, "anchor", equality.anchor);
  }
}

void read_relpose(const Element& e, EqualityDesc& equality) {
  std::array<double, 7> r{};
  if (!read(e, "relpose", r)) return;
  const Quat q(r[3], r[4], r[5], r[6]);
  // MJCF: a zero quaternion asks for the pose at qpos0
  if (q.norm() > 0) equality.relpose = Pose{{r[0], r[1], r[2]}, q.normalized()};
}

void read_curve(const Element& e, EqualityDesc& equality, std::string_view first,
                std::string_view second) {
  equality.first = required(e, first);
  read(e, second, equality.second);
  read_some(e, "polycoef", equality.polycoef);
}

}  // namespace

void read_contacts(const Element& section, MjcfContext& mjcf) {
  for (const Element& e : section.children) {
    if (e.tag == "pair") {
      PairDesc pair = mjcf.defaults.of(e, "class", mjcf.defaults.main()).pair;
      read_pair(e, pair);
      pair.geom1 = required(e, "geom1");
      pair.geom2 = required(e, "geom2");
      mjcf.world.pairs.push_back(std::move(pair));
    } else {
      ExcludeDesc& exclude = mjcf.world.excludes.emplace_back();
      exclude.source = e.where;
      read(e, "name", exclude.name);
      exclude.body1 = required(e, "body1");
      exclude.body2 = required(e, "body2");
    }
  }
}

void read_equalities(const Element& section, MjcfContext& mjcf) {
  for (const Element& e : section.children) {
    EqualityDesc equality = mjcf.defaults.of(e, "class", mjcf.defaults.main()).equality;
    equality.source = e.where;
    read(e, "name", equality.name);
    read(e, "active", equality.active);
    if (e.tag == "connect") {
      equality.type = EqualityType::connect;
      read_ends(e, equality, " anchor=\"...\"");
      if (!equality.by_site && !equality.has_anchor)
        fail(e, "<connect> of bodies needs a point; write anchor=\"x y z\" in the frame of body1");
    } else if (e.tag == "weld") {
      equality.type = EqualityType::weld;
      read_ends(e, equality, "");
      read_relpose(e, equality);
      read(e, "torquescale", equality.torquescale);
    } else if (e.tag == "joint") {
      equality.type = EqualityType::joint;
      read_curve(e, equality, "joint1", "joint2");
    } else if (e.tag == "tendon") {
      equality.type = EqualityType::tendon;
      read_curve(e, equality, "tendon1", "tendon2");
    } else {
      continue;  // of flexes: warned of already
    }
    mjcf.world.equalities.push_back(std::move(equality));
  }
}

void read_tendons(const Element& section, MjcfContext& mjcf) {
  for (const Element& e : section.children) {
    TendonDesc tendon = mjcf.defaults.of(e, "class", mjcf.defaults.main()).tendon;
    read_tendon(e, tendon);
    if (e.tag == "spatial") {
      tendon.simulated = false;
    } else {
      if (e.children.empty())
        fail(e, "<fixed> pulls on nothing; write <joint joint=\"...\" coef=\"...\"/> in it");
      for (const Element& c : e.children) {
        tendon.joints.push_back(required(c, "joint"));
        required(c, "coef");
        read(c, "coef", tendon.coef.emplace_back());
      }
    }
    mjcf.world.tendons.push_back(std::move(tendon));
  }
}

void read_actuators(const Element& section, MjcfContext& mjcf) {
  for (const Element& e : section.children) {
    ActuatorDraft actuator = mjcf.defaults.of(e, "class", mjcf.defaults.main()).actuator;
    read_actuator(e, actuator);
    mjcf.world.actuators.push_back(finish_actuator(e, actuator, mjcf.warnings));
  }
}

}  // namespace abut
