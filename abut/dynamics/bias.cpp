#include "abut/dynamics/bias.h"

#include "abut/dynamics/free_body.h"

namespace abut {

namespace {

// Wrenches to joint forces, leaves first. Destroys link_wrench.
void project(const Model& model, const Tree& tree, Derived& d, std::span<double> tau) {
  for (int l = tree.link_begin + tree.link_count - 1; l >= tree.link_begin; --l) {
    const Link& link = model.links[l];
    for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i)
      tau[i] = dot(d.S[i], d.link_wrench[l]);
    if (link.parent >= 0) d.link_wrench[link.parent] += d.link_wrench[l];
  }
}

}  // namespace

Vec3 gravity(const Model& model) {
  return model.option.gravity_on ? model.option.gravity : Vec3::Zero();
}

void bias_forces(const Model& model, const State& state, Derived& d) {
  const Vec3 g = gravity(model);
  for (const Tree& tree : model.trees) {
    if (tree.free_body) {
      const Link& link = model.links[tree.link_begin];
      free_body::bias(link, d.body_rotation[link.body], g, &state.v[tree.dof_begin],
                      &d.bias[tree.dof_begin]);
      continue;
    }
    for (int l = tree.link_begin; l < tree.link_begin + tree.link_count; ++l) {
      Spatial A = d.link_bias[l];
      A.lin -= g;  // gravity is an acceleration of the ground upwards
      const SpatialInertia& I = d.link_inertia[l];
      d.link_wrench[l] = I * A + cross_force(d.link_twist[l], I * d.link_twist[l]);
    }
    project(model, tree, d, d.bias);
  }
}

void inverse_dynamics(const Model& model, const State& state, Derived& d,
                      std::span<const double> acceleration, std::span<double> tau) {
  const Vec3 g = gravity(model);
  for (const Tree& tree : model.trees) {
    if (tree.free_body) {
      const Link& link = model.links[tree.link_begin];
      const Mat3& R = d.body_rotation[link.body];
      const int i = tree.dof_begin;
      free_body::bias(link, R, g, &state.v[i], &tau[i]);
      const Vec3 a(acceleration[i], acceleration[i + 1], acceleration[i + 2]);
      const Vec3 alpha(acceleration[i + 3], acceleration[i + 4], acceleration[i + 5]);
      // M v' from Newton at the centre of mass
      const Vec3 f = link.mass.mass * (R.transpose() * a + alpha.cross(link.mass.com));
      const Vec3 t = link.mass.inertia * alpha + link.mass.com.cross(f);
      const Vec3 f_W = R * f;
      for (int k = 0; k < 3; ++k) {
        tau[i + k] += f_W[k];
        tau[i + 3 + k] += t[k];
      }
      continue;
    }
    // accelerations are kept where articulated dynamics keeps its own
    for (int l = tree.link_begin; l < tree.link_begin + tree.link_count; ++l) {
      const Link& link = model.links[l];
      Spatial A;  // of the dofs alone
      if (link.parent >= 0) A = d.link_acceleration[link.parent];
      for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i)
        A += d.S[i] * acceleration[i];
      d.link_acceleration[l] = A;
      A += d.link_bias[l];
      A.lin -= g;
      const SpatialInertia& I = d.link_inertia[l];
      d.link_wrench[l] = I * A + cross_force(d.link_twist[l], I * d.link_twist[l]);
    }
    project(model, tree, d, tau);
    for (int i = tree.dof_begin; i < tree.dof_begin + tree.dof_count; ++i)
      tau[i] += model.dofs[i].armature * acceleration[i];
  }
}

}  // namespace abut
