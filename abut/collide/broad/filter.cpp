#include "abut/collide/broad/filter.h"

#include <algorithm>

namespace abut {
namespace {

// Bodies that are welded together form one group. All bodies that no contact can move are group 0,
// as in MuJoCo (the weldid of a mocap body is 0).
int group_of(const Model& model, int body) {
  const int weld = model.bodies[static_cast<std::size_t>(body)].weld;
  return model.bodies[static_cast<std::size_t>(weld)].mocap >= 0 ? 0 : weld;
}

}  // namespace

PairFilter::PairFilter(const Model& model) {
  std::vector<char> excluded(model.bodies.size(), 0);
  for (const std::array<int, 2>& bodies : model.excludes) {
    excludes_.insert(pair_key(bodies[0], bodies[1]));
    for (const int body : bodies) excluded[static_cast<std::size_t>(body)] = 1;
  }

  geoms_.reserve(model.geoms.size());
  for (const Geom& geom : model.geoms) {
    Entry& e = geoms_.emplace_back();
    e.body = geom.body;
    e.group = group_of(model, geom.body);
    if (e.group != 0 && model.option.filter_parent) {
      const int above = group_of(model, model.bodies[static_cast<std::size_t>(e.group)].parent);
      e.parent = above != 0 ? above : -1;
    }
    e.contype = static_cast<std::uint32_t>(geom.contype);
    e.conaffinity = static_cast<std::uint32_t>(geom.conaffinity);
    e.ground = geom.shape.kind == ShapeKind::plane || geom.shape.kind == ShapeKind::hfield;
    e.has_exclude = excluded[static_cast<std::size_t>(geom.body)] != 0;
  }

  for (const ContactPair& pair : model.pairs) {
    Entry& a = geoms_[static_cast<std::size_t>(pair.geom1)];
    Entry& b = geoms_[static_cast<std::size_t>(pair.geom2)];
    a.has_pair = b.has_pair = true;
    const PairKey key = pair_key(pair.geom1, pair.geom2);
    const bool is_new = pairs_.insert(key).second;
    if (is_new && a.group == 0 && b.group == 0 && !(a.ground && b.ground))
      pairs_at_rest_.push_back(key);
  }
  std::sort(pairs_at_rest_.begin(), pairs_at_rest_.end());
}

}  // namespace abut
