#include "abut/dynamics/constraint_rows.h"

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

double dot(const double* x, const double* y, int n) {
  double sum = 0;
  // free bodies, without a loop
  if (n == 6) {
    for (int i = 0; i < 6; ++i) sum += x[i] * y[i];
    return sum;
  }
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

ConstraintRows::ConstraintRows(const Model& model) : model_(model), of_tree_(model.trees.size()) {}

void ConstraintRows::begin(const Derived& d) {
  d_ = &d;
  groups_.clear();
  J_.clear();
  rows_ = 0;
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
  g.row = rows_;
  g.size = size;
  for (const int body : bodies) {
    const int tree = tree_of(body);
    if (tree < 0 || std::find(g.tree, g.tree + g.trees, tree) != g.tree + g.trees)
      continue;  // one block serves all bodies of a tree
    assert(g.trees < RowGroup::kMostTrees);
    g.tree[g.trees++] = tree;
  }
  for (int side = 0; side < g.trees; ++side) {
    g.begin[side] = static_cast<int>(J_.size());
    J_.resize(J_.size() + at(size * dofs_of(g.tree[side])), 0.0);
  }
  rows_ += size;
  groups_.push_back(g);
  return static_cast<int>(groups_.size()) - 1;
}

double* ConstraintRows::row_of(int group, int k, int body) {
  const int tree = tree_of(body);
  if (tree < 0) return nullptr;
  const RowGroup& g = groups_[at(group)];
  int side = 0;
  while (side < g.trees && g.tree[side] != tree) ++side;
  assert(side < g.trees);
  return jacobian(g, side, k);
}

void ConstraintRows::add_point(int group, int k, int body, const Vec3& p, const Vec3& direction,
                               double sign) {
  add_twist(group, k, body, p, {sign * direction, Vec3::Zero()});
}

void ConstraintRows::add_twist(int group, int k, int body, const Vec3& p, const Spatial& w) {
  double* J = row_of(group, k, body);
  if (J == nullptr) return;
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
  J[dof - model_.trees[at(model_.links[at(f.link)].tree)].dof_begin] += coefficient;
}

void ConstraintRows::finish() {
  MinvJT_ = J_;
  for (const RowGroup& g : groups_)
    for (int side = 0; side < g.trees; ++side) {
      const Tree& tree = model_.trees[at(g.tree[side])];
      for (int k = 0; k < g.size; ++k) {
        double* x = &MinvJT_[at(g.begin[side] + k * tree.dof_count)];
        if (!tree.free_body) {
          solve_tree(model_, *d_, tree, x);
          continue;
        }
        const Link& link = model_.links[at(tree.link_begin)];
        const Vec3 w = over_inertia(link, d_->body_rotation[at(link.body)], {x[3], x[4], x[5]});
        for (int i = 0; i < 3; ++i) {
          x[i] /= link.mass.mass;
          x[3 + i] = w[i];
        }
      }
    }
  for (const RowGroup& g : groups_) clear_blind_rows(g);
}

// A row that consists of rounding alone (the hinges of a planar linkage, out of its plane) would
// need an impulse of rounding / rounding. It is set to zero.
void ConstraintRows::clear_blind_rows(const RowGroup& g) {
  if (g.size < 2) return;
  const auto seen = [&](int k) {  // of J M^-1 J'
    double sum = 0;
    for (int side = 0; side < g.trees; ++side) {
      const int n = dofs_of(g.tree[side]), i = g.begin[side] + k * n;
      if (n > 0) sum += dot(&J_[at(i)], &MinvJT_[at(i)], n);
    }
    return sum;
  };
  double most = 0;
  for (int k = 0; k < g.size; ++k) most = std::max(most, seen(k));
  for (int k = 0; k < g.size; ++k) {
    if (seen(k) > kBlindRow * most) continue;
    for (int side = 0; side < g.trees; ++side) {
      const int n = dofs_of(g.tree[side]), i = g.begin[side] + k * n;
      std::fill_n(J_.begin() + i, n, 0.0);
      std::fill_n(MinvJT_.begin() + i, n, 0.0);
    }
  }
}

void ConstraintRows::velocities(std::span<const double> u, std::span<double> out) const {
  for (const RowGroup& g : groups_)
    for (int k = 0; k < g.size; ++k) {
      double sum = 0;
      for (int side = 0; side < g.trees; ++side) {
        const Tree& tree = model_.trees[at(g.tree[side])];
        sum += dot(&J_[at(g.begin[side] + k * tree.dof_count)], &u[at(tree.dof_begin)],
                   tree.dof_count);
      }
      out[at(g.row + k)] = sum;
    }
}

namespace {

// x += B' p of every group, B being J or (M^-1 J')'.
void add_transposed(const Model& model, std::span<const RowGroup> groups,
                    const std::vector<double>& B, std::span<const double> p, std::span<double> x) {
  for (const RowGroup& g : groups)
    for (int k = 0; k < g.size; ++k) {
      const double pk = p[at(g.row + k)];
      if (pk == 0) continue;
      for (int side = 0; side < g.trees; ++side) {
        const Tree& tree = model.trees[at(g.tree[side])];
        const double* row = &B[at(g.begin[side] + k * tree.dof_count)];
        for (int i = 0; i < tree.dof_count; ++i) x[at(tree.dof_begin + i)] += pk * row[i];
      }
    }
}

}  // namespace

void ConstraintRows::add_impulses(std::span<const double> p, std::span<double> u) const {
  add_transposed(model_, groups_, MinvJT_, p, u);
}

void ConstraintRows::add_forces(std::span<const double> p, std::span<double> f) const {
  add_transposed(model_, groups_, J_, p, f);
}

void ConstraintRows::delassus(BlockRows& A) {
  all_.resize(groups_.size());
  std::iota(all_.begin(), all_.end(), 0);
  delassus(all_, A);
}

void ConstraintRows::delassus(std::span<const int> of, BlockRows& A) {
  A.clear();
  // the groups of each tree, by index in `of`
  const auto for_each_side = [&](int i, auto&& f) {
    const RowGroup& g = groups_[at(of[at(i)])];
    for (int side = 0; side < g.trees; ++side) f(g, side);
  };
  const int n = static_cast<int>(of.size());
  // columns_ begins with the next block right of the diagonal of each row, to be mirrored
  columns_.resize(of.size());
  for (int i = 0; i < n; ++i)
    for_each_side(i, [&](const RowGroup& g, int side) { of_tree_[at(g.tree[side])].push_back(i); });

  for (int i = 0; i < n; ++i) {
    columns_.resize(of.size());
    columns_.push_back(i);
    for_each_side(i, [&](const RowGroup& g, int side) {
      const std::vector<int>& who = of_tree_[at(g.tree[side])];
      columns_.insert(columns_.end(), who.begin(), who.end());
    });
    std::sort(columns_.begin() + n, columns_.end());
    columns_.erase(std::unique(columns_.begin() + n, columns_.end()), columns_.end());
    const RowGroup& gi = groups_[at(of[at(i)])];
    A.add_row(gi.size);
    for (const int j : std::span(columns_).subspan(of.size())) {
      const RowGroup& gj = groups_[at(of[at(j)])];
      const int added = A.add_block(j, gj.size);
      double* block = A.block(added);
      if (j < i) {
        // symmetric to the last bit: earlier rows have computed this column
        const double* mirrored = A.block(columns_[at(j)]++);
        for (int r = 0; r < gi.size; ++r)
          for (int c = 0; c < gj.size; ++c) block[r * gj.size + c] = mirrored[c * gi.size + r];
        continue;
      }
      if (j == i) columns_[at(i)] = added + 1;
      for (int a = 0; a < gi.trees; ++a)
        for (int b = 0; b < gj.trees; ++b) {
          if (gi.tree[a] != gj.tree[b]) continue;
          const int dofs = dofs_of(gi.tree[a]);
          for (int r = 0; r < gi.size; ++r)
            for (int c = 0; c < gj.size; ++c)
              block[r * gj.size + c] +=
                  dot(&J_[at(gi.begin[a] + r * dofs)], &MinvJT_[at(gj.begin[b] + c * dofs)], dofs);
        }
    }
  }
  for (int i = 0; i < n; ++i)
    for_each_side(i, [&](const RowGroup& g, int side) { of_tree_[at(g.tree[side])].clear(); });
}

}  // namespace abut
