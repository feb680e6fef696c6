#include "abut/constrain/rows/material.h"

#include <algorithm>

namespace abut {

Materials::Materials(const Model& model) : restitution_(model, "abut.restitution", 0, 1) {
  for (const Geom& g : model.geoms) geoms_.push_back({g.friction[0], g.condim, g.priority});
  for (const ContactPair& p : model.pairs)
    special_.push_back({pair_key(p.geom1, p.geom2), p.friction[0], p.condim});
  std::stable_sort(special_.begin(), special_.end(),
                   [](const Special& a, const Special& b) { return a.key < b.key; });
}

Material Materials::of(int geom_a, int geom_b) const {
  const OfGeom& a = geoms_[static_cast<std::size_t>(geom_a)];
  const OfGeom& b = geoms_[static_cast<std::size_t>(geom_b)];
  Material m{std::max(a.friction, b.friction), restitution_.of(geom_a, geom_b).value_or(0),
             std::max(a.condim, b.condim)};
  if (a.priority != b.priority) {
    const OfGeom& decides = a.priority > b.priority ? a : b;
    m.friction = decides.friction;
    m.condim = decides.condim;
  }
  const PairKey key = pair_key(geom_a, geom_b);
  const auto it = std::lower_bound(special_.begin(), special_.end(), key,
                                   [](const Special& s, PairKey k) { return s.key < k; });
  if (it != special_.end() && it->key == key) {
    m.friction = it->friction;
    m.condim = it->condim;
  }
  return m;
}

}  // namespace abut
