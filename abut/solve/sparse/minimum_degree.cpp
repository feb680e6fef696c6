#include "abut/solve/sparse/minimum_degree.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

void MinimumDegree::find(const BlockGraph& graph) {
  start(graph);
  while (std::ssize(order_) < graph.nodes()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Candidate next = heap_.back();
    heap_.pop_back();
    // a node is offered again when its degree changes: what is out of date is passed over
    if (is_left_[at(next.node)] && next.degree == degree_[at(next.node)])
      eliminate(graph, next.node);
  }
  for (const int node : order_)
    std::sort(structure_[at(node)].begin(), structure_[at(node)].end(),
              [&](int a, int b) { return place(a) < place(b); });
}

void MinimumDegree::start(const BlockGraph& graph) {
  const std::size_t n = graph.size.size();
  if (near_.size() < n) {
    near_.resize(n);
    elements_.resize(n);
    structure_.resize(n);
  }
  is_left_.assign(n, 1);
  is_element_.assign(n, 0);
  degree_.resize(n);
  place_.assign(n, -1);
  marked_.assign(n, -1);
  counted_.assign(n, -1);
  outside_.assign(n, 0);
  weight_.assign(n, 0);
  order_.clear();
  heap_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    near_[i].assign(graph.neighbour.begin() + graph.begin[i],
                    graph.neighbour.begin() + graph.begin[i + 1]);
    elements_[i].clear();
    structure_[i].clear();
    int degree = 0;
    for (const int j : near_[i]) degree += graph.size[at(j)];
    degree_[i] = degree;
    offer(degree, static_cast<int>(i));
  }
}

void MinimumDegree::offer(int degree, int node) {
  heap_.push_back({degree, node});
  std::push_heap(heap_.begin(), heap_.end());
}

void MinimumDegree::eliminate(const BlockGraph& graph, int node) {
  const int turn = static_cast<int>(order_.size());
  is_left_[at(node)] = 0;
  place_[at(node)] = turn;
  order_.push_back(node);
  const int weight = gather(graph, node, turn);
  is_element_[at(node)] = 1;
  weight_[at(node)] = weight;
  update_degrees(graph, node, turn, weight);
}

// The structure of the node: all that it is joined to. The elements among these are absorbed.
int MinimumDegree::gather(const BlockGraph& graph, int node, int turn) {
  std::vector<int>& structure = structure_[at(node)];
  int weight = 0;
  const auto add = [&](int v) {
    if (!is_left_[at(v)] || marked_[at(v)] == turn) return;
    marked_[at(v)] = turn;
    structure.push_back(v);
    weight += graph.size[at(v)];
  };
  for (const int v : near_[at(node)]) add(v);
  for (const int e : elements_[at(node)]) {
    for (const int v : structure_[at(e)]) add(v);
    is_element_[at(e)] = 0;
  }
  return weight;
}

void MinimumDegree::update_degrees(const BlockGraph& graph, int node, int turn, int weight) {
  // what each other element has outside the new one; edges inside it are no longer needed
  for (const int i : structure_[at(node)]) {
    std::erase_if(near_[at(i)], [&](int v) { return !is_left_[at(v)] || marked_[at(v)] == turn; });
    std::erase_if(elements_[at(i)], [&](int e) { return !is_element_[at(e)]; });
    for (const int e : elements_[at(i)]) {
      if (counted_[at(e)] != turn) {
        counted_[at(e)] = turn;
        outside_[at(e)] = weight_[at(e)];
      }
      outside_[at(e)] -= graph.size[at(i)];
    }
  }
  for (const int i : structure_[at(node)]) {
    std::erase_if(elements_[at(i)], [&](int e) { return outside_[at(e)] == 0; });
    int degree = weight - graph.size[at(i)];
    for (const int e : elements_[at(i)]) degree += outside_[at(e)];
    for (const int v : near_[at(i)]) degree += graph.size[at(v)];
    elements_[at(i)].push_back(node);
    if (degree == degree_[at(i)]) continue;
    degree_[at(i)] = degree;
    offer(degree, i);
  }
}

}  // namespace abut
