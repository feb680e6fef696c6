#include "abut/model/kinematics.h"

#include "abut/math/rotation.h"
#include "abut/model/tolerances.h"

namespace abut {

namespace {

// Unit quaternion from four numbers wxyz of q; they drift from unit length by rounding.
Quat read_quat(const double* q) {
  const double n2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (std::abs(n2 - 1) < kUnitQuaternion) return {q[0], q[1], q[2], q[3]};
  if (n2 < kNoQuaternion) return Quat::Identity();
  const double s = 1 / std::sqrt(n2);
  return {q[0] * s, q[1] * s, q[2] * s, q[3] * s};
}

void write_quat(const Quat& r, double* q) {
  q[0] = r.w();
  q[1] = r.x();
  q[2] = r.y();
  q[3] = r.z();
}

Vec3 read_vec(const double* p) { return {p[0], p[1], p[2]}; }

// Moves a body's pose by its joints, one after the other, and records where each joint was before
// it moved.
void apply_joints(const Model& model, const Body& body, const double* q, Pose& X, Mat3& R,
                  Derived& d) {
  for (int j = body.joint_begin; j < body.joint_begin + body.joint_count; ++j) {
    const Joint& joint = model.joints[j];
    const double* qj = q + joint.q;
    if (joint.type == JointType::free) {
      X = {read_vec(qj), read_quat(qj + 3)};
      R = X.q.toRotationMatrix();
      d.joint_anchor[j] = X.p;
      d.joint_axis[j] = R.col(2);
      for (int k = 0; k < 3; ++k) d.S[joint.dof + 3 + k].ang = R.col(k);
      continue;
    }
    const Vec3 anchor = X.p + R * joint.pos;
    const Vec3 axis = R * joint.axis;
    d.joint_anchor[j] = anchor;
    d.joint_axis[j] = axis;
    if (joint.type == JointType::slide) {
      X.p += axis * (qj[0] - joint.ref);
      continue;
    }
    if (joint.type == JointType::hinge) {
      const double half = 0.5 * (qj[0] - joint.ref);
      const double s = std::sin(half);
      X.q = X.q * Quat(std::cos(half), s * joint.axis.x(), s * joint.axis.y(), s * joint.axis.z());
    } else {
      X.q = X.q * read_quat(qj);
    }
    R = X.q.toRotationMatrix();
    X.p = anchor - R * joint.pos;
    // a ball's axes are those of the frame that it has just rotated; later joints of the same body
    // move relative to this frame (MuJoCo uses the body's final axes, docs/decisions.md)
    if (joint.type == JointType::ball)
      for (int k = 0; k < 3; ++k) d.S[joint.dof + k].ang = R.col(k);
  }
}

// Motion subspace of a link's dofs about the tree's point c. The axes of balls are already set.
void motion_subspace(const Model& model, const Link& link, const Vec3& c, Derived& d) {
  const Body& body = model.bodies[link.body];
  for (int j = body.joint_begin; j < body.joint_begin + body.joint_count; ++j) {
    const Joint& joint = model.joints[j];
    Spatial* S = &d.S[joint.dof];
    const Vec3 arm = c - d.joint_anchor[j];
    switch (joint.type) {
      case JointType::slide:
        S[0] = {d.joint_axis[j], Vec3::Zero()};
        break;
      case JointType::hinge:
        S[0] = {d.joint_axis[j].cross(arm), d.joint_axis[j]};
        break;
      case JointType::free:
        for (int k = 0; k < 3; ++k) S[k] = {Vec3::Unit(k), Vec3::Zero()};
        S += 3;
        [[fallthrough]];
      case JointType::ball:
        for (int k = 0; k < 3; ++k) S[k].lin = S[k].ang.cross(arm);
        break;
    }
  }
}

}  // namespace

Derived::Derived(const Model& model)
    : body_pose(model.bodies.size()),
      body_rotation(model.bodies.size(), Mat3::Identity()),
      joint_anchor(model.joints.size(), Vec3::Zero()),
      joint_axis(model.joints.size(), Vec3::UnitZ()),
      tree_point(model.trees.size(), Vec3::Zero()),
      S(model.dofs.size()),
      link_inertia(model.links.size()),
      measure(model.measures.size()),
      tendon_length(model.tendons.size(), 0.0),
      link_twist(model.links.size()),
      link_bias(model.links.size()),
      tendon_velocity(model.tendons.size(), 0.0),
      bias(model.dofs.size(), 0.0),
      passive(model.dofs.size(), 0.0),
      actuation(model.dofs.size(), 0.0),
      applied(model.dofs.size(), 0.0),
      tau(model.dofs.size(), 0.0),
      actuator_force(model.actuators.size(), 0.0),
      actuator_length(model.actuators.size(), 0.0),
      actuator_velocity(model.actuators.size(), 0.0),
      act_rate(model.na, 0.0),
      tendon_inertia(model.tendons.size(), 0.0),
      M(model.M_col.size(), 0.0),
      acceleration(model.dofs.size(), 0.0),
      composite(model.links.size()),
      link_wrench(model.links.size()),
      link_acceleration(model.links.size()),
      LTL(model.M_col.size(), 0.0),
      articulated(model.links.size()),
      dof_U(model.dofs.size()),
      dof_Dinv(model.dofs.size(), 0.0),
      dof_u(model.dofs.size(), 0.0) {}

void positions(const Model& model, const State& state, const Input& input, Derived& d) {
  const double* q = state.q.data();

  // poses, parents first
  d.body_pose[0] = {};
  d.body_rotation[0].setIdentity();
  for (int b = 1; b < model.nbody(); ++b) {
    const Body& body = model.bodies[b];
    Pose& X = d.body_pose[b];
    Mat3& R = d.body_rotation[b];
    if (body.mocap >= 0) {
      X = input.mocap[body.mocap];
      X.q.normalize();
      R = X.q.toRotationMatrix();
      continue;
    }
    const bool is_free =
        body.joint_count == 1 && model.joints[body.joint_begin].type == JointType::free;
    if (!is_free) {
      const Pose& P = d.body_pose[body.parent];
      X.p = P.p + d.body_rotation[body.parent] * body.pose.p;
      X.q = P.q * body.pose.q;
      R = X.q.toRotationMatrix();
    }
    if (body.joint_count > 0) apply_joints(model, body, q, X, R, d);
  }

  // spatial quantities of the trees; a free body needs none of them
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    const Tree& tree = model.trees[t];
    const Vec3 c = d.body_pose[model.links[tree.link_begin].body].p;
    d.tree_point[t] = c;
    if (tree.free_body) continue;
    for (int l = tree.link_begin; l < tree.link_begin + tree.link_count; ++l) {
      const Link& link = model.links[l];
      motion_subspace(model, link, c, d);
      const Mat3& R = d.body_rotation[link.body];
      d.link_inertia[l] =
          SpatialInertia::about(link.mass.mass, d.body_pose[link.body].p - c + R * link.mass.com,
                                R * link.mass.inertia * R.transpose());
    }
  }

