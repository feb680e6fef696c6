#include "abut/dynamics/integrate.h"

#include <algorithm>

#include "abut/dynamics/actuation.h"
#include "abut/dynamics/articulated.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/forward.h"
#include "abut/dynamics/gyroscope.h"
#include "abut/dynamics/passive.h"
#include "abut/dynamics/tolerances.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

Vec3 read_vec(const double* p) { return {p[0], p[1], p[2]}; }

void write_vec(const Vec3& v, double* p) {
  for (int k = 0; k < 3; ++k) p[k] = v[k];
}

// dq/dt, quaternions as four plain numbers: q' = q * (0, omega) / 2.
void configuration_rate(const Model& model, std::span<const double> q, std::span<const double> v,
                        std::span<double> rate) {
  for (const Joint& joint : model.joints) {
    int i = joint.q, k = joint.dof;
    switch (joint.type) {
      case JointType::hinge:
      case JointType::slide:
        rate[i] = v[k];
        break;
      case JointType::free:
        for (int j = 0; j < 3; ++j) rate[i + j] = v[k + j];
        i += 3;
        k += 3;
        [[fallthrough]];
      case JointType::ball: {
        const double w = q[i], x = q[i + 1], y = q[i + 2], z = q[i + 3];
        const double a = 0.5 * v[k], b = 0.5 * v[k + 1], c = 0.5 * v[k + 2];
        rate[i] = -x * a - y * b - z * c;
        rate[i + 1] = w * a + y * c - z * b;
        rate[i + 2] = w * b + z * a - x * c;
        rate[i + 3] = w * c + x * b - y * a;
        break;
      }
    }
  }
}

bool can_tumble(const Model& model) {
  for (const Joint& joint : model.joints)
    if ((joint.type == JointType::free || joint.type == JointType::ball) &&
        !model.trees[model.links[model.dofs[joint.dof].link].tree].free_body)
      return true;
  return false;
}

// The acceleration of a tree by gravity; zero if its links are compensated differently.
Vec3 common_fall(const Model& model, const Tree& tree) {
  const auto of_tree = [&](const Body& body) {
    return body.link >= tree.link_begin && body.link < tree.link_begin + tree.link_count;
  };
  double share = -1;
  for (const Body& body : model.bodies) {
    if (!of_tree(body) || body.mass.mass == 0) continue;
    if (share >= 0 && body.gravcomp != share) return Vec3::Zero();
    share = body.gravcomp;
  }
  return (1 - std::max(share, 0.0)) * gravity(model);
}

// Whether joints between bodies (equalities) hold it, or may.
bool is_joined(const Model& model, int tree) {
  const auto in_tree = [&](int body) {
    const int link = body > 0 ? model.bodies[body].link : -1;
    return link >= 0 && model.links[link].tree == tree;
  };
  for (const Equality& e : model.equalities) {
    if (!e.active) continue;
    const bool of_bodies = e.type != EqualityType::joint && e.type != EqualityType::tendon;
    if (!of_bodies || in_tree(e.first) || in_tree(e.second)) return true;
  }
  return false;
}

}  // namespace

std::string_view integrator_name(Integrator integrator) {
  switch (integrator) {
    case Integrator::euler:
      return "euler";
    case Integrator::implicit:
      return "implicit";
    case Integrator::explicit_euler:
      return "explicit";
    case Integrator::rk4:
      return "rk4";
  }
  return "";
}

Stepper::Stepper(const Model& model)
    : model_(model),
      tumbles_(can_tumble(model)),
      extra_(model.dofs.size(), 0.0),
      mean_v_(model.dofs.size(), 0.0),
      previous_(model.dofs.size(), 0.0),
      tendon_damping_(model.tendons.size(), 0.0),
      stage_(model),
      start_(model),
      rate_q_(model.qpos0.size(), 0.0),
      sum_q_(model.qpos0.size(), 0.0),
      sum_v_(model.dofs.size(), 0.0),
      sum_act_(model.na, 0.0),
      scratch_(model) {
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    const Tree& tree = model.trees[t];
    joined_.push_back(is_joined(model, static_cast<int>(t)));
    const Joint& root = model.joints[model.dofs[tree.dof_begin].joint];
    if (root.type != JointType::free || joined_[t]) continue;
    const Vec3 fall = common_fall(model, tree);
    double mass = 0;
    for (int l = tree.link_begin; l < tree.link_begin + tree.link_count; ++l)
      mass += model.links[l].mass.mass;
    if (!fall.isZero()) falls_.push_back({static_cast<int>(t), root.q, fall, mass * fall.norm()});
  }
}

