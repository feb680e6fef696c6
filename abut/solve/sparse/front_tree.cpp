#include "abut/solve/sparse/front_tree.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

namespace {

// Fronts with up to this many own unknowns are joined to their parents whatever zeros that adds:
// the work on such fronts is mostly bookkeeping.
constexpr int kSmallFront = 24;
// Shares of zeros that are accepted in larger fronts.
constexpr int kMediumFront = 96;
constexpr double kMediumZeros = 0.15, kLargeZeros = 0.05;

bool worth_joining(long zeros, int own, int update) {
  const double entries = 0.5 * own * (own + 1.0) + static_cast<double>(own) * update;
  const double share = static_cast<double>(zeros) / entries;
  return zeros == 0 || own <= kSmallFront || share < kLargeZeros ||
         (own <= kMediumFront && share < kMediumZeros);
}

}  // namespace

void FrontTree::build(const BlockGraph& graph) {
  order_.find(graph);
  join(graph);
  lay_out(graph);
  place_updates(graph);
}

// Drafts, one a node, in the order of elimination; each takes in those of its children that fit.
void FrontTree::join(const BlockGraph& graph) {
  const int n = graph.nodes();
  if (std::ssize(drafts_) < n) {
    drafts_.resize(at(n));
    waiting_.resize(at(n));
  }
  for (int k = 0; k < n; ++k) waiting_[at(k)].clear();
  for (int k = 0; k < n; ++k) {
    const int node = order_.order()[at(k)];
    Draft& draft = drafts_[at(k)];
    draft.own = graph.size[at(node)];
    draft.update = 0;
    draft.zeros = 0;
    draft.joined = false;
    draft.own_nodes.clear();
    draft.children.assign(waiting_[at(k)].begin(), waiting_[at(k)].end());
    const std::span<const int> structure = order_.structure(node);
    for (const int v : structure) draft.update += graph.size[at(v)];
    join_children(draft, draft.update);
    draft.own_nodes.push_back(node);
    if (!structure.empty()) waiting_[at(order_.place(structure.front()))].push_back(k);
  }
}

void FrontTree::join_children(Draft& draft, int update) {
  std::vector<int>& rest = index_;  // scratch here
  rest.clear();
  std::sort(draft.children.begin(), draft.children.end(), [&](int a, int b) {
    const int x = drafts_[at(a)].update, y = drafts_[at(b)].update;
    return x != y ? x > y : a < b;
  });
  for (const int c : draft.children) {
    Draft& child = drafts_[at(c)];
    const long zeros = draft.zeros + child.zeros +
                       static_cast<long>(child.own) * (draft.own + update - child.update);
    if (!worth_joining(zeros, draft.own + child.own, update)) {
      rest.push_back(c);
      continue;
    }
    draft.zeros = zeros;
    draft.own += child.own;
    draft.own_nodes.insert(draft.own_nodes.end(), child.own_nodes.begin(), child.own_nodes.end());
    rest.insert(rest.end(), child.children.begin(), child.children.end());
    child.joined = true;
  }
  draft.children.assign(rest.begin(), rest.end());
}

// Fronts in postorder: a front comes right after its last child.
void FrontTree::lay_out(const BlockGraph& graph) {
  const int n = graph.nodes();
  fronts_.clear();
  nodes_.clear();
  children_.clear();
  values_ = 0;
  operations_ = 0;
  largest_ = 0;
  index_.assign(at(n), -1);
  for (int root = 0; root < n; ++root) {
    if (drafts_[at(root)].joined || drafts_[at(root)].update > 0) continue;
    path_.assign(1, {root, 0});
    while (!path_.empty()) {
      auto& [draft, next] = path_.back();
      const std::vector<int>& children = drafts_[at(draft)].children;
      if (next < children.size()) {
        const int child = children[next++];
        path_.emplace_back(child, 0);
        continue;
      }
      add_front(draft);
      path_.pop_back();
    }
  }
}

void FrontTree::add_front(int draft) {
  const Draft& from = drafts_[at(draft)];
  const std::span<const int> structure = order_.structure(from.own_nodes.back());
  Front f;
  f.node_begin = static_cast<int>(nodes_.size());
  f.own_nodes = static_cast<int>(from.own_nodes.size());
  f.update_nodes = static_cast<int>(structure.size());
  f.own = from.own;
  f.update = from.update;
  f.values_begin = values_;
  nodes_.insert(nodes_.end(), from.own_nodes.begin(), from.own_nodes.end());
  nodes_.insert(nodes_.end(), structure.begin(), structure.end());
  f.child_begin = static_cast<int>(children_.size());
  for (const int c : from.children) children_.push_back(index_[at(c)]);
  f.child_end = static_cast<int>(children_.size());
  values_ += at(f.own) * at(f.own + 2 * f.update);
  largest_ = std::max(largest_, f.size());
  const double own = f.own, update = f.update;
  operations_ += own * own * own * 2 / 3 + 2 * own * own * update + 2 * own * update * update;
  index_[at(draft)] = static_cast<int>(fronts_.size());
  fronts_.push_back(f);
}

// Where each node is within its fronts, and how much update matrices need.
void FrontTree::place_updates(const BlockGraph& graph) {
  offsets_.resize(nodes_.size());
  relative_.clear();
  front_of_.assign(graph.size.size(), -1);
  local_.resize(graph.size.size());
  stack_ = 0;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < fronts_.size(); ++i) {
    const Front& f = fronts_[i];
    int offset = 0;
    for (int k = 0; k < f.own_nodes + f.update_nodes; ++k) {
      const int node = nodes_[at(f.node_begin + k)];
      offsets_[at(f.node_begin + k)] = local_[at(node)] = offset;
      offset += graph.size[at(node)];
      if (k < f.own_nodes) front_of_[at(node)] = static_cast<int>(i);
    }
    for (int c = f.child_begin; c < f.child_end; ++c) {
      Front& child = fronts_[at(children_[at(c)])];
      child.relative_begin = static_cast<int>(relative_.size());
      for (int k = 0; k < child.update_nodes; ++k)
        relative_.push_back(local_[at(nodes_[at(child.node_begin + child.own_nodes + k)])]);
      depth -= at(child.update) * at(child.update);
    }
    depth += at(f.update) * at(f.update);
    stack_ = std::max(stack_, depth);
  }
}

}  // namespace abut
