// WideIslands: which contacts of a step may be swept: those of islands of free bodies. Islands with
// joints, limits or tendons, or with pairs that bounce or have torsional or rolling friction, are left to
// the exact solver.
//
//   islands.find(data, state.contacts);
//   if (islands.any()) use(islands.wide());   // one a patch
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/constrain/rows/material.h"
#include "abut/model/model.h"

namespace abut {

class WideIslands {
 public:
  // `most_new`: bodies of a new island that is left to the exact solver.
  WideIslands(const Model& model, int most_new);

  void find(const ContactData& data, const ContactMemory& memory);
  bool any() const { return bodies_ > 0; }
  int bodies() const { return bodies_; }  // of all these islands
  // All patches are, and the world has no constraint that is not a contact.
  bool all() const { return all_ && !has_joints_; }
  std::span<const std::uint8_t> wide() const { return wide_; }
  // Islands that may be swept, numbered by their first patch; one a patch, -1: of none.
  int count() const { return static_cast<int>(sizes_.size()); }
  std::span<const int> island() const { return island_; }
  // The tree of a geom, -1: it is fixed to the world.
  int tree_of(int geom) const { return trees_[static_cast<std::size_t>(geom)]; }
  int bodies_of(int island) const { return sizes_[static_cast<std::size_t>(island)]; }

 private:
  int root(int tree);
  void leave_new_ones(const ContactData& data, const ContactMemory& memory);
  std::size_t island_of(const Patch& patch);  // its root

  const Model& model_;
  Materials materials_;
  std::vector<int> trees_;  // one a geom, -1: fixed
  int most_new_;
  bool has_joints_ = false, all_ = false;
  int bodies_ = 0;
  std::vector<std::uint8_t> free_;     // one a tree: a free body that nothing but contacts holds
  std::vector<int> parent_, members_;  // members_: of the island, by its root
  std::vector<std::uint8_t> exact_, touched_,
      pressed_;  // one a tree; exact_ by the root of its island
  std::vector<std::uint8_t> wide_;
  std::vector<int> island_, number_, sizes_;  // one a patch, a tree, an island
};

}  // namespace abut
