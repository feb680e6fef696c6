#include "abut/dynamics/actuation.h"

#include <algorithm>

#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/passive.h"
#include "abut/dynamics/tolerances.h"
#include "abut/math/rotation.h"

namespace abut {

namespace {

double clamp(double x, const Range& range) { return std::clamp(x, range[0], range[1]); }

Quat ball_rotation(const double* q) {
  Quat r(q[0], q[1], q[2], q[3]);
  r.normalize();
  return r;
}

// Actuator length, and d(length)/dt = moment . v as entries of `moment` with f(dof, value).
template <typename F>
double joint_transmission(const Model& model, const State& state, const Actuator& a, F&& moment) {
  const Joint& joint = model.joints[a.target];
  const double* q = &state.q[joint.q];
  const bool in_parent = a.transmission == TransmissionType::joint_in_parent;
  const Vec3 gear_lin = a.gear.head<3>();
  switch (joint.type) {
    case JointType::hinge:
    case JointType::slide:
      moment(joint.dof, a.gear[0]);
      return a.gear[0] * q[0];
    case JointType::ball: {
      const Quat r = ball_rotation(q);
      const Vec3 gear = in_parent ? Vec3(r.conjugate() * gear_lin) : gear_lin;
      for (int k = 0; k < 3; ++k) moment(joint.dof + k, gear[k]);
      return log_rotation(r).dot(gear_lin);
    }
    case JointType::free: {
      const Vec3 turn = a.gear.tail<3>();
      const Vec3 gear = in_parent ? Vec3(ball_rotation(q + 3).conjugate() * turn) : turn;
      for (int k = 0; k < 3; ++k) moment(joint.dof + k, gear_lin[k]);
      for (int k = 0; k < 3; ++k) moment(joint.dof + 3 + k, gear[k]);
      return 0;
    }
  }
  return 0;
}

// Calls f for the effect of a wrench at a point of a body on the dofs that move it, down to `stop`.
template <typename F>
void visit_wrench(const Model& model, const Derived& d, int body, const Vec3& p_W,
                  const Spatial& wrench, int stop, F&& moment) {
  const int link = model.bodies[body].link;
  if (link < 0) return;
  const Spatial w = shift_wrench(wrench, d.tree_point[model.links[link].tree] - p_W);
  const Link& l = model.links[link];
  for (int i = l.dof_begin + l.dof_count - 1; i > stop; i = model.dofs[i].parent)
    moment(i, dot(dof_motion(model, d, i), w));
}

// A wrench in the frame of the site, or of the reference site, against which the length
// is then measured.
template <typename F>
double site_transmission(const Model& model, const Derived& d, const Actuator& a, F&& moment) {
  const Pose X = site_pose(model, d, a.target);
  const int body = model.sites[a.target].body;
  const bool relative = a.refsite >= 0;
  const Pose X_ref = relative ? site_pose(model, d, a.refsite) : X;
  const Spatial wrench{X_ref.q * Vec3(a.gear.head<3>()), X_ref.q * Vec3(a.gear.tail<3>())};

  // dofs that move both sites do not change the length
  int common = -1;
  if (relative && model.bodies[body].link >= 0 &&
      model.bodies[model.sites[a.refsite].body].link >= 0) {
    auto last_dof = [&](int b) {
      const Link& l = model.links[model.bodies[b].link];
      return l.dof_begin + l.dof_count - 1;
    };
    int i = last_dof(body), j = last_dof(model.sites[a.refsite].body);
    while (i != j && i >= 0 && j >= 0) (i > j ? i : j) = model.dofs[std::max(i, j)].parent;
    common = i == j ? i : -1;
  }
  visit_wrench(model, d, body, X.p, wrench, common, moment);
  if (!relative) return 0;
  visit_wrench(model, d, model.sites[a.refsite].body, X_ref.p, wrench * -1, common, moment);
  const Pose rel = X_ref.inverse() * X;
  return Vec3(a.gear.head<3>()).dot(rel.p) + Vec3(a.gear.tail<3>()).dot(log_rotation(rel.q));
}

// A tendon's sum: coordinates of joints, or measures between two bodies.
template <typename F>
double tendon_transmission(const Model& model, const Derived& d, const Actuator& a, F&& moment) {
  const Tendon& tendon = model.tendons[a.target];
  for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
    const TendonTerm& term = model.tendon_terms[k];
    const double gear = a.gear[0] * term.coef;
    if (term.measure < 0) {
      moment(term.dof, gear);
      continue;
    }
    const JointMeasure& m = model.measures[term.measure];
    const MeasureNow& now = d.measure[term.measure];
    visit_wrench(model, d, m.second, now.p, now.w * gear, -1, moment);
    visit_wrench(model, d, m.first, now.p, now.w * -gear, -1, moment);
  }
  return a.gear[0] * d.tendon_length[a.target];
}

template <typename F>
double transmission(const Model& model, const State& state, const Derived& d, const Actuator& a,
                    F&& moment) {
  switch (a.transmission) {
    case TransmissionType::joint:
    case TransmissionType::joint_in_parent:
      return joint_transmission(model, state, a, moment);
    case TransmissionType::tendon:
      return tendon_transmission(model, d, a, moment);
    case TransmissionType::site:
      return site_transmission(model, d, a, moment);
    case TransmissionType::none:
      break;
  }
  return 0;
}

double act_rate(const Actuator& a, double ctrl, double act) {
  switch (a.dynamics) {
    case Dynamics::integrator:
      return ctrl;
    case Dynamics::filter:
    case Dynamics::filterexact:
      return (ctrl - act) / std::max(a.dynprm[0], kLeastTimeConstant);
    case Dynamics::none:
      break;
  }
  return 0;
}

double next_activation(const Actuator& a, double act, double rate, double h) {
  double next = act + rate * h;
  if (a.dynamics == Dynamics::filterexact) {
    const double tau = std::max(a.dynprm[0], kLeastTimeConstant);
    next = act + rate * tau * -std::expm1(-h / tau);
  }
  return a.act_limited ? clamp(next, a.act_range) : next;
}

// Limits the sum of the forces on a tendon; for a tendon that represents a joint, the sum of their
// effects there.
void limit_tendon_forces(const Model& model, std::span<double> force) {
  for (std::size_t t = 0; t < model.tendons.size(); ++t) {
    if (!model.tendons[t].force_limited) continue;
    double sum = 0;
    auto on_tendon = [&](const Actuator& a) {
      return a.transmission == TransmissionType::tendon && a.target == static_cast<int>(t);
    };
    for (int i = 0; i < model.nu(); ++i)
      if (on_tendon(model.actuators[i]))
        sum += force[i] * (model.tendons[t].for_joint ? model.actuators[i].gear[0] : 1);
    const double bounded = clamp(sum, model.tendons[t].force_range);
    if (sum == 0 || bounded == sum) continue;
    for (int i = 0; i < model.nu(); ++i)
      if (on_tendon(model.actuators[i])) force[i] *= bounded / sum;
  }
}

double clamped_control(const Model& model, const Actuator& a, double ctrl) {
  return a.ctrl_limited && model.option.clamp_ctrl ? clamp(ctrl, a.ctrl_range) : ctrl;
}

bool is_on(const Model& model, const Actuator& a) {
  return a.enabled && !(model.option.disabled_actuator_groups >> a.group & 1u);
}

// -d(force along the target)/d(its velocity), gear included.
double damping_of(const Model& model, int i, const State& state, const Input& input,
                  const Derived& d) {
  const Actuator& a = model.actuators[i];
  // a force at its bound does not change with the velocity
  const double f = d.actuator_force[i];
  if (a.force_limited && (f <= a.force_range[0] || f >= a.force_range[1])) return 0;
  double s = 0;
  if (a.bias == Bias::affine) s -= a.biasprm[2];
  if (a.gain == Gain::affine) {
    const double signal = a.act >= 0 ? state.act[a.act] : clamped_control(model, a, input.ctrl[i]);
    s -= a.gainprm[2] * signal;
  }
  return s * a.gear[0] * a.gear[0];
}

}  // namespace

