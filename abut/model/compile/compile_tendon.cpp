// Tendons: weighted sums of joint values, or of measures that replace joints.
#include <fmt/format.h>

#include "abut/model/compile/compile_draft.h"

namespace abut::compiling {
namespace {

void append_terms(Draft& draft, const Thing& thing, const TendonDesc& d) {
  if (d.joints.empty()) thing.fail("it has no joints; add <joint joint=\"name\" coef=\"1\"/>");
  if (d.joints.size() != d.coef.size()) {
    thing.fail(fmt::format("it has {} joints and {} coefficients; there must be one for each",
                           d.joints.size(), d.coef.size()));
  }
  for (std::size_t i = 0; i < d.joints.size(); ++i) {
    thing.number("coef", d.coef[i]);
    if (const int m = draft.model.measure_names.find(d.joints[i]); m >= 0) {
      draft.model.tendon_terms.push_back({-1, -1, -1, d.coef[i], m});
      continue;
    }
    const int id = lookup(thing, draft.model.joint_names, d.joints[i]);
    const Joint& joint = draft.model.joints[std::size_t(id)];
    if (!is_scalar(joint.type)) {
      thing.fail(
          fmt::format("joint '{}' is neither a hinge nor a slide, so it has no single value "
                      "that a tendon could add",
                      d.joints[i]));
    }
    draft.model.tendon_terms.push_back({id, joint.q, joint.dof, d.coef[i]});
  }
}

// The length with every joint at its springref. It is the rest length of the tendon's spring unless
// the file gives one.
double resting_length(const Model& model, const Tendon& tendon) {
  double length = 0;
  for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
    const TendonTerm& term = model.tendon_terms[std::size_t(k)];
    length += term.coef * (term.measure < 0 ? model.joints[std::size_t(term.joint)].spring_ref[0]
                                            : model.measures[std::size_t(term.measure)].offset);
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
    thing.fail(
        fmt::format("springlength is \"{:g} {:g}\"; the first number must not exceed the "
                    "second",
                    d.springlength[0], d.springlength[1]));
  }
}

Tendon make_tendon(Draft& draft, const Thing& thing, const TendonDesc& d) {
  const bool autolimits = draft.world.compiler.autolimits;
  Tendon tendon;
  tendon.simulated = d.simulated;
  tendon.for_joint = d.for_joint;
  tendon.term_begin = static_cast<int>(draft.model.tendon_terms.size());
  if (!d.simulated) return tendon;
  check_numbers(thing, d);
  append_terms(draft, thing, d);
  tendon.term_count = static_cast<int>(draft.model.tendon_terms.size()) - tendon.term_begin;
  tendon.limited = resolve_limited(thing, "limited", "range", d.limited, d.range, autolimits);
  tendon.range = d.range;
  tendon.margin = d.margin;
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

}  // namespace

void make_measures(Draft& draft) {
  Model& model = draft.model;
  for (const MeasureDesc& d : draft.world.measures) {
    model.measure_names.add(d.name);
    model.measures.push_back({d.kind, model.find_body(d.first), model.find_body(d.second), d.frame,
                              d.other, d.axis, d.axis_in_first, d.scale, d.offset});
  }
}

void make_tendons(Draft& draft) {
  for (const TendonDesc& d : draft.world.tendons) {
    const int id = draft.model.tendon_names.add(d.name, d.source);
    const Thing thing(draft.model.tendon_names, id, d.source);
    draft.model.tendons.push_back(make_tendon(draft, thing, d));
  }
}

}  // namespace abut::compiling
