// WideContacts: the contacts of large islands as blocks of four pairs (lanes.h), ordered by colours.
//
// Pairs of bodies are coloured greedily in the order of their keys: two pairs with a body in common
// have different colours (solids that never move do not count). A colour is a run of blocks that
// may be solved in any order, or at the same time. Colours depend on the pairs alone.
//
//   contacts.build(h, moment, data, islands, slack);
//   for (const WideContacts::Colour& c : contacts.colours()) sweep(c.begin, c.end);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/constrain/rows/material.h"
#include "abut/constrain/step/step_moment.h"
#include "abut/contact/fast/lanes.h"
#include "abut/contact/fast/wide_islands.h"

namespace abut {

class WideContacts {
 public:
  // A run of blocks; `apart`: they share no bodies.
  struct Colour {
    int begin = 0, end = 0;
    bool apart = true;
  };

  // `sizes`: L of each geom (m).
  WideContacts(const Model& model, const WideIslands& islands, std::vector<double> sizes,
               bool frictionless);

  // Blocks of the patches of the islands, with the impulses of the step before as a start. `slack`:
  // tolerated overlap, as a fraction of the pair's size. Wants positions() in moment.d.
  void build(double h, const StepMoment& moment, const ContactData& data, double slack);

  int movers() const { return static_cast<int>(trees_.size()); }
  std::span<const int> trees() const { return trees_; }  // of the movers; ascending
  std::span<const Colour> colours() const { return colours_; }
  std::span<LanePair> pairs() { return pairs_; }
  std::span<LanePoint> points() { return points_; }
  std::span<const LaneMass> masses() const { return masses_; }
  int contacts() const { return contacts_; }
  int islands() const { return islands_.count(); }
  // Whether a contact presses whose gap at the start was more than rounding.
  bool closes_gaps() const;

  // N s, world axes, on B: of a point of a patch that build() was given.
  Vec3 impulse(const Patch& patch, int patch_index, int point) const;

 private:
  struct Slot {  // of a patch
    std::int32_t block = -1, lane = 0;
  };

  void find_movers(const StepMoment& moment, const ContactData& data,
                   std::span<const std::uint8_t> wide);
  void colour(const ContactData& data, std::span<const std::uint8_t> wide);
  template <class Key>
  void sort_by(int keys, const Key& key);
  void place(const ContactData& data);
  void fill(double h, const StepMoment& moment, const ContactData& data, std::size_t patch,
            int remembered);
  void recall(const ContactMemory& memory, int pair, std::uint64_t id, const Mat3& frame,
              LanePoint& point, int lane) const;
  int mover_of(int geom) const;

  const Model& model_;
  const WideIslands& islands_;
  std::vector<double> sizes_;
  bool frictionless_;
  double slack_ = 0;
  Materials materials_;
  std::vector<int> trees_;
  std::vector<int> mover_of_tree_;
  std::vector<Vec3> centres_;  // of mass, one a mover (m)
  std::vector<LaneMass> masses_;
  std::vector<std::uint64_t> colours_of_mover_;
  // patches by colour, within one by island, and then by falling count of points
  std::vector<std::int32_t> order_, sorted_;
  std::vector<std::int32_t> colour_of_, begins_;
  std::vector<Colour> colours_;
  std::vector<Slot> slots_;
  std::vector<LanePair> pairs_;
  std::vector<LanePoint> points_;
  int contacts_ = 0;
};

}  // namespace abut