  for (std::size_t i = 0; i < model.measures.size(); ++i) {
    const JointMeasure& m = model.measures[i];
    d.measure[i] = abut::measure(m, d.body_pose[m.first] * m.frame, d.body_pose[m.second] * m.other,
                                 state.turn[i]);
  }
  for (std::size_t t = 0; t < model.tendons.size(); ++t) {
    const Tendon& tendon = model.tendons[t];
    double length = 0;
    for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k)
      length += model.tendon_terms[k].coef * (model.tendon_terms[k].measure < 0
                                                  ? q[model.tendon_terms[k].q]
                                                  : d.measure[model.tendon_terms[k].measure].value);
    d.tendon_length[t] = length;
  }
}

void velocities(const Model& model, const State& state, Derived& d) {
  const double* v = state.v.data();
  for (std::size_t l = 0; l < model.links.size(); ++l) {
    const Link& link = model.links[l];
    Spatial V, A;
    if (link.parent >= 0) {
      V = d.link_twist[link.parent];
      A = d.link_bias[link.parent];
    }
    if (model.trees[link.tree].free_body) {
      // about the body's own origin: linear dofs are its velocity, angular ones are in
      // the body's axes
      const double* u = v + link.dof_begin;
      V.lin = read_vec(u);
      V.ang = d.body_rotation[link.body] * read_vec(u + 3);
      A.lin = V.lin.cross(V.ang);
      d.link_twist[l] = V;
      d.link_bias[l] = A;
      continue;
    }
    // Each joint's axes move with the joints before it, so its acceleration at v' = 0 is V x S v
    // with the V before the joint.
    const Body& body = model.bodies[link.body];
    for (int j = body.joint_begin; j < body.joint_begin + body.joint_count; ++j) {
      const Joint& joint = model.joints[j];
      int dof = joint.dof;
      if (joint.type == JointType::hinge || joint.type == JointType::slide) {
        const Spatial s = d.S[dof] * v[dof];
        A += cross_motion(V, s);
        V += s;
        continue;
      }
      if (joint.type == JointType::free) {
        V.lin += read_vec(v + dof);
        dof += 3;
      }
      const Spatial s = d.S[dof] * v[dof] + d.S[dof + 1] * v[dof + 1] + d.S[dof + 2] * v[dof + 2];
      A += cross_motion(V, s);
      V += s;
    }
    d.link_twist[l] = V;
    d.link_bias[l] = A;
  }

  for (std::size_t t = 0; t < model.tendons.size(); ++t) {
    const Tendon& tendon = model.tendons[t];
    double rate = 0;
    for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k)
      rate += model.tendon_terms[k].coef *
              (model.tendon_terms[k].measure < 0
                   ? v[model.tendon_terms[k].dof]
                   : measure_rate(model, d, model.tendon_terms[k].measure));
    d.tendon_velocity[t] = rate;
  }
}

