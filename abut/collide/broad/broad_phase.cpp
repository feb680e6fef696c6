#include "abut/collide/broad/broad_phase.h"

#include <algorithm>
#include <limits>

#include "abut/collide/broad/tolerances.h"

namespace abut {
namespace {

bool is_number(const Aabb& box) { return !box.min.hasNaN() && !box.max.hasNaN(); }

double half_area(const Aabb& box) {
  const Vec3 e = box.extent();
  return e.x() * e.y() + e.y() * e.z() + e.z() * e.x();
}

bool holds(const Aabb& outer, const Aabb& inner) {
  return (outer.min.array() <= inner.min.array()).all() &&
         (inner.max.array() <= outer.max.array()).all();
}

GeomPair geoms_of(PairKey key) {
  return {static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffff)};
}

}  // namespace

BroadPhase::BroadPhase(const Model& model, const PairFilter& filter) {
  const int count = static_cast<int>(model.geoms.size());
  geoms_.resize(model.geoms.size());
  boxes_.resize(model.geoms.size());
  for (int g = 0; g < count; ++g) {
    Entry& e = geoms_[static_cast<std::size_t>(g)];
    const Geom& geom = model.geoms[static_cast<std::size_t>(g)];
    const Body& body = model.bodies[static_cast<std::size_t>(geom.body)];
    const bool driven = model.bodies[static_cast<std::size_t>(body.weld)].mocap >= 0;
    if (geom.shape.kind == ShapeKind::plane) {
      e.place = Place::plane;
      plane_geoms_.push_back(g);
      continue;
    }
    e.place = filter.is_free(g) || driven ? Place::moving : Place::standing;
    auto& geoms = e.place == Place::moving ? moving_geoms_ : standing_geoms_;
    e.leaf = static_cast<std::int32_t>(geoms.size());
    geoms.push_back(g);
  }
  moving_ = AabbTree(static_cast<int>(moving_geoms_.size()));
  standing_ = AabbTree(static_cast<int>(standing_geoms_.size()));
  moved_.reserve(model.geoms.size());
}

void BroadPhase::update(const Model& model, const PairFilter& filter, std::span<const Pose> poses,
                        const Reach& reach) {
  for (const int g : moved_) geoms_[static_cast<std::size_t>(g)].moved = false;
  moved_.clear();

  // each geom contributes half of the pair's reach
  for (const int g : moving_geoms_)
    take(model, poses[static_cast<std::size_t>(g)], g, 0.5 * reach.pair + reach.of(g));
  for (const int g : standing_geoms_) {
    const Entry& e = geoms_[static_cast<std::size_t>(g)];
    const double r = 0.5 * reach.pair + reach.of(g);
    if (!e.seen || e.reach != r) take(model, poses[static_cast<std::size_t>(g)], g, r);
  }
  moving_.update();
  standing_.update();

  renew_candidates(filter);
  find_unbounded(filter, poses, reach);
  report();
}

// Computes the geom's box and, if the geom has left its leaf, a new leaf.
void BroadPhase::take(const Model& model, const Pose& X_WG, int g, double reach) {
  Entry& e = geoms_[static_cast<std::size_t>(g)];
  e.seen = true;
  e.reach = reach;
  const Aabb tight = aabb(model.geoms[static_cast<std::size_t>(g)].shape, model.assets, X_WG);
  const double largest = std::max(tight.min.cwiseAbs().maxCoeff(), tight.max.cwiseAbs().maxCoeff());
  const Aabb box = inflated(tight, std::max(reach, 0.0) + kBoxRounding * largest);
  Aabb& last = boxes_[static_cast<std::size_t>(g)];
  AabbTree& home = tree(e.place);
  const Aabb& leaf = home.box(e.leaf);

  Extent extent = Extent::bounded;
  if (!is_number(box) || !is_number(tight) || reach != reach)
    extent = Extent::nowhere;
  else if (!box.min.allFinite() || !box.max.allFinite())
    extent = Extent::unbounded;

  Aabb fat;  // empty, unless the box is bounded
  if (extent == Extent::bounded) {
    const double margin = kLeafMargin * box.extent().norm();
    const bool fits =
        holds(leaf, box) && half_area(leaf) <= kLooseLeaf * half_area(inflated(box, margin));
    if (e.extent == extent && fits) {
      last = box;
      return;
    }
    fat = inflated(box, margin);
    if (e.extent == Extent::bounded) {
      const Vec3 most = box.extent();
      const Vec3 ahead =
          (kLeafLookAhead * (box.center() - last.center())).cwiseMax(-most).cwiseMin(most);
      fat.min += ahead.cwiseMin(0);
      fat.max += ahead.cwiseMax(0);
    }
  } else if (e.extent == extent) {
    last = box;
    return;
  }
  e.extent = extent;
  last = box;
  home.move(e.leaf, fat);
  e.moved = true;
  moved_.push_back(g);
}