void Stepper::step(Integrator integrator, double h, const Input& input, State& state, Derived& d,
                   StageForces* more) {
  if (integrator == Integrator::rk4)
    runge_kutta_4(h, input, state, d, more);
  else
    first_order(integrator, h, input, state, d, more);
  state.time += h;
}

void Stepper::first_order(Integrator integrator, double h, const Input& input, State& state,
                          Derived& d, StageForces* more) {
  positions(model_, state, input, d);
  velocities(model_, state, d);
  forces(input, state, d);
  if (more != nullptr) more->add(1, state, input, d);
  accelerate(integrator, h, input, state, d);
  move(integrator, h, state, d);
}

void Stepper::forces(const Input& input, const State& state, Derived& d) {
  smooth_forces(model_, state, input, d, d.tau);
}

void Stepper::accelerate(Integrator integrator, double h, const Input& input, const State& state,
                         Derived& d) {
  // implicit terms are added to the diagonal: (M + h C) v' = tau - bias
  std::span<const double> extra;
  std::fill(extra_.begin(), extra_.end(), 0.0);
  const bool joint_damping = integrator == Integrator::implicit ||
                             (integrator == Integrator::euler && model_.option.euler_damp);
  if (joint_damping && model_.option.damper_on) {
    for (int i = 0; i < model_.nv; ++i)
      extra_[i] = h * damping_slope(model_.dofs[i].damping, state.v[i]);
    extra = extra_;
  }
  if (integrator == Integrator::implicit) {
    std::fill(previous_.begin(), previous_.end(), 0.0);
    add_actuator_damping(model_, state, input, d, previous_);
    for (int i = 0; i < model_.nv; ++i) extra_[i] += h * std::max(previous_[i], 0.0);
    extra = extra_;
  }
  for (std::size_t t = 0; t < model_.tendons.size(); ++t) {
    const Tendon& tendon = model_.tendons[t];
    if (!tendon.for_joint) continue;
    d.tendon_inertia[t] = tendon.armature;
    if (joint_damping && model_.option.damper_on)
      d.tendon_inertia[t] += h * damping_slope(tendon.damping, d.tendon_velocity[t]);
  }
  if (integrator == Integrator::implicit && !model_.tendons.empty()) {
    std::fill(tendon_damping_.begin(), tendon_damping_.end(), 0.0);
    add_tendon_actuator_damping(model_, state, input, d, tendon_damping_);
    for (std::size_t t = 0; t < tendon_damping_.size(); ++t)
      d.tendon_inertia[t] += h * std::max(tendon_damping_[t], 0.0);
  }
  articulated_acceleration(model_, state.v, d.tau, extra, d, d.acceleration);
  if (!tumbles_) return;

  // velocity terms at the mean velocity of the step: a fixed point, reached fast since h
  // times the angular velocity is small; never more than six rounds
  start_.v = state.v;
  for (int round = 0; round < 6; ++round) {
    previous_ = d.acceleration;
    for (int i = 0; i < model_.nv; ++i) stage_.v[i] = start_.v[i] + 0.5 * h * d.acceleration[i];
    velocities(model_, stage_, d);
    articulated_acceleration_again(model_, stage_.v, d.tau, d, d.acceleration);
    double change = 0, size = 0;
    for (int i = 0; i < model_.nv; ++i) {
      change = std::max(change, std::abs(d.acceleration[i] - previous_[i]));
      size = std::max(size, std::abs(d.acceleration[i]) + std::abs(start_.v[i]) / h);
    }
    if (change <= kSettledAcceleration * size) break;
  }
  velocities(model_, state, d);
}

