// PairFilter: which pairs of geoms may touch, by the rules of MJCF.
//
// A pair is excluded when its geoms
//   - belong to one body, or to bodies that are welded together;
//   - are both fixed to the world or driven (mocap): neither could move the other;
//   - belong to a body and its parent, where welded bodies count as one (<flag filterparent>).
//     Bodies fixed to the world are not parents: a robot's first link does touch the floor;
//   - belong to two bodies that an <exclude> names;
//   - do not match: (contype1 & conaffinity2) | (contype2 & conaffinity1) is 0;
//   - are both a plane or a height field: such pairs have no contact.
// A <pair> includes its two geoms against all these rules but the last.
//
//   abut::PairFilter filter(model);
//   if (filter.allows(geom_a, geom_b)) ...
//   filter.for_each_pair([&](int a, int b) { ... });   // a < b, ascending
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "abut/model/contact_memory.h"
#include "abut/model/model.h"

namespace abut {

class PairFilter {
 public:
  PairFilter() = default;
  explicit PairFilter(const Model& model);

  int count() const { return static_cast<int>(geoms_.size()); }

  // Constant time, and symmetric: allows(a, b) equals allows(b, a).
  bool allows(int geom_a, int geom_b) const {
    const Entry& a = geoms_[static_cast<std::size_t>(geom_a)];
    const Entry& b = geoms_[static_cast<std::size_t>(geom_b)];
    if (a.ground && b.ground) return false;
    if (matches(a, b)) return true;
    return a.has_pair && b.has_pair && pairs_.contains(pair_key(geom_a, geom_b));
  }

  // Whether a contact can move the geom: it is neither fixed to the world nor driven.
  bool is_free(int geom) const { return geoms_[static_cast<std::size_t>(geom)].group != 0; }

  // Visits every allowed pair in order of the lower index, then of the higher. Tests all pairs of
  // geoms.
  template <class Visit>
  void for_each_pair(const Visit& visit) const {
    for (int a = 0; a < count(); ++a)
      for (int b = a + 1; b < count(); ++b)
        if (allows(a, b)) visit(a, b);
  }

  // The explicit pairs between geoms that are not free. No other pairs of such geoms are allowed.
  std::span<const PairKey> pairs_at_rest() const { return pairs_at_rest_; }  // ascending

 private:
  struct Entry {
    std::int32_t body = 0;
    std::int32_t group = 0;    // first of the bodies welded together; 0: fixed or driven
    std::int32_t parent = -1;  // group of the parent body; -1: no filtering by parent
    std::uint32_t contype = 0, conaffinity = 0;
    bool ground = false;  // plane or height field
    bool has_pair = false, has_exclude = false;
  };

  bool matches(const Entry& a, const Entry& b) const {
    if (a.group == b.group || a.group == b.parent || b.group == a.parent) return false;
    if (!((a.contype & b.conaffinity) | (b.contype & a.conaffinity))) return false;
    return !(a.has_exclude && b.has_exclude && excludes_.contains(pair_key(a.body, b.body)));
  }

  std::vector<Entry> geoms_;
  // only searched, never iterated, so that hash order has no effect
  std::unordered_set<PairKey> pairs_, excludes_;
  std::vector<PairKey> pairs_at_rest_;
};

}  // namespace abut
