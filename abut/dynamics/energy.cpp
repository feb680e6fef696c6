#include "abut/dynamics/energy.h"

#include "abut/dynamics/bias.h"
#include "abut/dynamics/passive.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// Velocity of the link's centre of mass and angular velocity, with what they carry.
struct LinkMotion {
  double mass;
  Vec3 com, velocity, omega, spin;  // spin: angular momentum about the centre of mass
};

LinkMotion motion(const Model& model, const Derived& d, int l) {
  const Link& link = model.links[l];
  const Mat3& R = d.body_rotation[link.body];
  LinkMotion m;
  m.mass = link.mass.mass;
  m.com = d.body_pose[link.body].p + R * link.mass.com;
  const Spatial t = twist_at(model, d, l, m.com);
  m.velocity = t.lin;
  m.omega = t.ang;
  m.spin = R * (link.mass.inertia * (R.transpose() * t.ang));
  return m;
}

}  // namespace

double potential_energy(const Model& model, const State& state, const Derived& d) {
  const Vec3 g = gravity(model);
  double sum = 0;
  for (const Link& link : model.links)
    sum -= link.mass.mass *
           g.dot(d.body_pose[link.body].p + d.body_rotation[link.body] * link.mass.com);
  return sum + spring_energy(model, state, d);
}

Energy energy(const Model& model, const State& state, const Derived& d) {
  Energy e;
  for (std::size_t l = 0; l < model.links.size(); ++l) {
    const LinkMotion m = motion(model, d, static_cast<int>(l));
    e.kinetic += 0.5 * (m.mass * m.velocity.squaredNorm() + m.spin.dot(m.omega));
  }
  for (int i = 0; i < model.nv; ++i)
    e.kinetic += 0.5 * model.dofs[i].armature * state.v[i] * state.v[i];
  for (std::size_t t = 0; t < model.tendons.size(); ++t)
    if (model.tendons[t].for_joint)
      e.kinetic += 0.5 * model.tendons[t].armature * d.tendon_velocity[t] * d.tendon_velocity[t];
  e.potential = potential_energy(model, state, d);
  return e;
}

Momentum momentum(const Model& model, const Derived& d) {
  Momentum p;
  for (std::size_t l = 0; l < model.links.size(); ++l) {
    const LinkMotion m = motion(model, d, static_cast<int>(l));
    p.linear += m.mass * m.velocity;
    p.angular += m.com.cross(m.mass * m.velocity) + m.spin;
  }
  return p;
}

}  // namespace abut
