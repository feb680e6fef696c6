#include "abut/constrain/rows/constraint_rows.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Iw^-1 x of a free body, in world axes.
Vec3 over_inertia(const Link& link, const Mat3& R, const Vec3& x) {
  return R * (link.inverse_inertia * (R.transpose() * x));
}

}  // namespace

ConstraintRows::ConstraintRows(const Model& model) : model_(model) {
  for (const Tree& tree : model.trees)
    matrix_.trees.push_back(
        {tree.dof_begin, tree.dof_count, static_cast<int>(matrix_.trees.size())});
}

void ConstraintRows::begin(const Derived& d) {
  d_ = &d;
  matrix_.groups.clear();
  matrix_.J.clear();
}

int ConstraintRows::tree_of(int body) const {
  const int link = model_.bodies[at(body)].link;
  return link < 0 ? -1 : model_.links[at(link)].tree;
}

int ConstraintRows::add(int size, int body_a, int body_b) {
  const int bodies[] = {body_a, body_b};
  return add(size, bodies);
}

int ConstraintRows::add(int size, std::span<const int> bodies) {
  RowGroup g;
  g.row = rows();
  g.size = size;
  for (const int body : bodies) {
    const int tree = tree_of(body);
    if (tree < 0 || std::find(g.tree, g.tree + g.trees, tree) != g.tree + g.trees)
      continue;  // one block serves all bodies of a tree
    assert(g.trees < RowGroup::kMostTrees);
    g.tree[g.trees++] = tree;
  }
  for (int side = 0; side < g.trees; ++side) {
    std::vector<double>& J = matrix_.J;
    g.begin[side] = static_cast<int>(J.size());
    J.resize(J.size() + at(size * matrix_.trees[at(g.tree[side])].size), 0.0);
  }
  matrix_.groups.push_back(g);
  return static_cast<int>(matrix_.groups.size()) - 1;
}

double* ConstraintRows::row_of(int group, int k, int body) {
  const int tree = tree_of(body);
  if (tree < 0) return nullptr;
  const RowGroup& g = matrix_.groups[at(group)];
  int side = 0;
  while (side < g.trees && g.tree[side] != tree) ++side;
  assert(side < g.trees);
  return &matrix_.J[at(g.begin[side] + k * matrix_.trees[at(tree)].size)];
}

void ConstraintRows::add_point(int group, int k, int body, const Vec3& p, const Vec3& direction,
                               double sign) {
  add_twist(group, k, body, p, {sign * direction, Vec3::Zero()});
}

void ConstraintRows::add_twist(int group, int k, int body, const Vec3& p, const Spatial& w) {
  double* J = row_of(group, k, body);
  if (J == nullptr) return;
  matrix_.groups[at(group)].only = -1;
  const Link& l = model_.links[at(model_.bodies[at(body)].link)];
  const Tree& tree = model_.trees[at(l.tree)];
  if (tree.free_body) {
    const Vec3 com = d_->body_pose[at(l.body)].p + d_->body_rotation[at(l.body)] * l.mass.com;
    const Vec3 ang = w.ang + (p - com).cross(w.lin);
    for (int i = 0; i < 3; ++i) {
      J[i] += w.lin[i];
      J[3 + i] += ang[i];
    }
    return;
  }
  const Spatial about = shift_wrench(w, d_->tree_point[at(l.tree)] - p);
  for (int i = l.dof_begin + l.dof_count - 1; i >= 0; i = model_.dofs[at(i)].parent)
    J[i - tree.dof_begin] += abut::dot(d_->S[at(i)], about);
}

void ConstraintRows::add_dof(int group, int k, int dof, double coefficient) {
  const Dof& f = model_.dofs[at(dof)];
  double* J = row_of(group, k, f.body);
  const int local = dof - model_.trees[at(model_.links[at(f.link)].tree)].dof_begin;
  RowGroup& g = matrix_.groups[at(group)];
  const int n = static_cast<int>(matrix_.J.size()) - g.begin[0];
  const bool first =
      g.size == 1 && g.trees == 1 && std::all_of(J, J + n, [](double x) { return x == 0; });
  g.only = first ? local : -1;
  J[local] += coefficient;
}

// x becomes M^-1 x.
void ConstraintRows::over_mass(const Tree& tree, double* x) const {
  if (!tree.free_body) {
    solve_tree(model_, *d_, tree, x);
    return;
  }
  const Link& link = model_.links[at(tree.link_begin)];
  const Vec3 w = over_inertia(link, d_->body_rotation[at(link.body)], {x[3], x[4], x[5]});
  for (int i = 0; i < 3; ++i) {
    x[i] /= link.mass.mass;
    x[3 + i] = w[i];
  }
}