void Stepper::move(Integrator integrator, double h, State& state, Derived& d,
                   std::span<const double> change, std::span<const double> contact) {
  const bool explicit_q = integrator == Integrator::explicit_euler;
  start_ = state;
  if (explicit_q) advance(model_, state.v, h, state.q);
  for (int i = 0; i < model_.nv; ++i) state.v[i] += h * d.acceleration[i];
  if (!change.empty())
    for (int i = 0; i < model_.nv; ++i) state.v[i] += change[i];
  if (!explicit_q) advance(model_, state.v, h, state.q);
  for (std::size_t t = 0; t < model_.trees.size(); ++t)
    if (model_.trees[t].free_body)
      move_free_body(t, integrator, h, start_, state, d,
                     change.empty() ? nullptr : &change[model_.trees[t].dof_begin]);
  held_gain_ = 0;
  if (!explicit_q) correct_falls(h, d, change, contact, state);
  advance_activations(model_, d, h, state);
}

namespace {

// A free body at the start of a step, and the changes by forces during the step.
struct FreeStep {
  Vec3 v, omega;  // of the centre of mass, world axes; angular, body axes
  Vec3 dv, dw;    // by forces, in the same axes
};

FreeStep free_step(const Model& model, const Tree& tree, double h, std::span<const double> v,
                   const Derived& d) {
  const Link& link = model.links[tree.link_begin];
  const int i = tree.dof_begin;
  const Vec3& c = link.mass.com;
  const Mat3& R = d.body_rotation[link.body];
  const Vec3 omega = read_vec(&v[i + 3]);
  const Vec3 f = read_vec(&d.tau[i]);
  const Vec3 tau = read_vec(&d.tau[i + 3]) - c.cross(R.transpose() * f);
  return {read_vec(&v[i]) + R * omega.cross(c), omega, h * (f / link.mass.mass + gravity(model)),
          h * (link.inverse_inertia * tau)};
}

}  // namespace

void Stepper::end_velocities(double h, const State& state, const Derived& d,
                             std::span<double> u) const {
  for (int i = 0; i < model_.nv; ++i) u[i] = state.v[i] + h * d.acceleration[i];
  for (std::size_t t = 0; t < model_.trees.size(); ++t) {
    const Tree& tree = model_.trees[t];
    if (!tree.free_body) continue;
    const FreeStep s = free_step(model_, tree, h, state.v, d);
    const Link& link = model_.links[tree.link_begin];
    Vec3 omega = s.omega;
    if (joined_[t]) {
      const Spin spin = free_rotation(link.mass.inertia, omega, h);
      omega = spin.turned * spin.omega;
    }
    write_vec(s.v + s.dv, &u[tree.dof_begin]);
    write_vec(d.body_rotation[link.body] * (omega + s.dw), &u[tree.dof_begin + 3]);
  }
}

// A free body moves with its centre of mass, so that linear momentum is conserved whatever its
// rotation. The impulses of forces and contacts act at the start of the step, and then the body
// turns as if free: angular momentum does not depend on the step length. A body with joints to
// others turns torque-free from its initial velocity, and then by the changes: the joints must
// react to the gyroscopic term, or their armature would not resist it.
void Stepper::move_free_body(std::size_t index, Integrator integrator, double h,
                             const State& before, State& state, const Derived& d,
                             const double* change) const {
  const Tree& tree = model_.trees[index];
  const Link& link = model_.links[tree.link_begin];
  const int i = tree.dof_begin;
  const int iq = model_.joints[model_.dofs[i].joint].q;
  const Vec3& c = link.mass.com;
  const Mat3& R = d.body_rotation[link.body];
  const FreeStep s = free_step(model_, tree, h, before.v, d);
  const Vec3 added_v = change != nullptr ? read_vec(change) : Vec3::Zero();
  const Vec3 added_w = change != nullptr ? read_vec(change + 3) : Vec3::Zero();

  const Vec3 v = s.v + s.dv + added_v;
  const Quat& q = d.body_pose[link.body].q;
  const bool explicit_q = integrator == Integrator::explicit_euler;
  Quat r;
  Vec3 omega;
  if (explicit_q || joined_[index]) {
    const Spin spin = free_rotation(link.mass.inertia, s.omega, h);
    r = q * spin.turned;
    if (!explicit_q) r = exp_rotation(h * added_w) * r * exp_rotation(h * s.dw);
    omega = spin.omega + s.dw + r.conjugate() * added_w;
  } else {
    const Vec3 start = s.omega + s.dw + R.transpose() * added_w;
    const Spin spin = free_rotation(link.mass.inertia, start, h);
    r = q * spin.turned;
    omega = spin.omega;
  }
  r.normalize();
  const Vec3 com = d.body_pose[link.body].p + R * c + h * (explicit_q ? s.v : v);
  write_vec(com - r * c, &state.q[iq]);
  state.q[iq + 3] = r.w();
  write_vec(r.vec(), &state.q[iq + 4]);
  write_vec(v - r * omega.cross(c), &state.v[i]);
  write_vec(omega, &state.v[i + 3]);
}

