#include "abut/contact/material.h"

#include <fmt/format.h>

#include <algorithm>

namespace abut {

namespace {

double checked(double e, const Source& where) {
  if (!(e >= 0 && e <= 1))
    throw WorldError(where, fmt::format("abut.restitution = {}: write a number from 0 to 1", e));
  return e;
}

}  // namespace

Materials::Materials(const Model& model) {
  double everywhere = 0;
  if (const auto it = model.custom.find("abut.restitution");
      it != model.custom.end() && !it->second.numbers.empty())
    everywhere = checked(it->second.numbers[0], it->second.source);
  for (const Geom& g : model.geoms)
    geoms_.push_back({g.friction[0], everywhere, g.condim, g.priority});

  const auto special = [this](int a, int b) -> Special& {
    const PairKey key = pair_key(a, b);
    for (Special& s : special_)
      if (s.key == key) return s;
    special_.push_back({key, {}, false, false});
    return special_.back();
  };
  for (const ContactPair& p : model.pairs) {
    Special& s = special(p.geom1, p.geom2);
    s.material.friction = p.friction[0];
    s.material.condim = p.condim;
    s.has_friction = true;
  }
  for (const TupleDesc& t : model.tuples) {
    if (t.name != "abut.restitution") continue;
    std::vector<int> geoms;
    for (const auto& element : t.elements) {
      const int g = model.find_geom(element.objname);
      if (element.objtype != "geom" || g < 0)
        throw WorldError(t.source, fmt::format("abut.restitution: there is no {} '{}'; name one "
                                               "geom, or two",
                                               element.objtype, element.objname));
      geoms.push_back(g);
    }
    if (geoms.empty() || geoms.size() > 2)
      throw WorldError(t.source, "abut.restitution: name one geom, or two");
    const double e = checked(t.elements.back().prm, t.source);
    if (geoms.size() == 1) {
      geoms_[static_cast<std::size_t>(geoms[0])].restitution = e;
    } else {
      Special& s = special(geoms[0], geoms[1]);
      s.material.restitution = e;
      s.has_restitution = true;
    }
  }
  std::sort(special_.begin(), special_.end(),
            [](const Special& a, const Special& b) { return a.key < b.key; });
}

Material Materials::of(int geom_a, int geom_b) const {
  const OfGeom& a = geoms_[static_cast<std::size_t>(geom_a)];
  const OfGeom& b = geoms_[static_cast<std::size_t>(geom_b)];
  Material m{std::max(a.friction, b.friction), std::max(a.restitution, b.restitution),
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
    if (it->has_friction) {
      m.friction = it->material.friction;
      m.condim = it->material.condim;
    }
    if (it->has_restitution) m.restitution = it->material.restitution;
  }
  return m;
}

}  // namespace abut
