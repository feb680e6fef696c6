#include "abut/model/maximal_joints.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "abut/math/index.h"
#include "abut/math/rotation.h"

namespace abut {

namespace {

[[noreturn]] void refuse(const Source& where, const std::string& what) {
  throw WorldError(where, "abut.coordinates = maximal: " + what);
}

using Poly = std::array<double, 3>;
bool any(const Poly& p) { return p != Poly{}; }

// Rest length of a spring. For a tendon -1 -1 means that the file gives none.
Range rest_at(double x) { return {x, x == -1 ? std::nextafter(-1, 0) : x}; }

}  // namespace

MaximalJoints::MaximalJoints(const World& from, const Model& model, World& to)
    : from_(from),
      model_(model),
      to_(to),
      placed_(model.joints.size()),
      source_(model.joints.size()),
      measured_(model.joints.size(), 0),
      tendon_(model.joints.size()) {}

void MaximalJoints::place(int joint, const Source& source, MeasureDesc measure) {
  source_[at(joint)] = source;
  measure.name = model_.joint_names[joint];
  measure.offset = measure.kind == MeasureKind::spin ? 0 : model_.joints[at(joint)].ref;
  placed_[at(joint)] = std::move(measure);
}

void MaximalJoints::finish() {
  const std::size_t tendons = to_.tendons.size();
  for (int j = 0; j < static_cast<int>(placed_.size()); ++j)
    if (placed_[at(j)]) add_tendons(j);
  retarget_tendons(tendons);
  retarget_equalities();
  retarget_actuators();
}

void MaximalJoints::add_measure(MeasureDesc measure, int joint) {
  const int body = model_.bodies[at(model_.joints[at(joint)].body)].parent;
  if (model_.bodies[at(model_.bodies[at(body)].weld)].mocap >= 0)
    refuse(source_[at(joint)],
           fmt::format("joint '{}' hangs on a driven body, and has more than its axis",
                       model_.joint_names[joint]));
  joint_of_measure_.push_back(measure.kind == MeasureKind::turn ? joint : -1);
  to_.measures.push_back(std::move(measure));
}

std::string MaximalJoints::measure_of(int joint) {
  if (!measured_[at(joint)]) add_measure(*placed_[at(joint)], joint);
  measured_[at(joint)] = 1;
  return model_.joint_names[joint];
}

TendonDesc& MaximalJoints::add_tendon(int joint, const std::string& name,
                                      const std::string& measure) {
  TendonDesc& t = to_.tendons.emplace_back();
  t.name = name;
  while (model_.tendon_names.find(t.name) >= 0) t.name += ".joint";
  t.joints = {measure};
  t.coef = {1};
  t.for_joint = true;
  t.source = source_[at(joint)];
  return t;
}

// The tendon of a hinge or slide, with all its properties.
const std::string& MaximalJoints::tendon_of(int joint) {
  std::string& name = tendon_[at(joint)];
  if (!name.empty()) return name;
  const Joint& j = model_.joints[at(joint)];
  const Dof& dof = model_.dofs[at(j.dof)];
  TendonDesc& t = add_tendon(joint, model_.joint_names[joint], measure_of(joint));
  t.stiffness = j.stiffness;
  t.springlength = rest_at(j.spring_ref[0]);
  t.damping = dof.damping;
  t.armature = dof.armature;
  t.frictionloss = dof.frictionloss;
  t.limited = j.limited;
  t.range = j.range;
  t.actuatorfrclimited = j.force_limited;
  t.actuatorfrcrange = j.force_range;
  return name = t.name;
}

void MaximalJoints::add_tendons(int joint) {
  const Joint& j = model_.joints[at(joint)];
  const Dof& dof = model_.dofs[at(j.dof)];
  if (j.actuator_gravcomp)
    refuse(source_[at(joint)],
           fmt::format("joint '{}' carries weight by its actuators (actuatorgravcomp), which needs "
                       "its coordinate; leave the weight to gravcomp alone",
                       model_.joint_names[joint]));
  if (j.force_limited && pulled_by_tendon(joint))
    refuse(source_[at(joint)],
           fmt::format("joint '{}' has actuatorfrcrange, and an actuator pulls on it through a "
                       "tendon; bound the actuator by its forcerange instead",
                       model_.joint_names[joint]));
  if (j.type == JointType::ball) return add_ball(joint);
  if (any(j.stiffness) || any(dof.damping) || dof.armature > 0 || dof.frictionloss > 0 || j.limited)
    tendon_of(joint);
}

bool MaximalJoints::pulled_by_tendon(int joint) const {
  for (const Actuator& a : model_.actuators) {
    if (!a.enabled || a.transmission != TransmissionType::tendon) continue;
    const Tendon& t = model_.tendons[at(a.target)];
    for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k)
      if (model_.tendon_terms[at(k)].joint == joint) return true;
  }
  return false;
}

