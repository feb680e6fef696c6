// Sensors: names to ids, and places of their values.
#include <fmt/format.h>

#include <optional>
#include <string>

#include "abut/model/compile/compile_draft.h"

namespace abut::compiling {
namespace {

struct ObjectTable {
  std::string_view word;
  SensorObject type;
  const NameTable* names;
};

// Empty type: an object that abut does not have, such as a camera.
std::optional<ObjectTable> object_table(const Model& model, std::string_view word) {
  const ObjectTable tables[] = {{"joint", SensorObject::joint, &model.joint_names},
                                {"tendon", SensorObject::tendon, &model.tendon_names},
                                {"actuator", SensorObject::actuator, &model.actuator_names},
                                {"site", SensorObject::site, &model.site_names},
                                {"geom", SensorObject::geom, &model.geom_names},
                                {"body", SensorObject::inertial, &model.body_names},
                                {"xbody", SensorObject::body, &model.body_names}};
  for (const ObjectTable& table : tables)
    if (table.word == word) return table;
  return {};
}

// Why abut computes no values for a sensor; empty if it does.
std::string why_silent(const Model& model, const SensorDesc& d, const Sensor& s) {
  if (!sensor_traits(d.type)) return "this kind is not computed";
  for (const std::string* word : {&d.objtype, &d.reftype})
    if (!word->empty() && !object_table(model, *word)) return fmt::format("of a {}", *word);
  const bool of_limit = d.type == "jointlimitpos" || d.type == "jointlimitvel";
  if (of_limit && !is_scalar(model.joints[std::size_t(s.object)].type)) return "of a ball joint";
  const bool of_tendon = s.type == SensorObject::tendon;
  if (of_tendon && !model.tendons[std::size_t(s.object)].simulated) return "of a spatial tendon";
  return {};
}

void resolve(const Thing& thing, const Model& model, const std::string& word,
             const std::string& name, SensorObject& type, int& id) {
  if (const auto table = object_table(model, word)) {
    type = table->type;
    id = lookup(thing, *table->names, name);
  }
}

// Of sensors of a joint: the joint must have what is measured.
void check_joint(const Thing& thing, const Model& model, const Sensor& s) {
  if (s.type != SensorObject::joint) return;
  const JointType type = model.joints[std::size_t(s.object)].type;
  const bool ball = s.kind == SensorKind::ballquat || s.kind == SensorKind::ballangvel;
  if (ball ? type != JointType::ball : !is_scalar(type))
    thing.fail(fmt::format("{} needs a {}", sensor_traits(s.kind).name,
                           ball ? "ball joint" : "hinge or slide"));
}

}  // namespace

void make_sensors(Draft& draft) {
  Model& model = draft.model;
  const Source* where = nullptr;
  std::string silent;
  int more = 0;
  for (const SensorDesc& d : draft.world.sensors) {
    const int id = model.sensor_names.add(d.name, d.source);
    const Thing thing(model.sensor_names, id, d.source);
    Sensor s;
    s.first = model.nsensordata;
    s.cutoff = d.cutoff;
    s.noise = d.noise;
    resolve(thing, model, d.objtype, d.object, s.type, s.object);
    resolve(thing, model, d.reftype, d.reference, s.ref_type, s.ref);
    const std::string why = why_silent(model, d, s);
    if (why.empty()) {
      const SensorTraits traits = *sensor_traits(d.type);
      s.kind = traits.kind;
      s.size = traits.size;
      check_joint(thing, model, s);
    } else {
      s.size = 0;
      if (where == nullptr) {
        where = &d.source;
        silent = fmt::format("<{}> gives no values: {}", d.type, why);
      } else {
        ++more;
      }
    }
    model.nsensordata += s.size;
    model.sensors.push_back(s);
  }
  if (where == nullptr) return;
  if (more > 0) silent += fmt::format("; {} more like it", more);
  model.warnings.push_back({*where, silent});
}

}  // namespace abut::compiling
