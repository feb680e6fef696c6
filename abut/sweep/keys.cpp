#include "abut/sweep/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include "abut/contact/choose.h"
#include "abut/math/suggest.h"
#include "abut/model/maximal.h"
#include "abut/simulate/setting.h"

namespace abut {

namespace {

using Numbers = std::vector<double>;

[[noreturn]] void refuse_key(std::string_view key, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", key, why));
}

// "geom.left.wheel.friction": kind, name, field. A name may have dots in it.
struct WorldKey {
  std::string_view kind, name, field;
};
WorldKey split_world_key(std::string_view key) {
  const auto first = key.find('.'), last = key.rfind('.');
  if (first == last) return {key.substr(0, first), {}, {}};
  return {key.substr(0, first), key.substr(first + 1, last - first - 1), key.substr(last + 1)};
}

constexpr std::string_view kWorldKinds[] = {"body", "geom", "joint", "actuator"};

// What a value is put into.
struct Field {
  std::string_view key;
  Numbers numbers;

  double number() const {
    if (numbers.size() != 1) refuse_key(key, "write one number");
    return numbers[0];
  }
  Vec3 vector() const {
    if (numbers.size() != 3) refuse_key(key, "write three numbers");
    return {numbers[0], numbers[1], numbers[2]};
  }
  Quat quaternion() const {
    if (numbers.size() != 4) refuse_key(key, "write a quaternion, w,x,y,z");
    const Quat q(numbers[0], numbers[1], numbers[2], numbers[3]);
    if (!(q.norm() > 0)) refuse_key(key, "the quaternion must not be zero");
    return q.normalized();
  }
  Range range() const {
    if (numbers.size() != 2) refuse_key(key, "write two numbers, low,high");
    return {numbers[0], numbers[1]};
  }
  // As many as are given, the first ones.
  template <class Array>
  void some(Array& to, std::size_t most) const {
    if (numbers.empty() || numbers.size() > most)
      refuse_key(key, fmt::format("write 1 to {} numbers", most));
    for (std::size_t i = 0; i < numbers.size(); ++i) to[static_cast<int>(i)] = numbers[i];
  }
  [[noreturn]] void unknown(std::string_view field,
                            std::initializer_list<std::string_view> fields) const {
    refuse_key(key, fmt::format("no such field{}; there are: {}",
                                did_you_mean(field, std::span(fields.begin(), fields.size())),
                                fmt::join(fields, ", ")));
  }
};

void set_field(BodyDesc& b, std::string_view field, const Field& value) {
  if (field == "pos") {
    b.pose.p = value.vector();
  } else if (field == "quat") {
    b.pose.q = value.quaternion();
  } else if (field == "gravcomp") {
    b.gravcomp = value.number();
  } else if (field == "mass") {
    if (!b.inertial || !(b.inertial->mass > 0))
      refuse_key(value.key, "this body has no <inertial>; set geom.NAME.mass or geom.NAME.density");
    const double factor = value.number() / b.inertial->mass;
    b.inertial->mass *= factor, b.inertial->diaginertia *= factor;
    if (b.inertial->fullinertia)
      for (double& x : *b.inertial->fullinertia) x *= factor;
  } else {
    value.unknown(field, {"pos", "quat", "mass", "gravcomp"});
  }
}

void set_field(GeomDesc& g, std::string_view field, const Field& value) {
  if (field == "friction")
    value.some(g.friction, 3);
  else if (field == "size")
    value.some(g.size, 3);
  else if (field == "mass")
    g.mass = value.number();
  else if (field == "density")
    g.density = value.number(), g.mass.reset();
  else if (field == "pos")
    g.pose.p = value.vector();
  else if (field == "quat")
    g.pose.q = value.quaternion();
  else
    value.unknown(field, {"friction", "size", "mass", "density", "pos", "quat"});
}

void set_field(JointDesc& j, std::string_view field, const Field& value) {
  if (field == "damping")
    value.some(j.damping, 3);
  else if (field == "stiffness")
    value.some(j.stiffness, 3);
  else if (field == "armature")
    j.armature = value.number();
  else if (field == "frictionloss")
    j.frictionloss = value.number();
  else if (field == "springref")
    j.springref = value.number();
  else if (field == "range")
    j.range = value.range();
  else
    value.unknown(field,
                  {"damping", "stiffness", "armature", "frictionloss", "springref", "range"});
}

void set_field(ActuatorDesc& a, std::string_view field, const Field& value) {
  const bool position = a.bias == Bias::affine && a.biasprm[1] != 0;
  const bool velocity = a.bias == Bias::affine && a.biasprm[1] == 0;
  if (field == "gear") {
    value.some(a.gear, 6);
  } else if (field == "ctrlrange") {
    a.ctrlrange = value.range();
  } else if (field == "forcerange") {
    a.forcerange = value.range();
  } else if (field == "kp") {
    if (!position) refuse_key(value.key, "is no position servo");
    a.gainprm[0] = value.number(), a.biasprm[1] = -value.number();
  } else if (field == "kv") {
    if (!position && !velocity) refuse_key(value.key, "is no servo");
    if (velocity) a.gainprm[0] = value.number();
    a.biasprm[2] = -value.number();
  } else {
    value.unknown(field, {"kp", "kv", "gear", "ctrlrange", "forcerange"});
  }
}

// Every element of a kind, with its name.
template <class Visit>
void for_each_body(BodyDesc& body, const Visit& visit) {
  for (BodyDesc& child : body.bodies) {
    visit(child);
    for_each_body(child, visit);
  }
}
template <class Visit>
void for_each_element(World& world, std::string_view kind, const Visit& visit) {
  if (kind == "actuator")
    for (ActuatorDesc& a : world.actuators) visit(a.name, a);
  if (kind == "geom")
    for (GeomDesc& g : world.worldbody.geoms) visit(g.name, g);
  for_each_body(world.worldbody, [&](BodyDesc& b) {
    if (kind == "body") visit(b.name, b);
    if (kind == "geom")
      for (GeomDesc& g : b.geoms) visit(g.name, g);
    if (kind == "joint")
      for (JointDesc& j : b.joints) visit(j.name, j);
  });
}

// The numbers of a part of the state, or all of them.
void fill_part(std::span<double> to, std::string_view key, std::string_view value) {
  const Numbers x = parse_number_list(value, key);
  if (x.size() != to.size())
    refuse_key(key, fmt::format("{} numbers given, this world wants {}", x.size(), to.size()));
  std::copy(x.begin(), x.end(), to.begin());
}

int named(const NameTable& names, std::string_view key, std::string_view name) {
  const int id = names.find(name);
  if (id >= 0) return id;
  const std::string near = names.nearest(name);
  refuse_key(key, fmt::format("no {} '{}'{}", names.kind(), name,
                              near.empty() ? "" : "; did you mean '" + near + "'?"));
}

int q_count(JointType type) {
  return type == JointType::free ? 7 : type == JointType::ball ? 4 : 1;
}
int v_count(JointType type) {
  return type == JointType::free ? 6 : type == JointType::ball ? 3 : 1;
}

std::span<double> part(std::vector<double>& all, int first, int count) {
  return std::span<double>(all).subspan(static_cast<std::size_t>(first),
                                        static_cast<std::size_t>(count));
}

}  // namespace

KeyKind key_kind(std::string_view key) {
  for (const std::string_view word :
       {"contact", "data", "friction", "stabilize", "solver", "accuracy", "iterations"})
    if (key == word) return KeyKind::choice;
  for (const std::string_view word : {"time", "control", "push"})
    if (key == word) return KeyKind::run;
  for (const std::string_view word : {"q", "v", "ctrl", "act", "keyframe"})
    if (key == word) return KeyKind::state;
  if (key == "coordinates") return KeyKind::world;
  const auto dot = key.find('.');
  if (dot == key.npos) return KeyKind::setting;
  const std::string_view first = key.substr(0, dot);
  if (first == "q" || first == "v" || first == "ctrl") return KeyKind::state;
  for (const std::string_view kind : kWorldKinds)
    if (first == kind && split_world_key(key).field != "") return KeyKind::world;
  return KeyKind::setting;
}

void apply_choice_key(ContactSettings& s, std::string_view key, std::string_view value) {
  try {
    if (key == "contact") set_contact(s, value);
    if (key == "data") set_data(s, value);
    if (key == "friction") set_friction(s, value);
    if (key == "stabilize") set_stabilize(s, value);
    if (key == "solver") set_solver(s, value);
    if (key == "accuracy") set_accuracy(s, parse_number(value, key));
    if (key == "iterations") set_iterations(s, parse_number(value, key));
  } catch (const std::invalid_argument& e) {
    const std::string why = e.what();
    throw std::invalid_argument(why.starts_with(key) ? why
                                                     : fmt::format("{} {}: {}", key, value, why));
  }
}

void apply_world_key(World& world, std::string_view key, std::string_view value) {
  if (key == "coordinates") return ask_for_coordinates(world, std::string(value));
  const WorldKey at = split_world_key(key);
  const Field field{key, parse_number_list(value, key)};
  bool found = false;
  std::vector<std::string_view> names;
  for_each_element(world, at.kind, [&](const std::string& name, auto& element) {
    if (!name.empty()) names.push_back(name);
    if (at.name != "*" && name != at.name) return;
    found = true;
    set_field(element, at.field, field);
  });
  if (!found)
    refuse_key(key, at.name == "*" ? fmt::format("this world has no {}", at.kind)
                                   : fmt::format("no {} '{}'{}", at.kind, at.name,
                                                 did_you_mean(at.name, names)));
}

void apply_state_key(const Model& model, std::string_view key, std::string_view value, State& state,
                     Input& input) {
  if (key == "keyframe")
    return set_keyframe(model, named(model.keyframe_names, key, value), state, &input);
  if (key == "q") return fill_part(state.q, key, value);
  if (key == "v") return fill_part(state.v, key, value);
  if (key == "act") return fill_part(state.act, key, value);
  if (key == "ctrl") return fill_part(input.ctrl, key, value);
  const std::string_view name = key.substr(key.find('.') + 1);
  if (key.starts_with("ctrl."))
    return fill_part(part(input.ctrl, named(model.actuator_names, key, name), 1), key, value);
  const Joint& joint = model.joints[static_cast<std::size_t>(named(model.joint_names, key, name))];
  if (key.starts_with("q."))
    return fill_part(part(state.q, joint.q, q_count(joint.type)), key, value);
  fill_part(part(state.v, joint.dof, v_count(joint.type)), key, value);
}

}  // namespace abut
