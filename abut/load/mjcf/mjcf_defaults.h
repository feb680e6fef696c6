// Default classes: the values of attributes that are not written.
//
// A class starts as a copy of its parent, and its own elements change it; an element starts as a
// copy of its class's. All actuator shortcuts of a class share one set of parameters, as in MuJoCo:
// <position kp="5"/> in a class makes a <general> of that class a position servo too.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "abut/load/mjcf/mjcf_drafts.h"
#include "abut/load/mjcf/mjcf_orientation.h"
#include "abut/load/mjcf/mjcf_schema.h"
#include "abut/load/xml_tree.h"

namespace abut {

struct ClassDefaults {
  JointDesc joint;
  Oriented<GeomDesc> geom;
  Oriented<SiteDesc> site;
  MeshDesc mesh;
  Vec4 material_rgba{1, 1, 1, 1};
  PairDesc pair;
  EqualityDesc equality;
  TendonDesc tendon;
  ActuatorDraft actuator;
};

class Defaults {
 public:
  Defaults();
  // Reads one top-level <default>; several are read one after another into the main class.
  void read(const Element& section, const AngleRules& rules);

  const ClassDefaults& main() const { return *classes_.at("main"); }
  // The class that `attribute` of the element names, or `otherwise`; an unknown class is an error.
  const ClassDefaults& of(const Element& e, std::string_view attribute,
                          const ClassDefaults& otherwise) const;

 private:
  void read_class(const Element& e, ClassDefaults& self, const AngleRules& rules);

  std::map<std::string, std::unique_ptr<ClassDefaults>, std::less<>> classes_;
};

}  // namespace abut