void actuator_forces(const Model& model, const State& state, const Input& input, Derived& d) {
  std::fill(d.actuation.begin(), d.actuation.end(), 0.0);
  std::fill(d.act_rate.begin(), d.act_rate.end(), 0.0);
  std::fill(d.actuator_force.begin(), d.actuator_force.end(), 0.0);
  if (!model.option.actuation_on) return;

  for (int i = 0; i < model.nu(); ++i) {
    const Actuator& a = model.actuators[i];
    double rate = 0;
    const double length =
        transmission(model, state, d, a, [&](int dof, double m) { rate += m * state.v[dof]; });
    d.actuator_length[i] = length;
    d.actuator_velocity[i] = rate;
    if (!is_on(model, a)) continue;

    const double ctrl = clamped_control(model, a, input.ctrl[i]);
    double signal = ctrl;
    if (a.act >= 0) {
      d.act_rate[a.act] = act_rate(a, ctrl, state.act[a.act]);
      signal = state.act[a.act];
      if (a.act_early)
        signal = next_activation(a, signal, d.act_rate[a.act], model.option.timestep);
    }
    double gain = a.gainprm[0];
    if (a.gain == Gain::affine) gain += a.gainprm[1] * length + a.gainprm[2] * rate;
    double force = gain * signal;
    if (a.bias == Bias::affine) force += a.biasprm[0] + a.biasprm[1] * length + a.biasprm[2] * rate;
    d.actuator_force[i] = force;
  }
  limit_tendon_forces(model, d.actuator_force);

  for (int i = 0; i < model.nu(); ++i) {
    const Actuator& a = model.actuators[i];
    if (a.force_limited) d.actuator_force[i] = clamp(d.actuator_force[i], a.force_range);
    const double f = d.actuator_force[i];
    if (f != 0)
      transmission(model, state, d, a, [&](int dof, double m) { d.actuation[dof] += m * f; });
  }
  if (model.option.gravity_on) add_carried_weight(model, d, true, d.actuation);
  for (const Joint& joint : model.joints)
    if (joint.force_limited)
      d.actuation[joint.dof] = clamp(d.actuation[joint.dof], joint.force_range);
}

