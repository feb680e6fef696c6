#include "abut/dynamics/solver_velocity.h"

#include <algorithm>
#include <vector>

#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

Eigen::Map<Vec3> vec(double* p) { return Eigen::Map<Vec3>(p); }
Vec3 vec(const double* p) { return {p[0], p[1], p[2]}; }

}  // namespace

void to_solver_velocity(const Model& model, const Derived& d, std::span<const double> v,
                        std::span<double> u) {
  std::copy(v.begin(), v.end(), u.begin());
  for (const Tree& tree : model.trees) {
    if (!tree.free_body) continue;
    const Link& link = model.links[tree.link_begin];
    const Mat3& R = d.body_rotation[link.body];
    const Vec3 omega = vec(&v[tree.dof_begin + 3]);
    vec(&u[tree.dof_begin]) += R * omega.cross(link.mass.com);
    vec(&u[tree.dof_begin + 3]) = R * omega;
  }
}

void from_solver_velocity(const Model& model, const Derived& d, std::span<const double> u,
                          std::span<double> v) {
  std::copy(u.begin(), u.end(), v.begin());
  for (const Tree& tree : model.trees) {
    if (!tree.free_body) continue;
    const Link& link = model.links[tree.link_begin];
    const Mat3& R = d.body_rotation[link.body];
    const Vec3 omega = R.transpose() * vec(&u[tree.dof_begin + 3]);
    vec(&v[tree.dof_begin]) -= R * omega.cross(link.mass.com);
    vec(&v[tree.dof_begin + 3]) = omega;
  }
}

// As for velocities, plus the acceleration from the rotation of the arm to the centre of mass.
void to_solver_acceleration(const Model& model, const Derived& d, std::span<const double> v,
                            std::span<const double> v_rate, std::span<double> u_rate) {
  to_solver_velocity(model, d, v_rate, u_rate);
  for (const Tree& tree : model.trees) {
    if (!tree.free_body) continue;
    const Link& link = model.links[tree.link_begin];
    const Vec3 omega = vec(&v[tree.dof_begin + 3]);
    vec(&u_rate[tree.dof_begin]) +=
        d.body_rotation[link.body] * omega.cross(omega.cross(link.mass.com));
  }
}

Spatial solver_twist(const Model& model, const Derived& d, std::span<const double> u, int body,
                     const Vec3& p_W) {
  const int link = model.bodies[body].link;
  if (link < 0) return {};
  const Link& l = model.links[link];
  if (model.trees[l.tree].free_body) {
    const Vec3 com = d.body_pose[l.body].p + d.body_rotation[l.body] * l.mass.com;
    const Vec3 omega = vec(&u[l.dof_begin + 3]);
    return {vec(&u[l.dof_begin]) + omega.cross(p_W - com), omega};
  }
  Spatial t;
  for (int i = l.dof_begin + l.dof_count - 1; i >= 0; i = model.dofs[i].parent) t += d.S[i] * u[i];
  return shift_twist(t, p_W - d.tree_point[l.tree]);
}

void displace(const Model& model, const Derived& d, std::span<const double> dp,
              std::span<double> q) {
  advance(model, dp, 1, q);
  for (const Tree& tree : model.trees) {
    if (!tree.free_body) continue;
    const Link& link = model.links[tree.link_begin];
    const int iq = model.joints[model.dofs[tree.dof_begin].joint].q;
    const Pose& X = d.body_pose[link.body];
    const Vec3 com = X * link.mass.com + vec(&dp[tree.dof_begin]);
    Quat r = exp_rotation(vec(&dp[tree.dof_begin + 3])) * X.q;
    r.normalize();
    vec(&q[iq]) = com - r * link.mass.com;
    q[iq + 3] = r.w();
    vec(&q[iq + 4]) = r.vec();
  }
}

}  // namespace abut
