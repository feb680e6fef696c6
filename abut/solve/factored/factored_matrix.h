// FactoredMatrix: A = J M^-1 J' + diag(softness) as its factors. M has one block for each tree (of
// bodies: 6 x 6 for a free one), and a row of J sees few trees. For solvers that work on the
// velocities of trees, and need A itself nowhere; others get A in blocks (delassus.h).
//
//   w = A z:   u = 0;  A.add_impulses(z, u);  A.velocities(u, w);  w += softness z
//
// Rows come in groups: the three rows of a contact, those of a joint. The values of a group are
// its blocks, one for each tree that the group sees:
//
//   for (const RowGroup& g : A.groups)
//     for (int side = 0; side < g.trees; ++side) {
//       const int n = A.trees[g.tree[side]].size;
//       const double* J = &A.J[g.begin[side]];             // row k at J + k n
//       const double* MinvJT = &A.MinvJT[g.begin[side]];   // the same shape: M^-1 times row k
//     }
#pragma once

#include <span>
#include <vector>

namespace abut {

// Rows row .. row + size - 1, which see the same trees: four at most.
struct RowGroup {
  static constexpr int kMostTrees = 4;
  int row = 0, size = 0;
  int trees = 0;                            // how many it sees; what is fixed or driven is none
  int tree[kMostTrees] = {-1, -1, -1, -1};  // no two the same; -1 behind the last
  int begin[kMostTrees] = {0, 0, 0, 0};     // of its block of J: size x dofs of the tree, row major
  // Of one row on one tree: the only entry of J that is not 0 (friction of a joint); -1: unknown.
  int only = -1;
};

// Of the velocities of a tree.
inline double tree_dot(const double* x, const double* y, int n) {
  double sum = 0;
  // free bodies, without a loop
  if (n == 6) {
    for (int i = 0; i < 6; ++i) sum += x[i] * y[i];
    return sum;
  }
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// Of row `row` of J, a row of this group on a tree of n velocities.
inline double row_dot(const RowGroup& g, const double* row, const double* x, int n) {
  return g.only >= 0 ? row[g.only] * x[g.only] : tree_dot(row, x, n);
}

// A block of M, and its part of u.
struct TreeBlock {
  int first = 0;  // in u
  int size = 0;   // how many velocities: 6 of a free body, whose first three are linear
  int id = 0;     // index in the matrix that this one was taken from (take_groups())
};

struct FactoredMatrix {
  std::vector<TreeBlock> trees;   // one after the other in u
  std::vector<RowGroup> groups;   // one after the other in the rows
  std::vector<double> J, MinvJT;  // all blocks
  std::vector<double> softness;   // one a row, >= 0 (1/kg); empty: none
  // M^-1 of every tree, size x size, row major, one after the other; empty: nobody asked for it
  // (SolverInfo::inverse_masses).
  std::vector<double> inverse_mass;

  int rows() const { return groups.empty() ? 0 : groups.back().row + groups.back().size; }
  int velocities_size() const { return trees.empty() ? 0 : trees.back().first + trees.back().size; }
  void clear();  // keeps the memory

  void velocities(std::span<const double> u, std::span<double> out) const;      // out = J u
  void add_impulses(std::span<const double> p, std::span<double> u) const;      // u += M^-1 J' p
  void add_forces(std::span<const double> p, std::span<double> f) const;        // f += J' p
  void multiply(const double* x, double* y, std::vector<double>& u) const;      // y = A x
  void multiply_abs(const double* x, double* y, std::vector<double>& u) const;  // |J| |M^-1 J'| |x|
  double diagonal(int group, int k) const;  // of A, at row k of the group
};

// Some groups, given by ascending index, as a matrix of their own. Its trees are those that these
// groups see, in the order in which they come. `place` is scratch: one a tree of `whole`, -1.
void take_groups(const FactoredMatrix& whole, std::span<const int> groups, std::vector<int>& place,
                 FactoredMatrix& part);

}  // namespace abut