void add_actuator_damping(const Model& model, const State& state, const Input& input,
                          const Derived& d, std::span<double> slope) {
  if (!model.option.actuation_on) return;
  for (int i = 0; i < model.nu(); ++i) {
    const Actuator& a = model.actuators[i];
    if (!is_on(model, a) || a.transmission != TransmissionType::joint) continue;
    const Joint& joint = model.joints[a.target];
    if (joint.type != JointType::hinge && joint.type != JointType::slide) continue;
    slope[joint.dof] += damping_of(model, i, state, input, d);
  }
}

void add_tendon_actuator_damping(const Model& model, const State& state, const Input& input,
                                 const Derived& d, std::span<double> slope) {
  if (!model.option.actuation_on) return;
  for (int i = 0; i < model.nu(); ++i) {
    const Actuator& a = model.actuators[i];
    if (is_on(model, a) && a.transmission == TransmissionType::tendon &&
        model.tendons[a.target].for_joint)
      slope[a.target] += damping_of(model, i, state, input, d);
  }
}

void advance_activations(const Model& model, const Derived& d, double h, State& state) {
  for (const Actuator& a : model.actuators)
    if (a.act >= 0) state.act[a.act] = next_activation(a, state.act[a.act], d.act_rate[a.act], h);
}

}  // namespace abut
