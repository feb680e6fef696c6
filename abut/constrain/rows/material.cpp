#include "abut/constrain/rows/material.h"

#include <algorithm>

namespace abut {

Materials::Materials(const Model& model) : restitution_(model, "abut.restitution", 0, 1) {
  for (const Geom& g : model.geoms) geoms_.push_back({g.friction, g.condim, g.priority});
  // MJCF gives a pair a number a tangent; the larger one counts for both
  for (const ContactPair& p : model.pairs)
    special_.push_back({pair_key(p.geom1, p.geom2),
                        {p.friction[0], p.friction[2], std::max(p.friction[3], p.friction[4])},
                        p.condim});
  std::stable_sort(special_.begin(), special_.end(),
                   [](const Special& a, const Special& b) { return a.key < b.key; });
  // one geom may give a pair its condim, and the other its numbers
  OfGeom most{Vec3::Zero(), 1, 0};
  for (const OfGeom& g : geoms_)
    most = {most.friction.cwiseMax(g.friction), std::max(most.condim, g.condim), 0};
  const auto turns = [](const auto& of) {
    return (of.condim >= 4 && of.friction[1] > 0) || (of.condim >= 6 && of.friction[2] > 0);
  };
  any_turns_ = turns(most) || std::any_of(special_.begin(), special_.end(), turns);
}

Material Materials::of(int geom_a, int geom_b) const {
  const OfGeom& a = geoms_[static_cast<std::size_t>(geom_a)];
  const OfGeom& b = geoms_[static_cast<std::size_t>(geom_b)];
  Vec3 friction = a.friction.cwiseMax(b.friction);
  Material m;
  m.restitution = restitution_.of(geom_a, geom_b).value_or(0);
  m.condim = std::max(a.condim, b.condim);
  if (a.priority != b.priority) {
    const OfGeom& decides = a.priority > b.priority ? a : b;
    friction = decides.friction;
    m.condim = decides.condim;
  }
  const PairKey key = pair_key(geom_a, geom_b);
  const auto it = std::lower_bound(special_.begin(), special_.end(), key,
                                   [](const Special& s, PairKey k) { return s.key < k; });
  if (it != special_.end() && it->key == key) {
    friction = it->friction;
    m.condim = it->condim;
  }
  m.friction = friction[0];
  if (m.condim >= 4) m.torsion = friction[1];
  if (m.condim >= 6) m.rolling = friction[2];
  return m;
}

}  // namespace abut