void ConstraintRows::finish() {
  matrix_.MinvJT = matrix_.J;
  if (by_ == InverseBy::factors)
    divide_by_factors();
  else
    divide_one_by_one();
  for (int g = 0; g < static_cast<int>(matrix_.groups.size()); ++g) clear_blind_rows(g);
}

void ConstraintRows::divide_by_factors() {
  waiting_.resize(model_.trees.size());
  for (const RowGroup& g : matrix_.groups)
    for (int side = 0; side < g.trees; ++side) {
      const Tree& tree = model_.trees[at(g.tree[side])];
      for (int k = 0; k < g.size; ++k) {
        double* row = &matrix_.MinvJT[at(g.begin[side] + k * tree.dof_count)];
        if (tree.free_body)
          over_mass(tree, row);
        else
          wait_for_four(g.tree[side], row);
      }
    }
  for (std::size_t t = 0; t < waiting_.size(); ++t) {
    for (int k = 0; k < waiting_[t].count; ++k) over_mass(model_.trees[t], waiting_[t].row[k]);
    waiting_[t].count = 0;
  }
}

void ConstraintRows::divide_one_by_one() {
  inverses_.resize(model_.trees.size());
  inverted_.assign(model_.trees.size(), 0);
  for (const RowGroup& g : matrix_.groups)
    for (int side = 0; side < g.trees; ++side) {
      const std::size_t t = at(g.tree[side]);
      const Tree& tree = model_.trees[t];
      if (!tree.free_body && !inverted_[t]) {
        inverses_[t].set(model_, *d_, tree, by_);
        inverted_[t] = 1;
      }
      for (int k = 0; k < g.size; ++k) {
        double* row = &matrix_.MinvJT[at(g.begin[side] + k * tree.dof_count)];
        if (tree.free_body)
          over_mass(tree, row);
        else
          inverses_[t].solve(row);
      }
    }
}

// Rows of a tree are divided by its mass four at a time.
void ConstraintRows::wait_for_four(int tree, double* row) {
  Waiting& w = waiting_[at(tree)];
  w.row[w.count++] = row;
  if (w.count < 4) return;
  w.count = 0;
  const int n = model_.trees[at(tree)].dof_count;
  four_.resize(at(4 * n));
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < 4; ++r) four_[at(4 * i + r)] = w.row[r][i];
  solve_tree_four(model_, *d_, model_.trees[at(tree)], four_.data());
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < 4; ++r) w.row[r][i] = four_[at(4 * i + r)];
}

// A row that sees rounding and nothing else (the hinges of a planar linkage, out of its plane)
// would ask for an impulse of rounding / rounding. It is made to see nothing at all.
void ConstraintRows::clear_blind_rows(int group) {
  const RowGroup& g = matrix_.groups[at(group)];
  if (g.size < 2) return;
  double most = 0;
  for (int k = 0; k < g.size; ++k) most = std::max(most, matrix_.diagonal(group, k));
  for (int k = 0; k < g.size; ++k) {
    if (matrix_.diagonal(group, k) > kBlindRow * most) continue;
    for (int side = 0; side < g.trees; ++side) {
      const int n = matrix_.trees[at(g.tree[side])].size, i = g.begin[side] + k * n;
      std::fill_n(matrix_.J.begin() + i, n, 0.0);
      std::fill_n(matrix_.MinvJT.begin() + i, n, 0.0);
    }
  }
}

void ConstraintRows::add_inverse_masses(FactoredMatrix& taken) const {
  taken.inverse_mass.clear();
  for (const TreeBlock& tree : taken.trees) {
    const std::size_t begin = taken.inverse_mass.size(), n = at(tree.size);
    taken.inverse_mass.resize(begin + n * n, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      double* row = &taken.inverse_mass[begin + k * n];
      row[k] = 1;
      over_mass(model_.trees[at(tree.id)], row);
    }
  }
}

void ConstraintRows::delassus(BlockRows& A) {
  all_.resize(matrix_.groups.size());
  std::iota(all_.begin(), all_.end(), 0);
  delassus(all_, A);
}

void ConstraintRows::delassus(std::span<const int> of, BlockRows& A) {
  take(of, place_, taken_);
  delassus_.form(taken_, A);
}

}  // namespace abut
