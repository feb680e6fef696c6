// Actuators: what they act on, and their ranges.
#include <fmt/format.h>

#include "abut/model/compile/compile_draft.h"

namespace abut::compiling {
namespace {

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
    default:
      a.target = lookup(thing, model.joint_names, d.target);
  }
}

// The control range of a position-like actuator, from the range of its target.
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
    if (!is_scalar(joint.type))
      thing.fail("inheritrange needs a hinge or a slide; write ctrlrange instead");
    target = joint.range;
  } else if (a.transmission == TransmissionType::tendon) {
    target = draft.model.tendons[std::size_t(a.target)].range;
  } else {
    thing.fail("inheritrange needs a joint or a tendon; write ctrlrange instead");
  }
  if (target[0] == target[1]) {
    thing.fail(
        fmt::format("inheritrange is given, but '{}' has no range; give it one, or write "
                    "ctrlrange instead",
                    d.target));
  }
  const double middle = 0.5 * (target[0] + target[1]);
  const double reach = 0.5 * (target[1] - target[0]) * d.inheritrange;
  const bool into_act = d.inherit_act || a.dynamics == Dynamics::integrator;
  (into_act ? a.act_range : a.ctrl_range) = {middle - reach, middle + reach};
}

void resolve_ranges(const Thing& thing, const ActuatorDesc& d, Actuator& a, bool autolimits) {
  a.ctrl_limited =
      resolve_limited(thing, "ctrllimited", "ctrlrange", d.ctrllimited, a.ctrl_range, autolimits);
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

}  // namespace

void make_actuators(Draft& draft) {
  for (const ActuatorDesc& d : draft.world.actuators) {
    const int id = draft.model.actuator_names.add(d.name, d.source);
    const Thing thing(draft.model.actuator_names, id, d.source);
    draft.model.actuators.push_back(make_actuator(draft, thing, d));
  }
}

}  // namespace abut::compiling
