// Damping that the file gives as a ratio, from the inertia at qpos0.
#include <algorithm>
#include <cmath>

#include "abut/model/compile/compile_draft.h"
#include "abut/model/inertia_at_rest.h"

namespace abut::compiling {
namespace {

// The last dof between the root and a site; -1: the site does not move.
int last_dof(const Model& model, int site) {
  const int link = model.bodies[std::size_t(model.sites[std::size_t(site)].body)].link;
  if (link < 0) return -1;
  const Link& l = model.links[std::size_t(link)];
  return l.dof_begin + l.dof_count - 1;
}

// Power of a wrench at a site per unit velocity of each dof. The wrench is fixed to the target or
// to the reference site. A dof that moves both does not change the length.
void add_site_moment(const Draft& draft, const InertiaAtRest& rest, const Actuator& a,
                     VecX& moment) {
  const Model& model = draft.model;
  const auto pose = [&](int s) {
    const Site& site = model.sites[std::size_t(s)];
    return draft.X_WB[std::size_t(site.body)] * site.pose;
  };
  const Quat axes = pose(a.refsite >= 0 ? a.refsite : a.target).q;
  const Vec3 force = axes * a.gear.head<3>(), torque = axes * a.gear.tail<3>();
  std::vector<bool> moves_target(std::size_t(model.nv), false);
  for (int i = last_dof(model, a.target); i >= 0; i = model.dofs[std::size_t(i)].parent) {
    moment[i] = rest.linear(i, pose(a.target).p).dot(force) + rest.angular(i).dot(torque);
    moves_target[std::size_t(i)] = true;
  }
  if (a.refsite < 0) return;
  for (int i = last_dof(model, a.refsite); i >= 0; i = model.dofs[std::size_t(i)].parent) {
    moment[i] = moves_target[std::size_t(i)]
                    ? 0
                    : -rest.linear(i, pose(a.refsite).p).dot(force) - rest.angular(i).dot(torque);
  }
}

void add_joint_moment(const Model& model, const Actuator& a, VecX& moment) {
  const Joint& joint = model.joints[std::size_t(a.target)];
  if (is_scalar(joint.type)) {
    moment[joint.dof] = a.gear[0];
  } else if (joint.type == JointType::ball) {
    moment.segment<3>(joint.dof) = a.gear.head<3>();  // at qpos0 parent and child axes agree
  } else {
    const Quat& q = model.bodies[std::size_t(joint.body)].pose.q;
    const bool in_parent = a.transmission == TransmissionType::joint_in_parent;
    const Vec3 torque = a.gear.tail<3>();
    moment.segment<3>(joint.dof) = a.gear.head<3>();
    moment.segment<3>(joint.dof + 3) = in_parent ? q.conjugate() * torque : torque;
  }
}

// How fast the actuator's length changes per unit velocity of each dof, at qpos0.
VecX moment_at_rest(const Draft& draft, const InertiaAtRest& rest, const Actuator& a) {
  const Model& model = draft.model;
  VecX moment = VecX::Zero(model.nv);
  switch (a.transmission) {
    case TransmissionType::joint:
    case TransmissionType::joint_in_parent:
      add_joint_moment(model, a, moment);
      break;
    case TransmissionType::site:
      add_site_moment(draft, rest, a, moment);
      break;
    case TransmissionType::tendon: {
      const Tendon& tendon = model.tendons[std::size_t(a.target)];
      for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
        const TendonTerm& term = model.tendon_terms[std::size_t(k)];
        moment[term.dof] += a.gear[0] * term.coef;
      }
      break;
    }
    case TransmissionType::none:
      break;
  }
  return moment;
}

// The damping that gives a position servo the given damping ratio, for its effective inertia at
// qpos0 with all other dofs at rest: as in MuJoCo, the sum over its dofs of M_ii over the squared
// moment.
double servo_damping(const Draft& draft, const InertiaAtRest& rest, const Actuator& a,
                     double ratio) {
  const VecX moment = moment_at_rest(draft, rest, a);
  double inertia = 0;
  for (int i = 0; i < draft.model.nv; ++i) {
    const double squared = moment[i] * moment[i];
    if (squared > kTiny) inertia += rest.diagonal(i) / squared;
  }
  return ratio * 2 * std::sqrt(a.gainprm[0] * inertia);
}

// MJCF's dampratio; in <general> it is a positive third biasprm.
double damping_ratio(const ActuatorDesc& d) {
  if (d.damping_ratio > 0) return d.damping_ratio;
  return d.gainprm[0] == -d.biasprm[1] ? std::max(d.biasprm[2], 0.0) : 0;
}

}  // namespace

void make_spring_dampers(Draft& draft) {
  Model& model = draft.model;
  std::optional<InertiaAtRest> rest;
  for (std::size_t id = 0; id < draft.joints.size(); ++id) {
    const Range& given = draft.joints[id]->springdamper;
    if (given[0] <= 0 || given[1] <= 0) continue;
    if (!rest) rest.emplace(model, draft.X_WB);
    const VecX weights = rest->inverse_weights(static_cast<int>(id));
    const double inertia = 1 / std::max(weights.mean(), kTiny);
    const double time = given[0], ratio = given[1];
    model.joints[id].stiffness[0] = inertia / std::max(time * time * ratio * ratio, kTiny);
    for (int i = 0; i < weights.size(); ++i) {
      model.dofs[std::size_t(model.joints[id].dof + i)].damping[0] =
          2 * inertia / std::max(time, kTiny);
    }
  }
}

void make_servo_damping(Draft& draft) {
  std::optional<InertiaAtRest> rest;
  for (std::size_t id = 0; id < draft.model.actuators.size(); ++id) {
    Actuator& actuator = draft.model.actuators[id];
    const double ratio = damping_ratio(draft.world.actuators[id]);
    if (ratio <= 0 || !actuator.enabled) continue;
    if (!rest) rest.emplace(draft.model, draft.X_WB);
    actuator.biasprm[2] = -servo_damping(draft, *rest, actuator, ratio);
  }
}

}  // namespace abut::compiling
