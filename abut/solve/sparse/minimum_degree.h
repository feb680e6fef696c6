// MinimumDegree: an order of elimination for a sparse matrix with a symmetric pattern that fills in
// little. In each turn the node whose elimination joins the fewest others goes next (quotient graph
// with approximate degrees; Amestoy, Davis and Duff 1996). Nodes are dense blocks, and degrees
// count unknowns. The order is a pure function of the graph; ties go to the lower index.
//
//   abut::BlockGraph graph;            // one node a body, an edge where two bodies touch
//   abut::MinimumDegree order;
//   order.find(graph);
//   order.order();                     // nodes, first eliminated first
//   order.structure(node);             // the nodes that its column has below the diagonal
#pragma once

#include <span>
#include <vector>

namespace abut {

// The neighbours of node i are neighbour[begin[i]] to neighbour[begin[i + 1] - 1], without i
// itself. Every edge is there twice.
struct BlockGraph {
  std::vector<int> size;  // unknowns of each node
  std::vector<int> begin{0}, neighbour;

  int nodes() const { return static_cast<int>(size.size()); }
  bool operator==(const BlockGraph&) const = default;
};

class MinimumDegree {
 public:
  // Finding again for graphs of the same shape allocates nothing.
  void find(const BlockGraph& graph);

  std::span<const int> order() const { return order_; }
  int place(int node) const { return place_[static_cast<std::size_t>(node)]; }  // in the order
  // In the order of elimination.
  std::span<const int> structure(int node) const {
    return structure_[static_cast<std::size_t>(node)];
  }

 private:
  struct Candidate {
    int degree, node;
    bool operator<(const Candidate& o) const {  // of a heap with the least on top
      return degree != o.degree ? degree > o.degree : node > o.node;
    }
  };

  void start(const BlockGraph& graph);
  void eliminate(const BlockGraph& graph, int node);
  int gather(const BlockGraph& graph, int node, int turn);
  void update_degrees(const BlockGraph& graph, int node, int turn, int weight);
  void offer(int degree, int node);

  // Of each node that is left: neighbours by edges of the graph, and by eliminated nodes, which
  // stand for all edges among their structure ("elements").
  std::vector<std::vector<int>> near_, elements_;
  std::vector<std::vector<int>> structure_;
  std::vector<char> is_left_, is_element_;
  std::vector<int> degree_, order_, place_;
  std::vector<int> marked_;  // the last turn that saw a node
  std::vector<int> counted_,
      outside_;              // of elements: the last turn; unknowns outside the turn's structure
  std::vector<int> weight_;  // of elements: unknowns in their structure
  std::vector<Candidate> heap_;
};

}  // namespace abut
