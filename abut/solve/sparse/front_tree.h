// FrontTree: how a sparse factorisation is done in dense pieces (Duff and Reid 1983). A front is a
// set of nodes that are eliminated together ("own"), with the nodes that their columns reach
// ("update"). Eliminating its own nodes leaves a dense update matrix, which is added to the front
// of the parent. Nodes are joined into one front where that adds few zeros: dense arithmetic on
// some zeros is faster than sparse arithmetic without them.
//
//   abut::FrontTree tree;
//   tree.build(graph);          // a pure function of the graph
//   for (const abut::Front& f : tree.fronts()) ..   // children before parents
#pragma once

#include <span>
#include <vector>

#include "abut/solve/sparse/minimum_degree.h"

namespace abut {

struct Front {
  int node_begin = 0;  // into FrontTree::nodes(): own nodes, then those of the update
  int own_nodes = 0, update_nodes = 0;
  int own = 0, update = 0;             // unknowns of these
  int child_begin = 0, child_end = 0;  // into FrontTree::children()
  int relative_begin = 0;              // into FrontTree::relative(), one an update node
  std::size_t values_begin = 0;        // of its factors (front_lu.h)

  int size() const { return own + update; }
};

class FrontTree {
 public:
  void build(const BlockGraph& graph);

  std::span<const Front> fronts() const { return fronts_; }
  std::span<const int> children() const { return children_; }
  // Nodes of the fronts, and the first unknown of each within its front.
  std::span<const int> nodes() const { return nodes_; }
  std::span<const int> offsets() const { return offsets_; }
  // Of an update node: its first unknown within the front of the parent.
  std::span<const int> relative() const { return relative_; }
  int front_of(int node) const {
    return front_of_[static_cast<std::size_t>(node)];
  }  // that owns it

  std::size_t values() const { return values_; }     // of the factors of all fronts
  std::size_t stack() const { return stack_; }       // the most that update matrices take at once
  int largest() const { return largest_; }           // unknowns of the largest front
  double operations() const { return operations_; }  // multiplications of a factorisation

 private:
  // A front in the making: named by the place of its last node in the order.
  struct Draft {
    int own = 0, update = 0;  // unknowns
    long zeros = 0;           // stored without need
    bool joined = false;      // with its parent
    std::vector<int> own_nodes, children;
  };

  void join(const BlockGraph& graph);
  void join_children(Draft& draft, int update);
  void lay_out(const BlockGraph& graph);
  void add_front(int draft);
  void place_updates(const BlockGraph& graph);

  MinimumDegree order_;
  std::vector<Draft> drafts_;
  std::vector<std::vector<int>> waiting_;  // drafts by the place of the first node of their update
  std::vector<int> index_;                 // front of a draft
  std::vector<std::pair<int, std::size_t>> path_;
  std::vector<Front> fronts_;
  std::vector<int> children_, nodes_, offsets_, relative_, front_of_, local_;
  std::size_t values_ = 0, stack_ = 0;
  int largest_ = 0;
  double operations_ = 0;
};

}  // namespace abut
