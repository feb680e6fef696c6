#include "abut/collide/broad/aabb_tree.h"

#include <algorithm>
#include <numeric>

namespace abut {
namespace {

constexpr int kBins = 16;

// Half the surface area: proportional to the probability that a random box hits the box.
double area(const Aabb& box) {
  if (box.empty()) return 0;
  const Vec3 e = box.extent();
  return e.x() * e.y() + e.y() * e.z() + e.z() * e.x();
}

bool same(const Aabb& a, const Aabb& b) { return a.min == b.min && a.max == b.max; }

// The place by which leaves are divided; an empty box may be anywhere.
Vec3 place(const Aabb& box) { return box.empty() ? Vec3(0, 0, 0) : box.center(); }

}  // namespace

AabbTree::AabbTree(int leaves) : leaves_(leaves) {
  nodes_.resize(static_cast<std::size_t>(std::max(0, 2 * leaves - 1)));
  order_.resize(static_cast<std::size_t>(leaves));
  moved_.reserve(static_cast<std::size_t>(leaves));
  if (leaves > 0) rebuild();
  rebuilds_ = 0;
}

void AabbTree::move(int leaf, const Aabb& box) {
  // a leaf that moves twice before update() is listed twice: harmless, but the list is bounded
  if (moved_.size() == moved_.capacity()) update();
  moved_.push_back(leaf);
  Node& n = node(leaf);
  // a leaf moved far if the parent's box would be much larger than before
  const Node* parent = n.parent < 0 ? nullptr : &node(n.parent);
  if (parent && !box.empty()) {
    const int sibling = parent->child[parent->child[0] == leaf];
    const double grown = area(merged(node(sibling).box, box));
    if (grown > 2 * (area(parent->box) + area(box))) moved_.back() = ~leaf;
  }
  n.box = box;
}

void AabbTree::update() {
  if (moved_.empty()) return;
  const std::int64_t moves = static_cast<std::int64_t>(moved_.size());
  const auto far = std::count_if(moved_.begin(), moved_.end(), [](int leaf) { return leaf < 0; });
  moves_since_check_ += moves;

  if (far * 8 > leaves_) {
    rebuild();
  } else {
    if (moves * 8 > leaves_) {
      fit_all();
    } else {
      for (const int leaf : moved_) fit_above(leaf < 0 ? ~leaf : leaf);
    }
    for (const int leaf : moved_)
      if (leaf < 0) reinsert(~leaf);
    if (moves_since_check_ >= leaves_) {
      moves_since_check_ = 0;
      area_ = inner_area();
      if (area_ > 2 * area_when_built_) rebuild();
    }
  }
  moved_.clear();
}

void AabbTree::fit_above(int i) {
  for (int at = node(i).parent; at >= 0; at = node(at).parent) {
    Node& n = node(at);
    const Aabb fitted = merged(node(n.child[0]).box, node(n.child[1]).box);
    if (same(fitted, n.box)) return;
    n.box = fitted;
  }
}

void AabbTree::fit_all() {
  // children before their parent: down to the first child, over to the second, up
  int from = -1, at = root_;
  while (at >= 0) {
    Node& n = node(at);
    int next = n.parent;
    if (!is_leaf(at)) {
      if (from == n.parent)
        next = n.child[0];
      else if (from == n.child[0])
        next = n.child[1];
      else
        n.box = merged(node(n.child[0]).box, node(n.child[1]).box);
    }
    from = at;
    at = next;
  }
}

void AabbTree::reinsert(int leaf) {
  const int spare = node(leaf).parent;
  if (spare < 0) return;

  // remove: the sibling takes the parent's place
  const int sibling = node(spare).child[node(spare).child[0] == leaf];
  const int above = node(spare).parent;
  node(sibling).parent = above;
  if (above < 0)
    root_ = sibling;
  else
    node(above).child[node(above).child[1] == spare] = sibling;
  fit_above(sibling);

  // descend to the child that grows less, until a new parent here costs less
  const Aabb& box = node(leaf).box;
  auto growth = [&](int i) { return area(merged(node(i).box, box)) - area(node(i).box); };
  int at = root_;
  while (!is_leaf(at)) {
    const double here = area(merged(node(at).box, box));
    const double first = growth(node(at).child[0]), second = growth(node(at).child[1]);
    const double below = here - area(node(at).box) + std::min(first, second);
    if (here < below) break;
    at = node(at).child[first <= second ? 0 : 1];
  }

  // insert: `spare` becomes the parent of both
  const int parent = node(at).parent;
  node(spare).parent = parent;
  node(spare).child = {at, leaf};
  node(spare).box = merged(node(at).box, box);
  node(at).parent = node(leaf).parent = spare;
  if (parent < 0)
    root_ = spare;
  else
    node(parent).child[node(parent).child[1] == at] = spare;
  fit_above(spare);
}

void AabbTree::rebuild() {
  std::iota(order_.begin(), order_.end(), 0);
  next_inner_ = leaves_;
  root_ = build(0, leaves_, -1);
  area_ = area_when_built_ = inner_area();
  moves_since_check_ = 0;
  ++rebuilds_;
}

int AabbTree::build(int begin, int end, int parent) {
  if (end - begin == 1) {
    const int leaf = order_[static_cast<std::size_t>(begin)];
    node(leaf).parent = parent;
    return leaf;
  }
  const int i = next_inner_++;
  const int middle = split(begin, end);
  const int first = build(begin, middle, i), second = build(middle, end, i);
  node(i).parent = parent;
  node(i).child = {first, second};
  node(i).box = merged(node(first).box, node(second).box);
  return i;
}

// Divides order_[begin, end) between two children: sorts the centres into bins along the longest
// side of their box, and takes the cut with the least sum of area times number of leaves.
int AabbTree::split(int begin, int end) {
  Aabb centres;
  for (int k = begin; k < end; ++k)
    centres.merge(place(node(order_[static_cast<std::size_t>(k)]).box));
  int axis = 0;
  centres.extent().maxCoeff(&axis);
  const double low = centres.min[axis], scale = kBins / centres.extent()[axis];
  auto bin_of = [&](int leaf) {
    const double x = (place(node(leaf).box)[axis] - low) * scale;
    return x > 0 ? static_cast<int>(std::min(x, kBins - 1.0)) : 0;  // 0 for NaN
  };

  struct Bin {
    Aabb box;
    int count = 0;
  };
  std::array<Bin, kBins> bins;
  for (int k = begin; k < end; ++k) {
    const int leaf = order_[static_cast<std::size_t>(k)];
    Bin& bin = bins[static_cast<std::size_t>(bin_of(leaf))];
    bin.box.merge(node(leaf).box);
    ++bin.count;
  }
  std::array<double, kBins> cost_above{};  // cost of this bin and all above
  Aabb box;
  int count = 0;
  for (int b = kBins - 1; b > 0; --b) {
    box.merge(bins[static_cast<std::size_t>(b)].box);
    count += bins[static_cast<std::size_t>(b)].count;
    cost_above[static_cast<std::size_t>(b)] = area(box) * count;
  }
  box = {};
  count = 0;
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int b = 1; b < kBins; ++b) {
    box.merge(bins[static_cast<std::size_t>(b - 1)].box);
    count += bins[static_cast<std::size_t>(b - 1)].count;
    const double cost = area(box) * count + cost_above[static_cast<std::size_t>(b)];
    if (count > 0 && count < end - begin && cost < least) {
      least = cost;
      best = b;
    }
  }
  if (best < 0) return begin + (end - begin) / 2;  // all centres coincide: any half will do
  const auto first = order_.begin() + begin;
  return begin + static_cast<int>(std::partition(first, order_.begin() + end,
                                                 [&](int leaf) { return bin_of(leaf) < best; }) -
                                  first);
}

double AabbTree::inner_area() const {
  double sum = 0;
  for (int i = leaves_; i < static_cast<int>(nodes_.size()); ++i)
    if (i != root_) sum += area(node(i).box);
  return sum;
}

bool AabbTree::consistent() const {
  if (leaves_ == 0) return root_ < 0;
  int reached = 0;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    const Node& n = node(i);
    if ((n.parent < 0) != (i == root_)) return false;
    if (is_leaf(i)) continue;
    for (const int c : n.child) {
      if (c < 0 || node(c).parent != i) return false;
      ++reached;
    }
    if (!same(n.box, merged(node(n.child[0]).box, node(n.child[1]).box))) return false;
  }
  return reached == static_cast<int>(nodes_.size()) - 1;
}

}  // namespace abut