// The new velocity moves a falling body too far by h^2 g / 2. A body in contact must not be
// corrected: its contacts have determined its end position.
void Stepper::correct_falls(double h, const Derived& d, std::span<const double> change,
                            std::span<const double> contact, State& state) {
  for (const Fall& fall : falls_) {
    const Tree& tree = model_.trees[fall.tree];
    const double limit = kNoContactForce * fall.weight;
    const auto acts = [&](std::span<const double> x, double least) {
      if (x.empty()) return false;
      const auto part = x.subspan(tree.dof_begin, tree.dof_count);
      return std::any_of(part.begin(), part.end(),
                         [&](double value) { return std::abs(value) > least; });
    };
    if (acts(change, 0) || acts(contact, limit)) {
      if (!tree.free_body) continue;
      const Link& link = model_.links[tree.link_begin];
      const double* v = &state.v[tree.dof_begin];
      const double* q = &state.q[fall.q];
      const Vec3 after =
          read_vec(v) + Quat(q[3], q[4], q[5], q[6]) * read_vec(v + 3).cross(link.mass.com);
      const Vec3 before = free_step(model_, tree, h, start_.v, d).v;
      held_gain_ += 0.5 * h * link.mass.mass * fall.acceleration.dot(before - after);
      continue;
    }
    for (int k = 0; k < 3; ++k) state.q[fall.q + k] -= 0.5 * h * h * fall.acceleration[k];
  }
}

void Stepper::runge_kutta_4(double h, const Input& input, State& state, Derived& d,
                            StageForces* more) {
  constexpr double kNode[4] = {0, 0.5, 0.5, 1};
  constexpr double kWeight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  std::fill(sum_q_.begin(), sum_q_.end(), 0.0);
  std::fill(sum_v_.begin(), sum_v_.end(), 0.0);
  std::fill(sum_act_.begin(), sum_act_.end(), 0.0);
  stage_ = state;
  for (int s = 0; s < 4; ++s) {
    Derived& at = s == 0 ? d : scratch_;
    if (s > 0) {
      // rate_q_, stage_.v and the accelerations are still those of the stage before
      const Derived& last = s == 1 ? d : scratch_;
      const double step = kNode[s] * h;
      for (int i = 0; i < model_.nq; ++i) stage_.q[i] = state.q[i] + step * rate_q_[i];
      for (int i = 0; i < model_.nv; ++i) stage_.v[i] = state.v[i] + step * last.acceleration[i];
      for (int i = 0; i < model_.na; ++i) stage_.act[i] = state.act[i] + step * last.act_rate[i];
    }
    positions(model_, stage_, input, at);
    velocities(model_, stage_, at);
    smooth_forces(model_, stage_, input, at, at.tau);
    if (more != nullptr) more->add(kWeight[s], stage_, input, at);
    articulated_acceleration(model_, stage_.v, at.tau, {}, at, at.acceleration);
    if (more != nullptr) more->constrain(kWeight[s], stage_, input, at);
    configuration_rate(model_, stage_.q, stage_.v, rate_q_);
    for (int i = 0; i < model_.nq; ++i) sum_q_[i] += kWeight[s] * rate_q_[i];
    for (int i = 0; i < model_.nv; ++i) sum_v_[i] += kWeight[s] * at.acceleration[i];
    for (int i = 0; i < model_.na; ++i) sum_act_[i] += kWeight[s] * at.act_rate[i];
  }
  for (int i = 0; i < model_.nq; ++i) state.q[i] += h * sum_q_[i];
  for (int i = 0; i < model_.nv; ++i) state.v[i] += h * sum_v_[i];
  for (const Actuator& a : model_.actuators) {
    if (a.act < 0) continue;
    double& act = state.act[a.act];
    act += h * sum_act_[a.act];
    if (a.act_limited) act = std::clamp(act, a.act_range[0], a.act_range[1]);
  }
  normalize(model_, state.q);
}

}  // namespace abut
