#include "abut/dynamics/force_slopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/dynamics/bias.h"
#include "abut/dynamics/inverse_slopes.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/passive.h"
#include "abut/dynamics/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

using Poly = std::array<double, 3>;

bool is_zero(const Poly& p) { return p == Poly{}; }

// -d(force)/dx of a spring, f = -(a x + b x^2 + c x^3).
double spring_slope(const Poly& k, double x) { return k[0] + x * (2 * k[1] + x * 3 * k[2]); }

double stretch(const Tendon& tendon, double length) {
  return length - std::clamp(length, tendon.spring_length[0], tendon.spring_length[1]);
}

bool turns(const Joint& joint) {
  return joint.type == JointType::ball || joint.type == JointType::free;
}

bool is_inside(double x, const Range& range) { return x > range[0] && x < range[1]; }
bool is_at_bound(double x, const Range& range) { return x == range[0] || x == range[1]; }

bool is_on(const Model& model, const Actuator& a) {
  return model.option.actuation_on && a.enabled &&
         !(model.option.disabled_actuator_groups >> a.group & 1u);
}

// d(length)/dq of an actuator on joints of one dof, or on a tendon of such; the same for every q.
// Calls f(dof, moment).
template <typename F>
void moments(const Model& model, const Actuator& a, F&& f) {
  if (a.transmission == TransmissionType::tendon) {
    const Tendon& t = model.tendons[at(a.target)];
    for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k)
      f(model.tendon_terms[at(k)].dof, a.gear[0] * model.tendon_terms[at(k)].coef);
    return;
  }
  const Joint& joint = model.joints[at(a.target)];
  const int count = joint.type == JointType::free ? 6 : 1;
  for (int k = 0; k < count; ++k) f(joint.dof + k, a.gear[k]);
}

std::string why_not_actuator(const Model& model, int index) {
  const Actuator& a = model.actuators[at(index)];
  if (!is_on(model, a) || a.transmission == TransmissionType::none) return {};
  const std::string name = "actuator '" + model.actuator_names[index] + "': ";
  if (a.transmission == TransmissionType::site) return name + "it acts on a site";
  if (a.transmission == TransmissionType::tendon) return {};
  const JointType type = model.joints[at(a.target)].type;
  if (type == JointType::ball) return name + "it acts on a ball joint";
  if (type == JointType::free && a.transmission == TransmissionType::joint_in_parent)
    return name + "it acts in the frame of a parent";
  if (model.option.integrator == Integrator::implicit && a.gain == Gain::affine &&
      a.gainprm[2] != 0)
    return name + "its damping, implicit in the step, depends on its control";
  return {};
}

std::string why_not_tendon(const Model& model, int index) {
  const Tendon& t = model.tendons[at(index)];
  if (!t.simulated) return {};
  const std::string name = "tendon '" + model.tendon_names[index] + "': ";
  if (t.for_joint) return "maximal coordinates: run the world with generalized ones";
  for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k)
    if (model.tendon_terms[at(k)].measure >= 0) return name + "it measures between two bodies";
  return t.force_limited ? name + "the sum of its forces is limited" : "";
}

}  // namespace

std::string ForceSlopes::why_not() const {
  for (int i = 0; i < model_.nu(); ++i)
    if (const std::string why = why_not_actuator(model_, i); !why.empty()) return why;
  for (int t = 0; t < static_cast<int>(model_.tendons.size()); ++t)
    if (const std::string why = why_not_tendon(model_, t); !why.empty()) return why;
  for (std::size_t j = 0; j < model_.joints.size(); ++j)
    if (turns(model_.joints[j]) && !is_zero(model_.joints[j].stiffness) && model_.option.spring_on)
      return "joint '" + model_.joint_names[static_cast<int>(j)] +
             "': a spring on a joint of several dofs";
  if (model_.option.density > 0 || model_.option.viscosity > 0) return "drag of the medium";
  const bool carried = std::any_of(model_.bodies.begin(), model_.bodies.end(),
                                   [](const Body& b) { return b.gravcomp != 0; });
  const bool through = std::any_of(model_.joints.begin(), model_.joints.end(),
                                   [](const Joint& j) { return j.actuator_gravcomp; });
  return carried && through ? "gravity compensation through actuators" : "";
}

