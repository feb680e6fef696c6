#include "abut/dynamics/inverse_slopes.h"

#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"

namespace abut {

int end_of_subtree(const Model& model, int link) {
  int end = link + 1;
  const auto carried = [&](int l) {
    while (l > link) l = model.links[at(l)].parent;
    return l == link;
  };
  while (end < static_cast<int>(model.links.size()) && carried(end)) ++end;
  return end;
}

namespace {

bool same_ball(const Model& model, int j, int i) {
  if (model.dofs[at(j)].joint != model.dofs[at(i)].joint) return false;
  const Joint& joint = model.joints[at(model.dofs[at(j)].joint)];
  if (joint.type == JointType::ball) return true;
  const int first = joint.dof + 3;  // of the rotation of a free joint
  return joint.type == JointType::free && i >= first && j >= first;
}

}  // namespace

bool moves_axis(const Model& model, int j, int i) {
  if (same_ball(model, j, i)) return true;
  while (i > j) i = model.dofs[at(i)].parent;
  return i == j;
}

bool moves_body(const Model& model, int j, int body) {
  const int link = model.bodies[at(body)].link;
  if (link < 0) return false;
  const Link& l = model.links[at(link)];
  return moves_axis(model, j, l.dof_begin + l.dof_count - 1);
}

void add_wrench_slope(const Model& model, const Derived& d, int body, const Vec3& p_W,
                      const Spatial& wrench, int j, const Vec3& dp, double sign,
                      Eigen::Ref<VecX> out) {
  const int link = model.bodies[at(body)].link;
  if (link < 0) return;
  const Link& l = model.links[at(link)];
  const Spatial w = shift_wrench(wrench, d.tree_point[at(l.tree)] - p_W);
  const Vec3 turned = dp.cross(wrench.lin);
  const Spatial S_j = dof_motion(model, d, j);
  for (int i = l.dof_begin + l.dof_count - 1; i >= 0; i = model.dofs[at(i)].parent) {
    const Spatial S = dof_motion(model, d, i);
    double change = S.ang.dot(turned);
    if (i != j && moves_axis(model, j, i)) change += dot(cross_motion(S_j, S), w);
    out[i] += sign * change;
  }
}

InverseSlopes::InverseSlopes(const Model& model)
    : model_(model),
      V_(model.links.size()),
      A_(model.links.size()),
      f_(model.links.size()),
      F_(model.links.size()),
      df_(model.links.size()),
      Vb_(model.dofs.size()),
      Ab_(model.dofs.size()),
      Va_(model.dofs.size()) {}

void InverseSlopes::find(const Derived& d, std::span<const double> v, std::span<const double> a,
                         const Vec3& gravity) {
  tau_.setZero(model_.nv);
  by_q_.setZero(model_.nv, model_.nv);
  by_v_.setZero(model_.nv, model_.nv);
  find_motion(d, v, a, gravity);
  find_forces(d, a);
  for (int j = 0; j < model_.nv; ++j)
    if (!model_.trees[at(model_.links[at(model_.dofs[at(j)].link)].tree)].free_body)
      differentiate(d, j);
}

// As velocities() of model/kinematics.h, with the accelerations of the dofs, joint by joint.
void InverseSlopes::find_motion(const Derived& d, std::span<const double> v,
                                std::span<const double> a, const Vec3& gravity) {
  for (std::size_t l = 0; l < model_.links.size(); ++l) {
    const Link& link = model_.links[l];
    if (model_.trees[at(link.tree)].free_body) continue;
    Spatial V, A;
    A.lin = -gravity;  // an acceleration of the ground upwards
    if (link.parent >= 0) V = V_[at(link.parent)], A = A_[at(link.parent)];
    for (int i = link.dof_begin; i < link.dof_begin + link.dof_count;) {
      int end = i + 1;
      while (end < link.dof_begin + link.dof_count && same_ball(model_, i, end)) ++end;
      const Spatial before = V, rate = A;
      Spatial s;
      for (int k = i; k < end; ++k) s += d.S[at(k)] * v[at(k)], A += d.S[at(k)] * a[at(k)];
      A += cross_motion(V, s);
      V += s;
      for (; i < end; ++i) Vb_[at(i)] = before, Ab_[at(i)] = rate, Va_[at(i)] = V;
    }
    V_[l] = V, A_[l] = A;
  }
}

void InverseSlopes::find_forces(const Derived& d, std::span<const double> a) {
  for (int l = static_cast<int>(model_.links.size()) - 1; l >= 0; --l) F_[at(l)] = {};
  for (int l = static_cast<int>(model_.links.size()) - 1; l >= 0; --l) {
    const Link& link = model_.links[at(l)];
    if (model_.trees[at(link.tree)].free_body) continue;
    const SpatialInertia& I = d.link_inertia[at(l)];
    f_[at(l)] = I * A_[at(l)] + cross_force(V_[at(l)], I * V_[at(l)]);
    F_[at(l)] += f_[at(l)];
    if (link.parent >= 0) F_[at(link.parent)] += F_[at(l)];
    for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i)
      tau_[i] = dot(d.S[at(i)], F_[at(l)]) + model_.dofs[at(i)].armature * a[at(i)];
  }
}

