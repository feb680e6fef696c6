#include "abut/simulate/sense/sensor_values.h"

#include <algorithm>
#include <utility>

#include "abut/collide/ray.h"
#include "abut/dynamics/energy.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// The frame of what a sensor is of.
struct SensorFrame {
  Pose X_W;
  int body = 0;

  Vec3 to_local(const Vec3& v_W) const { return X_W.q.conjugate() * v_W; }
  Vec3 axis(int k) const { return X_W.q * Vec3::Unit(k); }
};

SensorFrame frame_of(const SensorMoment& moment, SensorObject type, int id) {
  const Model& model = moment.model;
  const Derived& d = moment.d;
  switch (type) {
    case SensorObject::site:
      return {site_pose(model, d, id), model.sites[at(id)].body};
    case SensorObject::geom:
      return {geom_pose(model, d, id), model.geoms[at(id)].body};
    case SensorObject::body:
      return {d.body_pose[at(id)], id};
    case SensorObject::inertial: {
      const Body& body = model.bodies[at(id)];
      return {d.body_pose[at(id)] * Pose{body.mass.com, Quat(body.fluid_axes)}, id};
    }
    default:
      return {};  // the world
  }
}

// All bodies from the root of a subtree down.
struct Subtree {
  double mass = 0;
  Vec3 com = Vec3::Zero(), velocity = Vec3::Zero(), angular = Vec3::Zero();  // about com
};

template <class F>
void for_subtree(const Model& model, int root, F&& f) {
  for (int b = root; b < model.nbody(); ++b) {
    if (b > root && model.bodies[at(b)].depth <= model.bodies[at(root)].depth) return;
    f(b, model.bodies[at(b)].mass);
  }
}

Subtree subtree(const SensorMoment& moment, const BodyMotion& motion, int root) {
  const Derived& d = moment.d;
  Subtree s;
  for_subtree(moment.model, root, [&](int b, const MassProperties& m) {
    const Vec3 com = d.body_pose[at(b)] * m.com;
    s.mass += m.mass;
    s.com += m.mass * com;
    s.velocity += m.mass * motion.velocity(moment, b, com).lin;
  });
  if (s.mass == 0) return {.com = d.body_pose[at(root)].p};
  s.com /= s.mass;
  s.velocity /= s.mass;
  for_subtree(moment.model, root, [&](int b, const MassProperties& m) {
    const Vec3 com = d.body_pose[at(b)] * m.com;
    const Spatial v = motion.velocity(moment, b, com);
    const Mat3& R = d.body_rotation[at(b)];
    s.angular += (com - s.com).cross(m.mass * (v.lin - s.velocity)) +
                 R * (m.inertia * (R.transpose() * v.ang));
  });
  return s;
}

// Of a limit that is nearer than its margin, the distance to the margin or its rate; else 0.
double limit_value(const Range& range, double margin, double value, double rate, bool of_rate) {
  for (const auto& [gap, sign] : {std::pair{value - range[0], 1.0}, {range[1] - value, -1.0}})
    if (gap < margin) return of_rate ? sign * rate : gap - margin;
  return 0;
}

class SensorValue {
  using Kind = SensorKind;

 public:
  SensorValue(const Sensor& sensor, const SensorMoment& moment, const BodyMotion& motion)
      : s_(sensor), m_(moment), motion_(motion) {}

  void write(std::span<double> out) const {
    if (s_.size == 1)
      out[0] = number();
    else if (s_.size == 4)
      write_quaternion(out);
    else
      Eigen::Map<Vec3>(out.data()) = vector();
  }

 private:
  SensorFrame frame() const { return frame_of(m_, s_.type, s_.object); }
  SensorFrame reference() const { return frame_of(m_, s_.ref_type, s_.ref); }
  const Joint& joint() const { return m_.model.joints[at(s_.object)]; }

  double number() const {
    switch (s_.kind) {
      case Kind::touch:
        return touch_force(m_, s_.object);
      case Kind::rangefinder:
        return range();
      case Kind::e_potential:
        return potential_energy(m_.model, m_.state, m_.d);
      case Kind::e_kinetic:
        return energy(m_.model, m_.state, m_.d).kinetic;
      case Kind::clock:
        return m_.state.time;
      case Kind::actuatorpos:
        return m_.d.actuator_length[at(s_.object)];
      case Kind::actuatorvel:
        return m_.d.actuator_velocity[at(s_.object)];
      case Kind::actuatorfrc:
        return m_.d.actuator_force[at(s_.object)];
      default:
        return s_.type == SensorObject::joint ? of_joint() : of_tendon();
    }
  }