std::string ForceSlopes::why_not(const State& state, const Input& input, const Derived& d) const {
  if (input.spring.body > 0) return "a spring of the viewer pulls at a body";
  for (int i = 0; i < model_.nu(); ++i) {
    const Actuator& a = model_.actuators[at(i)];
    if (!is_on(model_, a)) continue;
    const bool at_bound =
        (a.ctrl_limited && model_.option.clamp_ctrl &&
         is_at_bound(input.ctrl[at(i)], a.ctrl_range)) ||
        (a.act_limited && a.act >= 0 && is_at_bound(state.act[at(a.act)], a.act_range));
    if (at_bound)
      return fmt::format("actuator '{}': its control is just at a bound", model_.actuator_names[i]);
  }
  for (std::size_t t = 0; t < model_.tendons.size(); ++t) {
    const Tendon& tendon = model_.tendons[t];
    if (!is_zero(tendon.stiffness) && is_at_bound(d.tendon_length[t], tendon.spring_length) &&
        tendon.spring_length[0] != tendon.spring_length[1])
      return fmt::format("tendon '{}': it is just at the end of its slack",
                         model_.tendon_names[static_cast<int>(t)]);
  }
  return {};
}

void ForceSlopes::find(const State& state, const Input& input, const Derived& d) {
  const int nv = model_.nv, na = model_.na, nu = model_.nu();
  by_q.setZero(nv, nv), by_v.setZero(nv, nv), by_act.setZero(nv, na), by_ctrl.setZero(nv, nu);
  act_by_act.setIdentity(na, na), act_by_ctrl.setZero(na, nu);
  damping_by_v.setZero(nv);
  add_actuators(state, input, d);  // first: a joint may limit the sum of its actuators
  if (model_.option.spring_on) add_springs(state);
  if (model_.option.damper_on) add_dampers(state);
  add_tendons(d);
  if (model_.option.gravity_on) add_carried_weights(d);
  add_applied(input, d);
}

void ForceSlopes::add_springs(const State& state) {
  for (const Joint& joint : model_.joints)
    if (!turns(joint))
      by_q(joint.dof, joint.dof) -=
          spring_slope(joint.stiffness, state.q[at(joint.q)] - joint.spring_ref[0]);
}

void ForceSlopes::add_dampers(const State& state) {
  for (int i = 0; i < model_.nv; ++i) {
    const Poly& c = model_.dofs[at(i)].damping;
    const double v = state.v[at(i)];
    by_v(i, i) -= damping_slope(c, v);
    damping_by_v[i] = std::copysign(2 * c[1] + 6 * c[2] * std::abs(v), v);
  }
}

void ForceSlopes::add_tendons(const Derived& d) {
  for (std::size_t t = 0; t < model_.tendons.size(); ++t) {
    const Tendon& tendon = model_.tendons[t];
    double k = 0, c = 0;
    if (const double x = stretch(tendon, d.tendon_length[t]);
        model_.option.spring_on && (x != 0 || tendon.spring_length[0] == tendon.spring_length[1]))
      k = spring_slope(tendon.stiffness, x);
    if (model_.option.damper_on) c = damping_slope(tendon.damping, d.tendon_velocity[t]);
    if (k == 0 && c == 0) continue;
    VecX moment = VecX::Zero(model_.nv);
    for (int i = tendon.term_begin; i < tendon.term_begin + tendon.term_count; ++i)
      moment[model_.tendon_terms[at(i)].dof] += model_.tendon_terms[at(i)].coef;
    by_q -= k * moment * moment.transpose();
    by_v -= c * moment * moment.transpose();
  }
}

void ForceSlopes::add_carried_weights(const Derived& d) {
  const Vec3 g = gravity(model_);
  for (int b = 1; b < model_.nbody(); ++b) {
    const Body& body = model_.bodies[at(b)];
    if (body.gravcomp == 0 || body.link < 0) continue;
    const Vec3 com = d.body_pose[at(b)] * body.mass.com;
    const Spatial f{-body.gravcomp * body.mass.mass * g, Vec3::Zero()};
    const Vec3& c = d.tree_point[at(model_.links[at(body.link)].tree)];
    for (int j = 0; j < model_.nv; ++j)
      if (moves_body(model_, j, b))
        add_wrench_slope(model_, d, b, com, f, j,
                         shift_twist(dof_motion(model_, d, j), com - c).lin, 1, by_q.col(j));
  }
}

