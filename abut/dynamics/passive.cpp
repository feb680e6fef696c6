#include "abut/dynamics/passive.h"

#include <numbers>

#include "abut/dynamics/bias.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/tolerances.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

using Poly = std::array<double, 3>;

bool is_zero(const Poly& p) { return p[0] == 0 && p[1] == 0 && p[2] == 0; }

// A spring's pull per unit of stretch, and its energy: f = -(a x + b x^2 + c x^3).
double spring_rate(const Poly& k, double x) { return k[0] + x * (k[1] + x * k[2]); }
double spring_potential(const Poly& k, double x) {
  return x * x * (k[0] / 2 + x * (k[1] / 3 + x * k[2] / 4));
}
// A damper resists both ways: f = -(a v + b v|v| + c v^3).
double damper_rate(const Poly& c, double v) {
  return c[0] + std::abs(v) * (c[1] + std::abs(v) * c[2]);
}

// Stretch of a tendon beyond its dead band.
double tendon_stretch(const Tendon& tendon, double length) {
  if (length > tendon.spring_length[1]) return length - tendon.spring_length[1];
  if (length < tendon.spring_length[0]) return length - tendon.spring_length[0];
  return 0;
}

Vec3 ball_stretch(const double* q, const double* rest) {
  Quat from(rest[0], rest[1], rest[2], rest[3]), to(q[0], q[1], q[2], q[3]);
  to.normalize();
  return log_rotation(from.conjugate() * to);
}

// A free joint's spring is at rest at qpos0.
void joint_springs(const Model& model, const State& state, std::span<double> force) {
  for (const Joint& joint : model.joints) {
    if (is_zero(joint.stiffness)) continue;
    const double* q = &state.q[joint.q];
    const double* rest =
        joint.type == JointType::free ? &model.qpos0[joint.q] : joint.spring_ref.data();
    double* f = &force[joint.dof];
    switch (joint.type) {
      case JointType::hinge:
      case JointType::slide: {
        const double x = q[0] - rest[0];
        f[0] -= spring_rate(joint.stiffness, x) * x;
        break;
      }
      case JointType::free: {
        const Vec3 x(q[0] - rest[0], q[1] - rest[1], q[2] - rest[2]);
        const double k = spring_rate(joint.stiffness, x.norm());
        for (int i = 0; i < 3; ++i) f[i] -= k * x[i];
        q += 3;
        rest += 3;
        f += 3;
        [[fallthrough]];
      }
      case JointType::ball: {
        const Vec3 x = ball_stretch(q, rest);
        const double k = spring_rate(joint.stiffness, x.norm());
        for (int i = 0; i < 3; ++i) f[i] -= k * x[i];
        break;
      }
    }
  }
}

// Drag of the medium on each body, taken as the box with its inertia: Stokes' law on the
// sphere of the same mean size for viscosity, quadratic drag on the box's faces for
// density. Wrenches are summed by link.
void air(const Model& model, const Derived& d, std::span<Spatial> link_wrench) {
  const double rho = model.option.density, mu = model.option.viscosity;
  for (const Body& body : model.bodies) {
    if (body.link < 0 || body.mass.mass < kMasslessInAir) continue;
    const int b = static_cast<int>(&body - model.bodies.data());
    const Vec3 com = d.body_pose[b] * body.mass.com;
    const Spatial t = twist_at(model, d, body.link, com);
    const Mat3 R = d.body_rotation[b] * body.fluid_axes;
    const Vec3 v = R.transpose() * (t.lin - model.option.wind);
    const Vec3 w = R.transpose() * t.ang;
    const Vec3& s = body.fluid_box;
    const double diameter = s.sum() / 3;
    constexpr double pi = std::numbers::pi;
    Vec3 f = -3 * pi * diameter * mu * v;
    Vec3 tau = -pi * diameter * diameter * diameter * mu * w;
    for (int i = 0; i < 3; ++i) {
      const double a = s[(i + 1) % 3], c = s[(i + 2) % 3];
      f[i] -= 0.5 * rho * a * c * std::abs(v[i]) * v[i];
      tau[i] -= rho * s[i] * (a * a * a * a + c * c * c * c) * std::abs(w[i]) * w[i] / 64;
    }
    const Vec3& at = d.tree_point[model.links[body.link].tree];
    link_wrench[body.link] += shift_wrench({R * f, R * tau}, at - com);
  }
}

}  // namespace

