// Tendons, spring-dampers and actuators.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/model/compile_draft.h"
#include "abut/model/inertia_at_rest.h"

namespace abut::compiling {
namespace {

bool scalar(const Joint& joint) {
  return joint.type == JointType::hinge || joint.type == JointType::slide;
}

void append_terms(Draft& draft, const Thing& thing, const TendonDesc& d) {
  if (d.joints.empty()) thing.fail("it has no joints; add <joint joint=\"name\" coef=\"1\"/>");
  if (d.joints.size() != d.coef.size()) {
    thing.fail(fmt::format("it has {} joints and {} coefficients; there must be one for each",
                           d.joints.size(), d.coef.size()));
  }
  for (std::size_t i = 0; i < d.joints.size(); ++i) {
    const int id = lookup(thing, draft.model.joint_names, d.joints[i]);
    const Joint& joint = draft.model.joints[std::size_t(id)];
    if (!scalar(joint)) {
      thing.fail(fmt::format("joint '{}' is neither a hinge nor a slide, so it has no single value "
                             "that a tendon could add",
                             d.joints[i]));
    }
    thing.number("coef", d.coef[i]);
    draft.model.tendon_terms.push_back({id, joint.q, joint.dof, d.coef[i]});
  }
}

// The length where every joint is at its springref: where the spring of a tendon rests
// unless the file says otherwise.
double resting_length(const Model& model, const Tendon& tendon) {
  double length = 0;
  for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
    const TendonTerm& term = model.tendon_terms[std::size_t(k)];
    length += term.coef * model.joints[std::size_t(term.joint)].spring_ref[0];
  }
  return length;
}

void check_numbers(const Thing& thing, const TendonDesc& d) {
  thing.numbers("stiffness", d.stiffness);
  thing.numbers("damping", d.damping);
  thing.numbers("springlength", d.springlength);
  thing.not_negative("frictionloss", d.frictionloss);
  thing.not_negative("armature", d.armature);
  if (d.springlength[0] > d.springlength[1]) {
    thing.fail(fmt::format("springlength is \"{:g} {:g}\"; the first number must not exceed the "
                           "second",
                           d.springlength[0], d.springlength[1]));
  }
}

Tendon make_tendon(Draft& draft, const Thing& thing, const TendonDesc& d) {
  const bool autolimits = draft.world.compiler.autolimits;
  Tendon tendon;
  tendon.simulated = d.simulated;
  tendon.term_begin = static_cast<int>(draft.model.tendon_terms.size());
  if (!d.simulated) return tendon;
  check_numbers(thing, d);
  append_terms(draft, thing, d);
  tendon.term_count = static_cast<int>(draft.model.tendon_terms.size()) - tendon.term_begin;
  tendon.limited = resolve_limited(thing, "limited", "range", d.limited, d.range, autolimits);
  tendon.range = d.range;
  tendon.stiffness = d.stiffness;
  tendon.damping = d.damping;
  tendon.spring_length = d.springlength;
  if (d.springlength == Range{-1, -1}) {
    tendon.spring_length.fill(resting_length(draft.model, tendon));
  }
  tendon.frictionloss = d.frictionloss;
  tendon.armature = d.armature;
  tendon.force_limited = resolve_limited(thing, "actuatorfrclimited", "actuatorfrcrange",
                                         d.actuatorfrclimited, d.actuatorfrcrange, autolimits);
  tendon.force_range = d.actuatorfrcrange;
  return tendon;
}

void resolve_target(const Draft& draft, const Thing& thing, const ActuatorDesc& d, Actuator& a) {
  const Model& model = draft.model;
  if (a.transmission == TransmissionType::none) {
    a.target = -1;
    a.enabled = false;
    return;
  }
  if (d.target.empty()) {
    thing.fail("it acts on nothing; name a joint, a tendon or a site");
  }
  switch (a.transmission) {
    case TransmissionType::tendon:
      a.target = lookup(thing, model.tendon_names, d.target);
      a.enabled = a.enabled && model.tendons[std::size_t(a.target)].simulated;
      break;
    case TransmissionType::site:
      a.target = lookup(thing, model.site_names, d.target);
      if (!d.refsite.empty()) a.refsite = lookup(thing, model.site_names, d.refsite);
      break;
    default: a.target = lookup(thing, model.joint_names, d.target);
  }
}

// The range of what a position-like actuator follows, from what it acts on.
void inherit_range(const Draft& draft, const Thing& thing, const ActuatorDesc& d, Actuator& a) {
  const bool position_like =
      a.gain == Gain::fixed && a.bias == Bias::affine && a.gainprm[0] == -a.biasprm[1];
  if (d.inheritrange <= 0 || !position_like || !a.enabled) return;
  if (a.dynamics == Dynamics::filter) {
    thing.fail("inheritrange is for position and intvelocity actuators; write ctrlrange instead");
  }
  Range target{0, 0};
  if (a.transmission == TransmissionType::joint) {
    const Joint& joint = draft.model.joints[std::size_t(a.target)];
    if (!scalar(joint)) thing.fail("inheritrange needs a hinge or a slide; write ctrlrange instead");
    target = joint.range;
  } else if (a.transmission == TransmissionType::tendon) {
    target = draft.model.tendons[std::size_t(a.target)].range;
  } else {
    thing.fail("inheritrange needs a joint or a tendon; write ctrlrange instead");
  }
  if (target[0] == target[1]) {
    thing.fail(fmt::format("inheritrange is given, but '{}' has no range; give it one, or write "
                           "ctrlrange instead",
                           d.target));
  }
  const double middle = 0.5 * (target[0] + target[1]);
  const double reach = 0.5 * (target[1] - target[0]) * d.inheritrange;
  const bool into_act = d.inherit_act || a.dynamics == Dynamics::integrator;
  (into_act ? a.act_range : a.ctrl_range) = {middle - reach, middle + reach};
}

void resolve_ranges(const Thing& thing, const ActuatorDesc& d, Actuator& a, bool autolimits) {
  a.ctrl_limited = resolve_limited(thing, "ctrllimited", "ctrlrange", d.ctrllimited, a.ctrl_range,
                                   autolimits);
  a.force_limited = resolve_limited(thing, "forcelimited", "forcerange", d.forcelimited,
                                    a.force_range, autolimits);
  a.act_limited =
      resolve_limited(thing, "actlimited", "actrange", d.actlimited, a.act_range, autolimits);
  if (a.act_limited && a.dynamics == Dynamics::none && a.enabled) {
    thing.fail("it has actrange but no activation; write a dyntype, or remove actrange");
  }
}

Actuator make_actuator(Draft& draft, const Thing& thing, const ActuatorDesc& d) {
  thing.numbers("gear", {d.gear.data(), 6});
  thing.numbers("gainprm", d.gainprm);
  thing.numbers("biasprm", d.biasprm);
  thing.numbers("dynprm", d.dynprm);
  thing.not_negative("dampratio", d.damping_ratio);
  thing.number("inheritrange", d.inheritrange);
  Actuator a;
  a.transmission = d.transmission;
  a.gear = d.gear;
  a.dynamics = d.dynamics;
  a.gain = d.gain;
  a.bias = d.bias;
  a.gainprm = d.gainprm;
  a.biasprm = d.biasprm;
  a.dynprm = d.dynprm;
  a.ctrl_range = d.ctrlrange;
  a.force_range = d.forcerange;
  a.act_range = d.actrange;
  a.act_early = d.actearly;
  a.group = d.group;
  a.enabled = d.simulated;
  resolve_target(draft, thing, d, a);
  inherit_range(draft, thing, d, a);
  resolve_ranges(thing, d, a, draft.world.compiler.autolimits);
  if (a.dynamics != Dynamics::none) a.act = draft.model.na++;
  return a;
}

// How fast the actuator's length changes per unit velocity of a dof, at qpos0.
VecX moment_at_rest(const Draft& draft, const InertiaAtRest& rest, const Actuator& a) {
  const Model& model = draft.model;
  VecX moment = VecX::Zero(model.nv);
  switch (a.transmission) {
    case TransmissionType::joint:
    case TransmissionType::joint_in_parent: {
      const Joint& joint = model.joints[std::size_t(a.target)];
      if (scalar(joint)) {
        moment[joint.dof] = a.gear[0];
        break;
      }
      Vec3 turn = a.gear.head<3>();
      int dof = joint.dof;
      if (joint.type == JointType::free) {
        moment.segment<3>(dof) = a.gear.head<3>();
        turn = a.gear.tail<3>();
        dof += 3;
      }
      const bool in_parent = a.transmission == TransmissionType::joint_in_parent;
      // at qpos0 a ball joint has not turned; a free body has, by its own pose
      if (in_parent && joint.type == JointType::free) {
        turn = model.bodies[std::size_t(joint.body)].pose.q.conjugate() * turn;
      }
      moment.segment<3>(dof) = turn;
      break;
    }
    case TransmissionType::tendon: {
      const Tendon& tendon = model.tendons[std::size_t(a.target)];
      for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
        const TendonTerm& term = model.tendon_terms[std::size_t(k)];
        moment[term.dof] += a.gear[0] * term.coef;
      }
      break;
    }
    case TransmissionType::site: {
      const int frame = a.refsite >= 0 ? a.refsite : a.target;
      const auto pose = [&](int s) {
        const Site& site = model.sites[std::size_t(s)];
        return draft.X_WB[std::size_t(site.body)] * site.pose;
      };
      const Vec3 force = pose(frame).q * a.gear.head<3>(), torque = pose(frame).q * a.gear.tail<3>();
      const auto add = [&](int s, double sign) {
        const int link =
            model.bodies[std::size_t(model.sites[std::size_t(s)].body)].link;
        if (link < 0) return;
        const Link& l = model.links[std::size_t(link)];
        for (int i = l.dof_begin + l.dof_count - 1; i >= 0; i = model.dofs[std::size_t(i)].parent) {
          moment[i] += sign * (rest.linear(i, pose(s).p).dot(force) + rest.angular(i).dot(torque));
        }
      };
      add(a.target, 1);
      if (a.refsite >= 0) {
        add(a.refsite, -1);
        // what moves both sites does not change the length
        std::vector<bool> moves_target(std::size_t(model.nv), false);
        const auto last_dof = [&](int s) {
          const int link = model.bodies[std::size_t(model.sites[std::size_t(s)].body)].link;
          if (link < 0) return -1;
          const Link& l = model.links[std::size_t(link)];
          return l.dof_begin + l.dof_count - 1;
        };
        for (int i = last_dof(a.target); i >= 0; i = model.dofs[std::size_t(i)].parent) {
          moves_target[std::size_t(i)] = true;
        }
        for (int i = last_dof(a.refsite); i >= 0; i = model.dofs[std::size_t(i)].parent) {
          if (moves_target[std::size_t(i)]) moment[i] = 0;
        }
      }
      break;
    }
    case TransmissionType::none: break;
  }
  return moment;
}

// The damping that makes a position servo's response have the given damping ratio, for
// the inertia it feels at qpos0 when everything else stands still: a sum over its dofs
// of M_ii over the squared moment, as MuJoCo defines it.
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

void make_tendons(Draft& draft) {
  for (const TendonDesc& d : draft.world.tendons) {
    const int id = draft.model.tendon_names.add(d.name, d.source);
    const Thing thing(draft.model.tendon_names, id, d.source);
    draft.model.tendons.push_back(make_tendon(draft, thing, d));
  }
}

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

void make_actuators(Draft& draft) {
  std::optional<InertiaAtRest> rest;
  for (const ActuatorDesc& d : draft.world.actuators) {
    const int id = draft.model.actuator_names.add(d.name, d.source);
    const Thing thing(draft.model.actuator_names, id, d.source);
    Actuator actuator = make_actuator(draft, thing, d);
    const double ratio = damping_ratio(d);
    if (ratio > 0 && actuator.enabled) {
      if (!rest) rest.emplace(draft.model, draft.X_WB);
      actuator.biasprm[2] = -servo_damping(draft, *rest, actuator, ratio);
    }
    draft.model.actuators.push_back(std::move(actuator));
  }
}

}  // namespace abut::compiling
