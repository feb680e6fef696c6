#include "abut/simulate/sense/body_motion.h"

#include "abut/dynamics/bias.h"
#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

BodyMotion::BodyMotion(const Model& model)
    : twist_(model.bodies.size()),
      acceleration_(model.bodies.size()),
      wrench_(model.bodies.size()) {}

void BodyMotion::find(const SensorMoment& moment) {
  find_accelerations(moment);
  find_wrenches(moment);
}

Spatial BodyMotion::velocity(const SensorMoment& moment, int body, const Vec3& p) const {
  const int link = moment.model.bodies[at(body)].link;
  if (link < 0) return driven_twist(moment.model, moment.input, moment.d, body, p);
  return twist_at(moment.model, moment.d, link, p);
}

Spatial BodyMotion::acceleration(int body, const Vec3& p) const {
  const Spatial v = shift_twist(twist_[at(body)], p);
  Spatial a = shift_twist(acceleration_[at(body)], p);
  a.lin += v.ang.cross(v.lin);
  return a;
}

Spatial BodyMotion::interaction(int body, const Vec3& p) const {
  return shift_wrench(wrench_[at(body)], p);
}

// Spatial accelerations: those of the dofs on the way from the root, and the velocity terms.
void BodyMotion::find_accelerations(const SensorMoment& moment) {
  const auto& [model, state, input, d, vdot, contacts] = moment;
  const Vec3 up = -gravity(model);
  for (int b = 0; b < model.nbody(); ++b) {
    const int l = model.bodies[at(b)].link;
    twist_[at(b)] = velocity(moment, b, Vec3::Zero());
    acceleration_[at(b)] = {up, Vec3::Zero()};
    if (l < 0) continue;
    const Link& link = model.links[at(l)];
    Spatial A = d.link_bias[at(l)];
    for (int i = link.dof_begin + link.dof_count - 1; i >= 0; i = model.dofs[at(i)].parent)
      A += dof_motion(model, d, i) * vdot[at(i)];
    acceleration_[at(b)] += shift_twist(A, -d.tree_point[at(link.tree)]);
  }
}

// Leaves first: children have larger ids.
void BodyMotion::find_wrenches(const SensorMoment& moment) {
  const auto& [model, state, input, d, vdot, contacts] = moment;
  contacts.on_bodies(model, contact_);
  for (int b = 0; b < model.nbody(); ++b) {
    const MassProperties& m = model.bodies[at(b)].mass;
    const Mat3& R = d.body_rotation[at(b)];
    const SpatialInertia I =
        SpatialInertia::about(m.mass, d.body_pose[at(b)] * m.com, R * m.inertia * R.transpose());
    wrench_[at(b)] = I * acceleration_[at(b)] + cross_force(twist_[at(b)], I * twist_[at(b)]);
    wrench_[at(b)] -= outside(moment, b);
  }
  for (int b = model.nbody() - 1; b > 0; --b)
    wrench_[at(model.bodies[at(b)].parent)] += wrench_[at(b)];
}

// Contacts, Input's wrenches and the user's spring on a body, about the world's origin.
Spatial BodyMotion::outside(const SensorMoment& moment, int body) const {
  const BodyForce& touch = contact_[at(body)];
  Spatial w;
  if (touch.pairs > 0) w += shift_wrench({touch.force, touch.torque}, -touch.point);
  const Vec6& given = moment.input.wrench[at(body)];
  const Vec3 com = moment.d.body_pose[at(body)] * moment.model.bodies[at(body)].mass.com;
  w += shift_wrench({given.head<3>(), given.tail<3>()}, -com);
  const UserSpring& spring = moment.input.spring;
  if (spring.body == body) {
    const Vec3 p = moment.d.body_pose[at(body)] * spring.point;
    const Vec3 v = velocity(moment, body, p).lin;
    const Vec3 f = spring.stiffness * (spring.target - p) - spring.damping * v;
    w += shift_wrench({f, Vec3::Zero()}, -p);
  }
  return w;
}

}  // namespace abut