double damping_slope(const std::array<double, 3>& c, double v) {
  return c[0] + std::abs(v) * (2 * c[1] + std::abs(v) * 3 * c[2]);
}

void add_carried_weight(const Model& model, const Derived& d, bool through_actuators,
                        std::span<double> force) {
  const Vec3 g = gravity(model);
  for (int b = 1; b < model.nbody(); ++b) {
    const Body& body = model.bodies[b];
    if (body.gravcomp == 0 || body.link < 0) continue;
    const Vec3 com = d.body_pose[b] * body.mass.com;
    const Vec3 f = -body.gravcomp * body.mass.mass * g;
    const Vec3& c = d.tree_point[model.links[body.link].tree];
    const Spatial w = shift_wrench({f, Vec3::Zero()}, c - com);
    const Link& link = model.links[body.link];
    for (int i = link.dof_begin + link.dof_count - 1; i >= 0; i = model.dofs[i].parent)
      if (model.joints[model.dofs[i].joint].actuator_gravcomp == through_actuators)
        force[i] += dot(dof_motion(model, d, i), w);
  }
}

void passive_forces(const Model& model, const State& state, Derived& d) {
  const Options& option = model.option;
  std::span<double> force = d.passive;
  std::fill(force.begin(), force.end(), 0.0);

  if (option.spring_on) joint_springs(model, state, force);
  if (option.damper_on)
    for (int i = 0; i < model.nv; ++i)
      if (!is_zero(model.dofs[i].damping))
        force[i] -= damper_rate(model.dofs[i].damping, state.v[i]) * state.v[i];

  for (std::size_t t = 0; t < model.tendons.size(); ++t) {
    const Tendon& tendon = model.tendons[t];
    double f = 0;
    if (option.spring_on) {
      const double x = tendon_stretch(tendon, d.tendon_length[t]);
      f -= spring_rate(tendon.stiffness, x) * x;
    }
    if (option.damper_on)
      f -= damper_rate(tendon.damping, d.tendon_velocity[t]) * d.tendon_velocity[t];
    if (f != 0) add_tendon_force(model, d, static_cast<int>(t), f, force);
  }

  if (option.gravity_on) add_carried_weight(model, d, false, force);
  if (option.density > 0 || option.viscosity > 0) {
    std::fill(d.link_wrench.begin(), d.link_wrench.end(), Spatial{});
    air(model, d, d.link_wrench);
    add_link_wrenches(model, d, d.link_wrench, force);
  }
}

double spring_energy(const Model& model, const State& state, const Derived& d) {
  if (!model.option.spring_on) return 0;
  double energy = 0;
  for (const Joint& joint : model.joints) {
    if (is_zero(joint.stiffness)) continue;
    const double* q = &state.q[joint.q];
    const double* rest =
        joint.type == JointType::free ? &model.qpos0[joint.q] : joint.spring_ref.data();
    switch (joint.type) {
      case JointType::hinge:
      case JointType::slide:
        energy += spring_potential(joint.stiffness, q[0] - rest[0]);
        break;
      case JointType::free:
        energy += spring_potential(joint.stiffness,
                                   Vec3(q[0] - rest[0], q[1] - rest[1], q[2] - rest[2]).norm());
        q += 3;
        rest += 3;
        [[fallthrough]];
      case JointType::ball:
        energy += spring_potential(joint.stiffness, ball_stretch(q, rest).norm());
        break;
    }
  }
  for (std::size_t t = 0; t < model.tendons.size(); ++t)
    energy += spring_potential(model.tendons[t].stiffness,
                               tendon_stretch(model.tendons[t], d.tendon_length[t]));
  return energy;
}

}  // namespace abut
