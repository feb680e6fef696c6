// AabbTree: a binary tree of boxes over a fixed number of leaves, updated as the leaves move.
//
// A leaf that moved a little keeps its place in the tree, and the boxes above it are fitted again.
// A leaf that moved far is removed and inserted elsewhere. When the boxes have grown to twice their
// first area (surface-area measure), the tree is rebuilt. So the cost of an update depends on how
// much moved.
//
// An empty box is a leaf that overlaps nothing. Boxes must be finite or empty.
//
//   abut::AabbTree tree(leaf_count);
//   tree.move(leaf, box);
//   tree.update();
//   tree.query(box, [&](int leaf) { ... });
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/shape/aabb.h"

namespace abut {

class AabbTree {
 public:
  AabbTree() : AabbTree(0) {}
  explicit AabbTree(int leaves);

  int leaf_count() const { return leaves_; }
  const Aabb& box(int leaf) const { return nodes_[static_cast<std::size_t>(leaf)].box; }

  // Call update() after move() and before the next query.
  void move(int leaf, const Aabb& box);
  void update();

  // Calls visit(leaf) for each leaf whose box overlaps `box`. The order depends on the tree's
  // history.
  template <class Visit>
  void query(const Aabb& box, const Visit& visit) const;

  // For tests and diagnostics.
  bool consistent() const;
  int rebuilds() const { return rebuilds_; }

 private:
  // Nodes 0 .. leaves - 1 are the leaves, the others are inner nodes. Removing a leaf frees exactly
  // the inner node that its insertion needs.
  struct alignas(64) Node {
    Aabb box;
    std::int32_t parent = -1;
    std::array<std::int32_t, 2> child{-1, -1};  // -1 for a leaf
  };
  static_assert(sizeof(Node) == 64);

  Node& node(int i) { return nodes_[static_cast<std::size_t>(i)]; }
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  bool is_leaf(int i) const { return i < leaves_; }

  void fit_above(int i);
  void fit_all();
  void reinsert(int leaf);
  void rebuild();
  int build(int begin, int end, int parent);
  int split(int begin, int end);
  double inner_area() const;

  int leaves_ = 0, root_ = -1;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> moved_;  // leaves that moved since the last update
  std::vector<std::int32_t> order_;  // leaves, scratch of rebuild()
  int next_inner_ = 0;
  double area_ = 0, area_when_built_ = 0;  // m^2, of all inner nodes but the root
  std::int64_t moves_since_check_ = 0;
  int rebuilds_ = 0;
};

template <class Visit>
void AabbTree::query(const Aabb& box, const Visit& visit) const {
  if (root_ < 0 || !overlap(node(root_).box, box)) return;
  // Walk without a stack: down to the first child, and back up by the parents.
  int from = node(root_).parent, at = root_;
  while (at >= 0) {
    const Node& n = node(at);
    int next = n.parent;
    if (is_leaf(at)) {
      visit(at);
    } else {
      const bool down = from == n.parent;
      if (down && overlap(node(n.child[0]).box, box))
        next = n.child[0];
      else if (from != n.child[1] && overlap(node(n.child[1]).box, box))
        next = n.child[1];
    }
    from = at;
    at = next;
  }
}

}  // namespace abut