double measure_rate(const Model& model, const Derived& d, int index) {
  const JointMeasure& m = model.measures[index];
  const MeasureNow& now = d.measure[index];
  return dot(now.w, twist_at(model, d, model.bodies[m.second].link, now.p)) -
         dot(now.w, twist_at(model, d, model.bodies[m.first].link, now.p));
}

Spatial twist_at(const Model& model, const Derived& d, int link, const Vec3& p_W) {
  if (link < 0) return {};
  return shift_twist(d.link_twist[link], p_W - d.tree_point[model.links[link].tree]);
}

void advance(const Model& model, std::span<const double> v, double h, std::span<double> q) {
  for (const Joint& joint : model.joints) {
    double* x = &q[joint.q];
    const double* u = &v[joint.dof];
    switch (joint.type) {
      case JointType::hinge:
      case JointType::slide:
        x[0] += h * u[0];
        break;
      case JointType::free:
        for (int k = 0; k < 3; ++k) x[k] += h * u[k];
        x += 3;
        u += 3;
        [[fallthrough]];
      case JointType::ball: {
        Quat r = read_quat(x);
        turn(r, read_vec(u), h);
        write_quat(r, x);
        break;
      }
    }
  }
}

void difference(const Model& model, std::span<const double> from, std::span<const double> to,
                std::span<double> v) {
  for (const Joint& joint : model.joints) {
    const double* a = &from[joint.q];
    const double* b = &to[joint.q];
    double* u = &v[joint.dof];
    switch (joint.type) {
      case JointType::hinge:
      case JointType::slide:
        u[0] = b[0] - a[0];
        break;
      case JointType::free:
        for (int k = 0; k < 3; ++k) u[k] = b[k] - a[k];
        a += 3;
        b += 3;
        u += 3;
        [[fallthrough]];
      case JointType::ball: {
        const Vec3 r = log_rotation(read_quat(a).conjugate() * read_quat(b));
        for (int k = 0; k < 3; ++k) u[k] = r[k];
        break;
      }
    }
  }
}

void normalize(const Model& model, std::span<double> q) {
  for (const Joint& joint : model.joints) {
    if (joint.type == JointType::free) write_quat(read_quat(&q[joint.q + 3]), &q[joint.q + 3]);
    if (joint.type == JointType::ball) write_quat(read_quat(&q[joint.q]), &q[joint.q]);
  }
}

}  // namespace abut
