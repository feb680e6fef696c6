#include "abut/solve/factored/factored_matrix.h"

#include <algorithm>
#include <cmath>

#include "abut/math/index.h"

namespace abut {

namespace {

double dot_of_sizes(const double* x, const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::abs(x[i]) * std::abs(y[i]);
  return sum;
}

// x += B' p of every group, B being J or (M^-1 J')'.
void add_transposed(const FactoredMatrix& m, const std::vector<double>& B,
                    std::span<const double> p, std::span<double> x) {
  for (const RowGroup& g : m.groups)
    for (int k = 0; k < g.size; ++k) {
      const double pk = p[at(g.row + k)];
      if (pk == 0) continue;
      for (int side = 0; side < g.trees; ++side) {
        const TreeBlock& tree = m.trees[at(g.tree[side])];
        const double* row = &B[at(g.begin[side] + k * tree.size)];
        for (int i = 0; i < tree.size; ++i) x[at(tree.first + i)] += pk * row[i];
      }
    }
}

}  // namespace

void FactoredMatrix::clear() {
  trees.clear();
  groups.clear();
  J.clear();
  MinvJT.clear();
  softness.clear();
  inverse_mass.clear();
}

void FactoredMatrix::velocities(std::span<const double> u, std::span<double> out) const {
  for (const RowGroup& g : groups)
    for (int k = 0; k < g.size; ++k) {
      double sum = 0;
      for (int side = 0; side < g.trees; ++side) {
        const TreeBlock& tree = trees[at(g.tree[side])];
        sum += row_dot(g, &J[at(g.begin[side] + k * tree.size)], &u[at(tree.first)], tree.size);
      }
      out[at(g.row + k)] = sum;
    }
}

void FactoredMatrix::add_impulses(std::span<const double> p, std::span<double> u) const {
  add_transposed(*this, MinvJT, p, u);
}

void FactoredMatrix::add_forces(std::span<const double> p, std::span<double> f) const {
  add_transposed(*this, J, p, f);
}

void FactoredMatrix::multiply(const double* x, double* y, std::vector<double>& u) const {
  const std::size_t n = at(rows());
  u.assign(at(velocities_size()), 0.0);
  add_impulses({x, n}, u);
  velocities(u, {y, n});
  for (std::size_t i = 0; i < softness.size(); ++i) y[i] += softness[i] * x[i];
}

void FactoredMatrix::multiply_abs(const double* x, double* y, std::vector<double>& u) const {
  u.assign(at(velocities_size()), 0.0);
  const auto for_each_row = [&](auto&& f) {
    for (const RowGroup& g : groups)
      for (int side = 0; side < g.trees; ++side) {
        const TreeBlock& tree = trees[at(g.tree[side])];
        for (int k = 0; k < g.size; ++k) f(g.row + k, tree, g.begin[side] + k * tree.size);
      }
  };
  for_each_row([&](int row, const TreeBlock& tree, int begin) {
    for (int i = 0; i < tree.size; ++i)
      u[at(tree.first + i)] += std::abs(MinvJT[at(begin + i)]) * std::abs(x[row]);
  });
  for (int i = 0; i < rows(); ++i) y[i] = softness.empty() ? 0 : softness[at(i)] * std::abs(x[i]);
  for_each_row([&](int row, const TreeBlock& tree, int begin) {
    y[row] += dot_of_sizes(&J[at(begin)], &u[at(tree.first)], tree.size);
  });
}

double FactoredMatrix::diagonal(int group, int k) const {
  const RowGroup& g = groups[at(group)];
  double sum = softness.empty() ? 0 : softness[at(g.row + k)];
  for (int side = 0; side < g.trees; ++side) {
    const int n = trees[at(g.tree[side])].size, i = g.begin[side] + k * n;
    sum += row_dot(g, &J[at(i)], &MinvJT[at(i)], n);
  }
  return sum;
}

void take_groups(const FactoredMatrix& whole, std::span<const int> groups, std::vector<int>& place,
                 FactoredMatrix& part) {
  part.clear();
  place.resize(whole.trees.size(), -1);
  int first = 0;
  const auto place_of = [&](int tree) {
    int& local = place[at(tree)];
    if (local < 0) {
      local = static_cast<int>(part.trees.size());
      const int size = whole.trees[at(tree)].size;
      part.trees.push_back({first, size, tree});
      first += size;
    }
    return local;
  };
  const auto copy = [](const std::vector<double>& from, int begin, int count,
                       std::vector<double>& to) {
    to.insert(to.end(), from.begin() + begin, from.begin() + begin + count);
  };
  int row = 0;
  for (const int index : groups) {
    const RowGroup& from = whole.groups[at(index)];
    RowGroup g = from;
    g.row = row;
    row += g.size;
    for (int side = 0; side < g.trees; ++side) {
      const int count = g.size * whole.trees[at(from.tree[side])].size;
      g.tree[side] = place_of(from.tree[side]);
      g.begin[side] = static_cast<int>(part.J.size());
      copy(whole.J, from.begin[side], count, part.J);
      copy(whole.MinvJT, from.begin[side], count, part.MinvJT);
    }
    if (!whole.softness.empty()) copy(whole.softness, from.row, from.size, part.softness);
    part.groups.push_back(g);
  }
  for (const TreeBlock& tree : part.trees) place[at(tree.id)] = -1;
}

}  // namespace abut
