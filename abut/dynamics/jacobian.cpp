#include "abut/dynamics/jacobian.h"

namespace abut {

namespace {

// Calls f(dof, motion) for the dofs that move a body, from the body to the root.
template <typename F>
void for_each_dof(const Model& model, const Derived& d, int body, F&& f) {
  const int link = model.bodies[body].link;
  if (link < 0) return;
  const Link& l = model.links[link];
  for (int i = l.dof_begin + l.dof_count - 1; i >= 0; i = model.dofs[i].parent)
    f(i, dof_motion(model, d, i));
}

}  // namespace

Spatial dof_motion(const Model& model, const Derived& d, int dof) {
  const Link& link = model.links[model.dofs[dof].link];
  if (!model.trees[link.tree].free_body) return d.S[dof];
  const int k = dof - link.dof_begin;
  if (k < 3) return {Vec3::Unit(k), Vec3::Zero()};
  return {Vec3::Zero(), d.body_rotation[link.body].col(k - 3)};
}

void point_jacobian(const Model& model, const Derived& d, int body, const Vec3& p_W,
                    Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>> J) {
  J.setZero();
  if (model.bodies[body].link < 0) return;
  const Vec3 arm = p_W - d.tree_point[model.links[model.bodies[body].link].tree];
  for_each_dof(model, d, body,
               [&](int i, const Spatial& S) { J.col(i) = shift_twist(S, arm).lin; });
}

void body_jacobian(const Model& model, const Derived& d, int body, const Vec3& p_W,
                   Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J) {
  J.setZero();
  if (model.bodies[body].link < 0) return;
  const Vec3 arm = p_W - d.tree_point[model.links[model.bodies[body].link].tree];
  for_each_dof(model, d, body, [&](int i, const Spatial& S) {
    const Spatial s = shift_twist(S, arm);
    J.col(i).head<3>() = s.lin;
    J.col(i).tail<3>() = s.ang;
  });
}

void add_wrench(const Model& model, const Derived& d, int body, const Vec3& p_W,
                const Spatial& wrench, std::span<double> force) {
  if (model.bodies[body].link < 0) return;
  const Vec3& c = d.tree_point[model.links[model.bodies[body].link].tree];
  const Spatial w = shift_wrench(wrench, c - p_W);
  for_each_dof(model, d, body, [&](int i, const Spatial& S) { force[i] += dot(S, w); });
}

void add_tendon_force(const Model& model, const Derived& d, int tendon, double f,
                      std::span<double> force) {
  const Tendon& t = model.tendons[tendon];
  for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k) {
    const TendonTerm& term = model.tendon_terms[k];
    if (term.measure < 0) {
      force[term.dof] += term.coef * f;
      continue;
    }
    const JointMeasure& m = model.measures[term.measure];
    const MeasureNow& now = d.measure[term.measure];
    add_wrench(model, d, m.second, now.p, now.w * (term.coef * f), force);
    add_wrench(model, d, m.first, now.p, now.w * (-term.coef * f), force);
  }
}

void add_link_wrenches(const Model& model, const Derived& d, std::span<Spatial> link_wrench,
                       std::span<double> force) {
  for (int l = static_cast<int>(model.links.size()) - 1; l >= 0; --l) {
    const Link& link = model.links[l];
    const Spatial& w = link_wrench[l];
    if (model.trees[link.tree].free_body) {
      const Vec3 tau = d.body_rotation[link.body].transpose() * w.ang;
      for (int k = 0; k < 3; ++k) {
        force[link.dof_begin + k] += w.lin[k];
        force[link.dof_begin + 3 + k] += tau[k];
      }
      continue;
    }
    for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i)
      force[i] += dot(d.S[i], w);
    if (link.parent >= 0) link_wrench[link.parent] += w;
  }
}

Spatial driven_twist(const Model& model, const Input& input, const Derived& d, int body,
                     const Vec3& p_W) {
  const int root = model.bodies[body].weld;
  const int mocap = model.bodies[root].mocap;
  if (mocap < 0) return {};
  const Vec6& v = input.mocap_velocity[mocap];
  return {v.head<3>() + v.tail<3>().cross(p_W - d.body_pose[root].p), v.tail<3>()};
}

}  // namespace abut
