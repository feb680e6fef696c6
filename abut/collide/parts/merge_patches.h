// One patch for the parts of a pair of geoms that push the same way: a box that lies on a hundred
// cells of a flat field touches one plane.
//
// The patch keeps the name of one of its parts (Patch::key): of one that the contact memory knows, so
// that impulses are found again while the box slides on, else of the lowest.
#pragma once

#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/collide/patch/patch.h"

namespace abut {

class MergePatches {
 public:
  struct Options {
    int max_points = 0;  // 0: no bound
    const ContactMemory* memory = nullptr;
  };
  // Patches of `data` of the same geoms and the same normal become one; they stay in ascending order
  // of keys.
  void merge(ContactData& data, const ConvexSet& solids, const Options& options);

 private:
  void append_group(const ContactData& data, double size, const Options& options);

  std::vector<int> order_, group_;
  std::vector<char> taken_;
  ContactData merged_, sorted_;
  PatchScratch scratch_;
};

// Makes the ids of a patch's points distinct from those of other parts.
void name_points(ContactData& data, const Patch& patch);

}  // namespace abut