void InverseSlopes::differentiate(const Derived& d, int j) {
  const int first = model_.dofs[at(j)].link, end = end_of_subtree(model_, first);
  const Spatial& S = d.S[at(j)];
  const Spatial& Vb = Vb_[at(j)];
  // by the coordinate
  for (int l = first; l < end; ++l) {
    const SpatialInertia& I = d.link_inertia[at(l)];
    const Spatial& V = V_[at(l)];
    const Spatial moved = V - Vb;
    const Spatial dV = cross_motion(S, moved);
    const Spatial dA =
        cross_motion(S, A_[at(l)] - Ab_[at(j)]) + cross_motion(cross_motion(Vb, S), moved);
    const Spatial p = I * V;
    const Spatial dp = cross_force(S, p) + I * (dV - cross_motion(S, V));
    df_[at(l)] = cross_force(S, I * A_[at(l)]) + I * (dA - cross_motion(S, A_[at(l)])) +
                 cross_force(dV, p) + cross_force(V, dp);
  }
  add_up(d, j, by_q_);
  for (int i = model_.links[at(first)].dof_begin; i < model_.nv; ++i) {
    const int link = model_.dofs[at(i)].link;
    if (link >= end) break;
    if (i != j && moves_axis(model_, j, i))
      by_q_(i, j) += dot(cross_motion(S, d.S[at(i)]), F_[at(link)]);
  }
  // by the velocity
  for (int l = first; l < end; ++l) {
    const SpatialInertia& I = d.link_inertia[at(l)];
    const Spatial& V = V_[at(l)];
    const Spatial dA = cross_motion(Vb, S) + cross_motion(S, V - Va_[at(j)]);
    df_[at(l)] = I * dA + cross_force(S, I * V) + cross_force(V, I * S);
  }
  add_up(d, j, by_v_);
}

// Column j of what df_, of the links that dof j moves, is for every dof.
void InverseSlopes::add_up(const Derived& d, int j, MatX& out) {
  const int first = model_.dofs[at(j)].link, end = end_of_subtree(model_, first);
  Spatial sum;
  for (int l = end - 1; l >= first; --l) {
    const Link& link = model_.links[at(l)];
    for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i)
      out(i, j) += dot(d.S[at(i)], df_[at(l)]);
    if (l > first) df_[at(link.parent)] += df_[at(l)];
  }
  sum = df_[at(first)];
  for (int l = model_.links[at(first)].parent; l >= 0; l = model_.links[at(l)].parent) {
    const Link& link = model_.links[at(l)];
    for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i)
      out(i, j) += dot(d.S[at(i)], sum);
  }
}

}  // namespace abut