// Removes the candidates of the leaves that were replaced and queries the trees for new ones.
void BroadPhase::renew_candidates(const PairFilter& filter) {
  if (moved_.empty()) return;
  auto has_moved = [&](int g) { return geoms_[static_cast<std::size_t>(g)].moved; };
  std::erase_if(candidates_, [&](PairKey key) {
    const GeomPair pair = geoms_of(key);
    return has_moved(pair.a) || has_moved(pair.b);
  });

  found_.clear();
  for (const int g : moved_) {
    const Entry& e = geoms_[static_cast<std::size_t>(g)];
    const Aabb& leaf = tree(e.place).box(e.leaf);
    auto ask = [&](const AabbTree& tree, const std::vector<std::int32_t>& geoms) {
      tree.query(leaf, [&](int other_leaf) {
        const int other = geoms[static_cast<std::size_t>(other_leaf)];
        // of two geoms that moved, the lower one reports the pair
        if (other == g || (has_moved(other) && other < g)) return;
        if (filter.allows(g, other)) found_.push_back(pair_key(g, other));
      });
    };
    ask(moving_, moving_geoms_);
    if (e.place == Place::moving) ask(standing_, standing_geoms_);
  }
  std::sort(found_.begin(), found_.end());
  merged_.resize(candidates_.size() + found_.size());
  std::merge(candidates_.begin(), candidates_.end(), found_.begin(), found_.end(), merged_.begin());
  std::swap(candidates_, merged_);
}

bool BroadPhase::below(const Plane& plane, int g) const {
  const Aabb& box = boxes_[static_cast<std::size_t>(g)];
  switch (geoms_[static_cast<std::size_t>(g)].extent) {
    case Extent::nowhere:
      return false;
    case Extent::unbounded:
      return true;
    case Extent::bounded:
      break;
  }
  const double lowest =
      plane.normal.dot(box.center()) - plane.normal.cwiseAbs().dot(0.5 * box.extent());
  return lowest <= plane.height + kBoxRounding * (box.center().norm() + box.extent().norm());
}

// Pairs that the trees do not contain: planes, unbounded boxes, and explicit pairs of static geoms.
void BroadPhase::find_unbounded(const PairFilter& filter, std::span<const Pose> poses,
                                const Reach& reach) {
  others_.clear();
  for (const int g : plane_geoms_) {
    const Pose& X = poses[static_cast<std::size_t>(g)];
    const double r = 0.5 * reach.pair + reach.of(g);
    Plane plane{g, X.q * Vec3::UnitZ(), 0};
    plane.height = plane.normal.dot(X.p) + std::max(r, 0.0) + kBoxRounding * X.p.norm();
    if (!(plane.height == plane.height)) continue;
    for (const int other : moving_geoms_)
      if (filter.allows(g, other) && below(plane, other)) others_.push_back(pair_key(g, other));
    for (const PairKey key : filter.pairs_at_rest()) {
      const GeomPair pair = geoms_of(key);
      if (pair.a != g && pair.b != g) continue;
      const int other = pair.a == g ? pair.b : pair.a;
      if (geoms_[static_cast<std::size_t>(other)].place == Place::standing && below(plane, other))
        others_.push_back(key);
    }
  }

  auto meet = [&](int g, int other) {
    const Entry &a = geoms_[static_cast<std::size_t>(g)],
                &b = geoms_[static_cast<std::size_t>(other)];
    if (a.place == Place::plane || b.place == Place::plane) return;
    if (a.extent == Extent::nowhere || b.extent == Extent::nowhere || !filter.allows(g, other))
      return;
    if (overlap(boxes_[static_cast<std::size_t>(g)], boxes_[static_cast<std::size_t>(other)]))
      others_.push_back(pair_key(g, other));
  };
  const int count = static_cast<int>(geoms_.size());
  for (int g = 0; g < count; ++g) {
    if (geoms_[static_cast<std::size_t>(g)].extent != Extent::unbounded) continue;
    for (int other = 0; other < count; ++other) {
      const bool both = geoms_[static_cast<std::size_t>(other)].extent == Extent::unbounded;
      if (other != g && !(both && other < g)) meet(g, other);
    }
  }
  for (const PairKey key : filter.pairs_at_rest()) {
    const GeomPair pair = geoms_of(key);
    const Entry &a = geoms_[static_cast<std::size_t>(pair.a)],
                &b = geoms_[static_cast<std::size_t>(pair.b)];
    if (a.place == Place::standing && b.place == Place::standing && a.extent == Extent::bounded &&
        b.extent == Extent::bounded)
      meet(pair.a, pair.b);
  }
  std::sort(others_.begin(), others_.end());
}

// Merges the candidates whose boxes overlap with the other pairs, in ascending order.
void BroadPhase::report() {
  pairs_.clear();
  auto other = others_.begin();
  for (const PairKey key : candidates_) {
    const GeomPair pair = geoms_of(key);
    if (!overlap(boxes_[static_cast<std::size_t>(pair.a)],
                 boxes_[static_cast<std::size_t>(pair.b)]))
      continue;
    for (; other != others_.end() && *other < key; ++other) pairs_.push_back(geoms_of(*other));
    pairs_.push_back(pair);
  }
  for (; other != others_.end(); ++other) pairs_.push_back(geoms_of(*other));
}

}  // namespace abut
