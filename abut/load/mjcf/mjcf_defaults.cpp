#include "abut/load/mjcf/mjcf_defaults.h"

#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_actuator.h"
#include "abut/load/mjcf/mjcf_elements.h"
#include "abut/math/suggest.h"

namespace abut {

Defaults::Defaults() { classes_["main"] = std::make_unique<ClassDefaults>(); }

void Defaults::read(const Element& section, const AngleRules& rules) {
  const std::string_view name = section.text("class");
  if (!name.empty() && name != "main")
    fail(section, fmt::format("the outermost <default> is always the class 'main'; put "
                              "<default class=\"{}\"> inside it",
                              name));
  read_class(section, *classes_.at("main"), rules);
}

void Defaults::read_class(const Element& e, ClassDefaults& self, const AngleRules& rules) {
  for (const Element& c : e.children) {
    if (c.tag == "joint")
      read_joint(c, self.joint);
    else if (c.tag == "geom")
      read_geom(c, rules, self.geom);
    else if (c.tag == "site")
      read_site(c, rules, self.site);
    else if (c.tag == "mesh")
      read_mesh_attributes(c, self.mesh);
    else if (c.tag == "material")
      abut::read(c, "rgba", self.material_rgba);
    else if (c.tag == "pair")
      read_pair(c, self.pair);
    else if (c.tag == "equality")
      abut::read(c, "active", self.equality.active);
    else if (c.tag == "tendon")
      read_tendon(c, self.tendon);
    else if (is_actuator(c.tag))
      read_actuator(c, self.actuator);
  }
  // the nested classes start from all of this one, wherever it is written
  for (const Element& c : e.children) {
    if (c.tag != "default") continue;
    const std::string name = required(c, "class");
    auto [place, fresh] = classes_.try_emplace(name, nullptr);
    if (!fresh) fail(c, fmt::format("default class '{}' is defined already; rename one", name));
    place->second = std::make_unique<ClassDefaults>(self);
    read_class(c, *place->second, rules);
  }
}

const ClassDefaults& Defaults::of(const Element& e, std::string_view attribute,
                                  const ClassDefaults& otherwise) const {
  const Attribute* a = e.find(attribute);
  if (!a) return otherwise;
  const auto found = classes_.find(a->value);
  if (found != classes_.end()) return *found->second;
  std::vector<std::string_view> names;
  for (const auto& entry : classes_) names.push_back(entry.first);
  fail(e, attribute,
       fmt::format("there is no default class '{}'{}", a->value, suggestion(a->value, names)));
}

}  // namespace abut
