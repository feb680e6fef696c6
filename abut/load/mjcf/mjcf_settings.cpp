// <compiler>, <option>, <custom> and <keyframe>.
#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_context.h"

namespace abut {
namespace {

constexpr std::pair<std::string_view, bool> kEnable[] = {{"enable", true}, {"disable", false}};

void read_flags(const Element& e, Options& o) {
  const std::pair<std::string_view, bool*> flags[] = {{"constraint", &o.constraint_on},
                                                      {"equality", &o.equality_on},
                                                      {"frictionloss", &o.frictionloss_on},
                                                      {"limit", &o.limit_on},
                                                      {"contact", &o.contact_on},
                                                      {"spring", &o.spring_on},
                                                      {"damper", &o.damper_on},
                                                      {"gravity", &o.gravity_on},
                                                      {"clampctrl", &o.clamp_ctrl},
                                                      {"filterparent", &o.filter_parent},
                                                      {"actuation", &o.actuation_on},
                                                      {"eulerdamp", &o.euler_damp}};
  // older files: passive means springs and dampers together
  bool passive = true;
  if (read_word(e, "passive", kEnable, passive)) o.spring_on = o.damper_on = passive;
  for (const auto& [name, flag] : flags) read_word(e, name, kEnable, *flag);
}

double read_not_negative(const Element& e, std::string_view name, double value) {
  if (read(e, name, value) && value < 0) fail(e, name, "is negative; write 0 or more");
  return value;
}

}  // namespace

void read_compiler(const Element& e, MjcfContext& mjcf) {
  constexpr std::pair<std::string_view, bool> angles[] = {{"radian", false}, {"degree", true}};
  constexpr std::pair<std::string_view, bool> coordinates[] = {{"local", false}, {"global", true}};
  constexpr std::pair<std::string_view, InertiaFromGeom> inertia[] = {
      {"false", InertiaFromGeom::no},
      {"true", InertiaFromGeom::yes},
      {"auto", InertiaFromGeom::automatic}};
  CompilerSettings& c = mjcf.world.compiler;

  // angles and places
  read_word(e, "angle", angles, mjcf.angles.degrees);
  if (read(e, "eulerseq", mjcf.angles.eulerseq) &&
      (mjcf.angles.eulerseq.size() != 3 ||
       mjcf.angles.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos))
    fail(e, "eulerseq",
         fmt::format("'{}' is not a sequence of axes; write three of x, y, z (moving) "
                     "or X, Y, Z (fixed)",
                     e.text("eulerseq")));
  bool global = false;
  if (read_word(e, "coordinate", coordinates, global) && global)
    fail(e, "coordinate",
         "MJCF has no global coordinates any more; write every pos in its parent's "
         "frame");
  read(e, "assetdir", mjcf.meshdir);
  read(e, "meshdir", mjcf.meshdir);
  read(e, "strippath", mjcf.strippath);

  // inertia
  read_word(e, "inertiafromgeom", inertia, c.inertia_from_geom);
  read_all(e, "inertiagrouprange", c.inertia_group_range);
  c.bound_mass = read_not_negative(e, "boundmass", c.bound_mass);
  c.bound_inertia = read_not_negative(e, "boundinertia", c.bound_inertia);
  read(e, "settotalmass", c.set_total_mass);
  read(e, "balanceinertia", c.balance_inertia);
  read(e, "alignfree", c.align_free);
  read(e, "fitaabb", c.fit_aabb);
  read(e, "autolimits", c.autolimits);

  // settings that only change how MuJoCo stores the same mechanism
  bool on = false;
  if (read(e, "fusestatic", on) && on)
    mjcf.warnings.once("fusestatic", e.where,
                       "fusestatic: abut keeps the bodies apart; they move the same");
  if (read(e, "discardvisual", on) && on)
    mjcf.warnings.once("discardvisual", e.where,
                       "discardvisual: abut keeps the visual geoms; they never "
                       "collide");
}

void read_option(const Element& e, MjcfContext& mjcf) {
  constexpr std::pair<std::string_view, Integrator> integrators[] = {
      {"Euler", Integrator::euler},
      {"implicit", Integrator::implicit},
      {"implicitfast", Integrator::implicit},
      {"RK4", Integrator::rk4}};
  Options& o = mjcf.world.option;
  mjcf.world.option_source = e.where;
  if (read(e, "timestep", o.timestep) && !(o.timestep > 0))
    fail(e, "timestep", "must be above zero; write seconds, such as 0.002");
  read(e, "gravity", o.gravity);
  read(e, "wind", o.wind);
  read(e, "magnetic", o.magnetic);
  o.density = read_not_negative(e, "density", o.density);
  o.viscosity = read_not_negative(e, "viscosity", o.viscosity);
  read_word(e, "integrator", integrators, o.integrator);
  std::vector<int> groups;
  read_list(e, "actuatorgroupdisable", groups);
  for (int group : groups) {
    if (group < 0 || group > 30) fail(e, "actuatorgroupdisable", "groups go from 0 to 30");
    o.disabled_actuator_groups |= 1u << group;
  }
  for (const Element& c : e.children)
    if (c.tag == "flag") read_flags(c, o);
}

void read_custom(const Element& section, MjcfContext& mjcf) {
  constexpr std::size_t kLargest = 500;  // MJCF's own limit
  for (const Element& e : section.children) {
    if (e.tag == "text") {
      mjcf.world.texts.push_back({required(e, "name"), required(e, "data"), e.where});
    } else if (e.tag == "numeric") {
      NumericDesc numeric{required(e, "name"), {}, e.where};
      read_list(e, "data", numeric.data);
      int size = static_cast<int>(numeric.data.size());
      read(e, "size", size);
      if (size < 1 || static_cast<std::size_t>(size) > kLargest)
        fail(e, fmt::format("a numeric has 1 to {} numbers; write data=\"...\" or size=\"n\"",
                            kLargest));
      if (numeric.data.size() > static_cast<std::size_t>(size))
        fail(e, "data", fmt::format("has {} numbers, size says {}", numeric.data.size(), size));
      numeric.data.resize(static_cast<std::size_t>(size));
      mjcf.world.numerics.push_back(std::move(numeric));
    } else if (e.tag == "tuple") {
      TupleDesc tuple{required(e, "name"), {}, e.where};
      for (const Element& c : e.children) {
        auto& element = tuple.elements.emplace_back();
        element.objtype = required(c, "objtype");
        element.objname = required(c, "objname");
        read(c, "prm", element.prm);
      }
      mjcf.world.tuples.push_back(std::move(tuple));
    }
  }
}

void read_keyframes(const Element& section, MjcfContext& mjcf) {
  for (const Element& e : section.children) {
    KeyframeDesc& key = mjcf.world.keyframes.emplace_back();
    key.source = e.where;
    read(e, "name", key.name);
    read(e, "time", key.time);
    read_list(e, "qpos", key.qpos);
    read_list(e, "qvel", key.qvel);
    read_list(e, "act", key.act);
    read_list(e, "ctrl", key.ctrl);
    read_list(e, "mpos", key.mpos);
    read_list(e, "mquat", key.mquat);
  }
}

}  // namespace abut