  double of_joint() const {
    const double q = m_.state.q[at(joint().q)], v = m_.state.v[at(joint().dof)];
    switch (s_.kind) {
      case Kind::jointpos:
        return q;
      case Kind::jointvel:
        return v;
      case Kind::jointactuatorfrc:
        return m_.d.actuation[at(joint().dof)];
      default:
        if (!joint().limited) return 0;
        return limit_value(joint().range, joint().margin, q, v, s_.kind == Kind::jointlimitvel);
    }
  }

  double of_tendon() const {
    const Tendon& tendon = m_.model.tendons[at(s_.object)];
    const double length = m_.d.tendon_length[at(s_.object)],
                 rate = m_.d.tendon_velocity[at(s_.object)];
    switch (s_.kind) {
      case Kind::tendonpos:
        return length;
      case Kind::tendonvel:
        return rate;
      case Kind::tendonactuatorfrc:
        return tendon_actuation();
      default:
        if (!tendon.limited) return 0;
        return limit_value(tendon.range, tendon.margin, length, rate,
                           s_.kind == Kind::tendonlimitvel);
    }
  }

  double tendon_actuation() const {
    double sum = 0;
    for (std::size_t i = 0; i < m_.model.actuators.size(); ++i) {
      const Actuator& a = m_.model.actuators[i];
      if (a.transmission == TransmissionType::tendon && a.target == s_.object)
        sum += a.gear[0] * m_.d.actuator_force[i];
    }
    return sum;
  }

  // Along the site's z; -1: nothing is there.
  double range() const {
    const SensorFrame site = frame();
    const RayHit hit = cast_ray(m_.model, m_.d, site.X_W.p, site.axis(2), site.body);
    return hit.geom < 0 ? -1 : hit.distance;
  }

  Vec3 vector() const {
    switch (s_.kind) {
      case Kind::ballangvel:
        return Eigen::Map<const Vec3>(&m_.state.v[at(joint().dof)]);
      case Kind::subtreecom:
        return subtree(m_, motion_, s_.object).com;
      case Kind::subtreelinvel:
        return subtree(m_, motion_, s_.object).velocity;
      case Kind::subtreeangmom:
        return subtree(m_, motion_, s_.object).angular;
      default:
        return s_.type == SensorObject::site && s_.kind < Kind::framepos ? of_site() : of_frame();
    }
  }

  // In the axes of the site.
  Vec3 of_site() const {
    const SensorFrame site = frame();
    const Vec3& p = site.X_W.p;
    switch (s_.kind) {
      case Kind::accelerometer:
        return site.to_local(motion_.acceleration(site.body, p).lin);
      case Kind::velocimeter:
        return site.to_local(motion_.velocity(m_, site.body, p).lin);
      case Kind::gyro:
        return site.to_local(motion_.velocity(m_, site.body, p).ang);
      case Kind::force:
        return site.to_local(motion_.interaction(site.body, p).lin);
      case Kind::torque:
        return site.to_local(motion_.interaction(site.body, p).ang);
      default:
        return site.to_local(m_.model.option.magnetic);
    }
  }

  // In the axes of the reference, and relative to it.
  Vec3 of_frame() const {
    const SensorFrame f = frame(), ref = reference();
    const Vec3& p = f.X_W.p;
    switch (s_.kind) {
      case Kind::framepos:
        return ref.to_local(p - ref.X_W.p);
      case Kind::framexaxis:
        return ref.to_local(f.axis(0));
      case Kind::frameyaxis:
        return ref.to_local(f.axis(1));
      case Kind::framezaxis:
        return ref.to_local(f.axis(2));
      case Kind::framelinacc:
        return motion_.acceleration(f.body, p).lin;
      case Kind::frameangacc:
        return motion_.acceleration(f.body, p).ang;
      default:
        break;
    }
    // the reference carries its axes along
    const Spatial v = motion_.velocity(m_, f.body, p), u = motion_.velocity(m_, ref.body, p);
    return ref.to_local(s_.kind == Kind::frameangvel ? Vec3(v.ang - u.ang) : Vec3(v.lin - u.lin));
  }

  void write_quaternion(std::span<double> out) const {
    Quat q = reference().X_W.q.conjugate() * frame().X_W.q;
    if (s_.kind == Kind::ballquat) {
      const double* ball = &m_.state.q[at(joint().q)];
      q = Quat(ball[0], ball[1], ball[2], ball[3]);
    }
    q.normalize();
    out[0] = q.w();
    Eigen::Map<Vec3>(out.data() + 1) = q.vec();
  }

  const Sensor& s_;
  const SensorMoment& m_;
  const BodyMotion& motion_;
};

}  // namespace

void sensor_value(const Sensor& sensor, const SensorMoment& moment, const BodyMotion& motion,
                  std::span<double> out) {
  SensorValue(sensor, moment, motion).write(out);
}

}  // namespace abut
