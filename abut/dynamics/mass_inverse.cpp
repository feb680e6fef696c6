#include "abut/dynamics/mass_inverse.h"

#include "abut/dynamics/articulated_inertia.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/math/index.h"

namespace abut {

void MassInverse::set(const Model& model, const Derived& d, const Tree& tree, InverseBy by) {
  model_ = &model;
  d_ = &d;
  tree_ = &tree;
  by_ = by;
  if (by == InverseBy::factors) return;
  find_extra();
  if (by == InverseBy::unit_forces)
    find_inertias();
  else
    find_inverse();
}

void MassInverse::solve(double* x) {
  switch (by_) {
    case InverseBy::factors:
      return solve_tree(*model_, *d_, *tree_, x);
    case InverseBy::unit_forces:
      return answer_test_force(x);
    case InverseBy::operational_space: {
      Eigen::Map<VecX> all(x, tree_->dof_count);
      row_.noalias() = full_ * all;
      all = row_;
      return;
    }
  }
}

// The diagonal of L'DL less that of M. Rows of LTL have L, and 1 / D in the last place.
void MassInverse::find_extra() {
  const int begin = tree_->dof_begin, end = begin + tree_->dof_count;
  extra_.assign(at(tree_->dof_count), 0.0);
  for (int i = begin; i < end; ++i) {
    const int first = model_->M_row[at(i)], last = model_->M_row[at(i + 1)] - 1;
    const double D = 1 / d_->LTL[at(last)];
    extra_[at(i - begin)] += D - d_->M[at(last)];
    for (int k = first; k < last; ++k) {
      const double L = d_->LTL[at(k)];
      extra_[at(model_->M_col[at(k)] - begin)] += L * L * D;
    }
  }
}

// Leaves to root, as articulated_acceleration() has it.
void MassInverse::find_inertias() {
  const int links = tree_->link_count, begin = tree_->link_begin, dof = tree_->dof_begin;
  inertia_.resize(at(links));
  wrench_.resize(at(links));
  acceleration_.resize(at(links));
  U_.resize(at(tree_->dof_count));
  inverse_D_.resize(at(tree_->dof_count));
  u_.resize(at(tree_->dof_count));
  for (int l = 0; l < links; ++l)
    articulated::expand(d_->link_inertia[at(begin + l)], inertia_[at(l)]);
  for (int l = links - 1; l >= 0; --l) {
    const Link& link = model_->links[at(begin + l)];
    for (int i = link.dof_begin + link.dof_count - 1; i >= link.dof_begin; --i)
      inverse_D_[at(i - dof)] =
          articulated::release(d_->S[at(i)], model_->dofs[at(i)].armature, extra_[at(i - dof)],
                               inertia_[at(l)], U_[at(i - dof)]);
    if (link.parent < 0) continue;
    double* parent = inertia_[at(link.parent - begin)].a;
    for (int k = 0; k < 36; ++k) parent[k] += inertia_[at(l)].a[k];
  }
}

void MassInverse::answer_test_force(double* x) {
  const int links = tree_->link_count, begin = tree_->link_begin, dof = tree_->dof_begin;
  for (int l = 0; l < links; ++l) wrench_[at(l)] = Spatial();
  for (int l = links - 1; l >= 0; --l) {
    const Link& link = model_->links[at(begin + l)];
    Spatial& p = wrench_[at(l)];
    for (int i = link.dof_begin + link.dof_count - 1; i >= link.dof_begin; --i) {
      const std::size_t k = at(i - dof);
      u_[k] = x[i - dof] - dot(d_->S[at(i)], p);
      p += U_[k] * (u_[k] * inverse_D_[k]);
    }
    if (link.parent >= 0) wrench_[at(link.parent - begin)] += p;
  }
  for (int l = 0; l < links; ++l) {
    const Link& link = model_->links[at(begin + l)];
    Spatial& A = acceleration_[at(l)];
    A = link.parent >= 0 ? acceleration_[at(link.parent - begin)] : Spatial();
    for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i) {
      const std::size_t k = at(i - dof);
      x[i - dof] = (u_[k] - dot(U_[k], A)) * inverse_D_[k];
      A += d_->S[at(i)] * x[i - dof];
    }
  }
}

void MassInverse::find_inverse() {
  const int n = tree_->dof_count, begin = tree_->dof_begin;
  full_.setZero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int k = model_->M_row[at(begin + i)]; k < model_->M_row[at(begin + i + 1)]; ++k) {
      const int j = model_->M_col[at(k)] - begin;
      full_(i, j) = full_(j, i) = d_->M[at(k)];
    }
    full_(i, i) += extra_[at(i)];
  }
  cholesky_.compute(full_);
  full_.setIdentity();
  cholesky_.solveInPlace(full_);
}

}  // namespace abut
