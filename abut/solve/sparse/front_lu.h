// FrontLu: the sparse factorisation K = L U of a matrix of dense blocks with a symmetric pattern,
// by fronts (front_tree.h), without row exchanges: for matrices M + J' D J with M symmetric
// positive definite and D nearly so. Solutions are to be refined by whoever knows the true
// equations.
//
//   abut::SparseBlocks K;                // graph and values
//   abut::FrontLu lu;
//   lu.set(K);                           // the same pattern again costs a comparison
//   if (lu.factor(K)) lu.solve(x);       // x <- K^-1 x
#pragma once

#include <vector>

#include "abut/solve/sparse/dense_front.h"
#include "abut/solve/sparse/front_tree.h"

namespace abut {

// Diagonal blocks, and for each edge (i, j), i < j, the blocks (i, j) and (j, i). Blocks are row
// major.
struct SparseBlocks {
  struct Edge {
    int i, j;
    std::size_t upper, lower;  // begin of the blocks (i, j) and (j, i) in `values`
  };
  BlockGraph graph;
  std::vector<int> first;             // unknown of each node
  std::vector<std::size_t> diagonal;  // begin of its block in `values`
  std::vector<Edge> edges;
  std::vector<double> values;
};

class FrontLu {
 public:
  void set(const SparseBlocks& K);
  // False: singular. The pattern must be that of set().
  bool factor(const SparseBlocks& K);
  void solve(double* x);

  const FrontTree& tree() const { return tree_; }

 private:
  void sort_edges(const SparseBlocks& K);
  void assemble(const SparseBlocks& K, int front);
  void add_child(const Front& child, const double* update, int size);
  std::size_t keep(const Front& f, std::size_t top);
  void gather(const Front& f, const double* x);
  void scatter(const Front& f, int count, double* x) const;

  FrontTree tree_;
  BlockGraph graph_;  // of tree_, which is a pure function of it
  DenseFront dense_;
  std::vector<int> edge_begin_, edge_order_;  // edges by the front that they are added to
  std::vector<int> first_, size_;             // of the nodes
  std::vector<int> local_, next_, place_;     // scratch
  std::vector<double> front_, stack_, values_, part_;
};

}  // namespace abut