void MaximalJoints::add_ball(int joint) {
  const Joint& j = model_.joints[at(joint)];
  const std::string name = model_.joint_names[joint];
  MeasureDesc m = *placed_[at(joint)];
  if (any(j.stiffness)) {
    MeasureDesc angle = m;
    angle.name = name + ".spring";
    angle.kind = MeasureKind::angle;
    const Vec4& q = j.spring_ref;
    angle.frame.q = angle.frame.q * Quat(q[0], q[1], q[2], q[3]);
    add_measure(angle, joint);
    TendonDesc& t = add_tendon(joint, angle.name, angle.name);
    t.stiffness = j.stiffness;
    t.springlength = {0, 0};
  }
  if (j.limited) {
    MeasureDesc angle = m;
    angle.name = name + ".limit";
    angle.kind = MeasureKind::angle;
    add_measure(angle, joint);
    TendonDesc& t = add_tendon(joint, angle.name, angle.name);
    t.limited = true;
    t.range = {-4 * std::numbers::pi, j.range[1]};  // an angle has no lower end
  }
  for (int k = 0; k < 3; ++k) {
    const Dof& dof = model_.dofs[at(j.dof + k)];
    if (!any(dof.damping) && dof.armature == 0 && dof.frictionloss == 0) continue;
    m.name = name + "." + "xyz"[k];
    m.axis = Vec3::Unit(k);
    add_measure(m, joint);
    TendonDesc& t = add_tendon(joint, m.name, m.name);
    t.damping = dof.damping;
    t.armature = dof.armature;
    t.frictionloss = dof.frictionloss;
  }
}

// The world's actuators: the names of their joints are now names of measures.
void MaximalJoints::retarget_tendons(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    TendonDesc& t = to_.tendons[i];
    if (!t.simulated) continue;
    for (const std::string& name : t.joints) measure_of(model_.find_joint(name));
    const Range& rest = model_.tendons[i].spring_length;
    t.springlength = rest[0] == rest[1] ? rest_at(rest[0]) : rest;
  }
}

void MaximalJoints::retarget_equalities() {
  for (EqualityDesc& e : to_.equalities) {
    if (e.type != EqualityType::joint) continue;
    e.type = EqualityType::tendon;
    e.first = tendon_of(model_.find_joint(e.first));
    if (!e.second.empty()) e.second = tendon_of(model_.find_joint(e.second));
  }
}

void MaximalJoints::retarget_actuators() {
  for (std::size_t i = 0; i < to_.actuators.size(); ++i) {
    ActuatorDesc& d = to_.actuators[i];
    const Actuator& a = model_.actuators[i];
    // the values that were computed from the inertia and the ranges of joints
    d.biasprm = a.biasprm;
    d.damping_ratio = 0;
    d.ctrlrange = a.ctrl_range;
    d.actrange = a.act_range;
    d.inheritrange = 0;
    const bool on_joint = a.transmission == TransmissionType::joint ||
                          a.transmission == TransmissionType::joint_in_parent;
    if (!on_joint || !placed_[at(a.target)]) continue;
    d.target = model_.joints[at(a.target)].type == JointType::ball ? ball_motor(a.target, d)
                                                                   : tendon_of(a.target);
    d.transmission = TransmissionType::tendon;
  }
}

// A motor on a ball has its own axis: the gear, in the child or (jointinparent) in the parent.
std::string MaximalJoints::ball_motor(int joint, ActuatorDesc& actuator) {
  const Joint& j = model_.joints[at(joint)];
  MeasureDesc m = *placed_[at(joint)];
  const Vec3 gear = actuator.gear.head<3>();
  const double size = gear.norm();
  if (size == 0) refuse(actuator.source, fmt::format("actuator '{}' has no gear", actuator.name));
  if (j.force_limited)
    refuse(actuator.source,
           fmt::format("actuator '{}' pulls on ball '{}', whose actuatorfrcrange bounds an axis",
                       actuator.name, model_.joint_names[joint]));
  m.name = fmt::format("{}.motor{}", model_.joint_names[joint], to_.measures.size());
  m.axis = gear / size;
  m.axis_in_first = actuator.transmission == TransmissionType::joint_in_parent;
  add_measure(m, joint);
  actuator.gear = Vec6::Zero();
  actuator.gear[0] = size;
  return add_tendon(joint, m.name, m.name).name;
}

std::vector<double> MaximalJoints::turns(const State& state) const {
  std::vector<double> turn;
  for (const int j : joint_of_measure_)
    turn.push_back(j < 0 ? 0 : state.q[at(model_.joints[at(j)].q)]);
  return turn;
}

}  // namespace abut
