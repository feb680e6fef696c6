#include "abut/dynamics/articulated.h"

#include "abut/dynamics/articulated_inertia.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/free_body.h"

namespace abut {

namespace {

using Inertia = Derived::ArticulatedInertia;

// With `again` inertias, U and D are those of the last call: they depend on the poses alone.
template <bool again>
void tree_acceleration(const Model& model, const Tree& tree, std::span<const double> tau,
                       [[maybe_unused]] std::span<const double> extra, Derived& d,
                       std::span<double> acceleration) {
  const Vec3 g = gravity(model);
  const int begin = tree.link_begin, end = tree.link_begin + tree.link_count;

  // velocity-product wrench of each link alone
  for (int l = begin; l < end; ++l) {
    if constexpr (!again) articulated::expand(d.link_inertia[l], d.articulated[l]);
    d.link_wrench[l] = cross_force(d.link_twist[l], d.link_inertia[l] * d.link_twist[l]);
  }

  // leaves to root: articulated inertias and bias wrenches
  for (int l = end - 1; l >= begin; --l) {
    const Link& link = model.links[l];
    Inertia& I = d.articulated[l];
    Spatial& p = d.link_wrench[l];
    for (int i = link.dof_begin + link.dof_count - 1; i >= link.dof_begin; --i) {
      d.dof_u[i] = tau[i] - dot(d.S[i], p);
      if constexpr (!again) {
        const double added = extra.empty() ? 0 : extra[i];
        d.dof_Dinv[i] = articulated::release(d.S[i], model.dofs[i].armature, added, I, d.dof_U[i]);
      }
      p += d.dof_U[i] * (d.dof_u[i] * d.dof_Dinv[i]);
    }
    if (link.parent < 0) continue;
    // acceleration that the link's joints have at v' = 0
    p += articulated::times(I, d.link_bias[l] - d.link_bias[link.parent]);
    d.link_wrench[link.parent] += p;
    if constexpr (again) continue;
    double* parent = d.articulated[link.parent].a;
    for (int k = 0; k < 36; ++k) parent[k] += I.a[k];
  }

  // root to leaves: accelerations
  for (int l = begin; l < end; ++l) {
    const Link& link = model.links[l];
    Spatial A;
    if (link.parent >= 0) {
      A = d.link_acceleration[link.parent] + (d.link_bias[l] - d.link_bias[link.parent]);
    } else {
      A = d.link_bias[l];
      A.lin -= g;
    }
    for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i) {
      acceleration[i] = (d.dof_u[i] - dot(d.dof_U[i], A)) * d.dof_Dinv[i];
      A += d.S[i] * acceleration[i];
    }
    d.link_acceleration[l] = A;
  }
}

template <bool again>
void acceleration_of_all(const Model& model, std::span<const double> v, std::span<const double> tau,
                         std::span<const double> extra, Derived& d,
                         std::span<double> acceleration) {
  const Vec3 g = gravity(model);
  for (const Tree& tree : model.trees) {
    if (!tree.free_body) {
      tree_acceleration<again>(model, tree, tau, extra, d, acceleration);
      continue;
    }
    const Link& link = model.links[tree.link_begin];
    const Mat3& R = d.body_rotation[link.body];
    const int i = tree.dof_begin;
    double* x = &acceleration[i];
    free_body::bias(link, R, g, &v[i], x);
    for (int k = 0; k < 6; ++k) x[k] = tau[i + k] - x[k];
    free_body::solve(link, R, x);
  }
}

}  // namespace

void articulated_acceleration(const Model& model, std::span<const double> v,
                              std::span<const double> tau, std::span<const double> extra,
                              Derived& d, std::span<double> acceleration) {
  acceleration_of_all<false>(model, v, tau, extra, d, acceleration);
}

void articulated_acceleration_again(const Model& model, std::span<const double> v,
                                    std::span<const double> tau, Derived& d,
                                    std::span<double> acceleration) {
  acceleration_of_all<true>(model, v, tau, {}, d, acceleration);
}

}  // namespace abut