// Wrenches act at the centre of mass, and stay as they are in world axes.
void ForceSlopes::add_applied(const Input& input, const Derived& d) {
  for (int b = 1; b < model_.nbody(); ++b) {
    const Vec6& w = input.wrench[at(b)];
    const Body& body = model_.bodies[at(b)];
    if (w.isZero(0) || body.link < 0) continue;
    const Vec3 com = d.body_pose[at(b)] * body.mass.com;
    const Vec3& c = d.tree_point[at(model_.links[at(body.link)].tree)];
    for (int j = 0; j < model_.nv; ++j)
      if (moves_body(model_, j, b))
        add_wrench_slope(model_, d, b, com, {w.head<3>(), w.tail<3>()}, j,
                         shift_twist(dof_motion(model_, d, j), com - c).lin, 1, by_q.col(j));
  }
}

void ForceSlopes::add_actuators(const State& state, const Input& input, const Derived& d) {
  if (!model_.option.actuation_on) return;
  for (int i = 0; i < model_.nu(); ++i)
    if (is_on(model_, model_.actuators[at(i)])) add_actuator(i, state, input, d);
  for (const Joint& joint : model_.joints) {
    if (!joint.force_limited || is_inside(d.actuation[at(joint.dof)], joint.force_range)) continue;
    for (MatX* m : {&by_q, &by_v, &by_act, &by_ctrl}) m->row(joint.dof).setZero();
  }
}

void ForceSlopes::add_actuator(int index, const State& state, const Input& input,
                               const Derived& d) {
  const Actuator& a = model_.actuators[at(index)];
  const double raw = input.ctrl[at(index)];
  const bool clamps = a.ctrl_limited && model_.option.clamp_ctrl;
  const double ctrl = clamps ? std::clamp(raw, a.ctrl_range[0], a.ctrl_range[1]) : raw;
  const double free = clamps && ctrl != raw ? 0 : 1;  // d(ctrl)/d(raw)
  double signal = ctrl, by_activation = 0, by_control = free;
  if (a.act >= 0) {
    // act' = act + r (c ctrl - b act), r the length of the step or what filterexact makes of it
    const double h = model_.option.timestep, tau = std::max(a.dynprm[0], kLeastTimeConstant);
    const bool filters = a.dynamics == Dynamics::filter || a.dynamics == Dynamics::filterexact;
    const double c = a.dynamics == Dynamics::none ? 0 : filters ? 1 / tau : 1, b = filters ? c : 0;
    const double r = a.dynamics == Dynamics::filterexact ? tau * -std::expm1(-h / tau) : h;
    const double act = state.act[at(a.act)], next = act + r * (c * ctrl - b * act);
    const bool held = a.act_limited && !is_inside(next, a.act_range);
    act_by_act(a.act, a.act) = held ? 0 : 1 - r * b;
    act_by_ctrl(a.act, index) = held ? 0 : r * c * free;
    signal = a.act_early ? (a.act_limited ? std::clamp(next, a.act_range[0], a.act_range[1]) : next)
                         : act;
    by_activation = a.act_early ? act_by_act(a.act, a.act) : 1;
    by_control = a.act_early ? act_by_ctrl(a.act, index) : 0;
  }
  if (a.transmission == TransmissionType::none) return;
  if (a.force_limited && !is_inside(d.actuator_force[at(index)], a.force_range)) return;

  double gain = a.gainprm[0], by_length = 0, by_rate = 0;
  if (a.gain == Gain::affine) {
    gain +=
        a.gainprm[1] * d.actuator_length[at(index)] + a.gainprm[2] * d.actuator_velocity[at(index)];
    by_length += a.gainprm[1] * signal, by_rate += a.gainprm[2] * signal;
  }
  if (a.bias == Bias::affine) by_length += a.biasprm[1], by_rate += a.biasprm[2];
  VecX moment = VecX::Zero(model_.nv);
  moments(model_, a, [&](int dof, double m) { moment[dof] += m; });
  // the length of an actuator on a free joint is 0 wherever the joint is
  const bool has_length =
      a.transmission == TransmissionType::tendon || !turns(model_.joints[at(a.target)]);
  if (has_length) by_q += by_length * moment * moment.transpose();
  by_v += by_rate * moment * moment.transpose();
  if (a.act >= 0) by_act.col(a.act) += gain * by_activation * moment;
  by_ctrl.col(index) += gain * by_control * moment;
}

}  // namespace abut
