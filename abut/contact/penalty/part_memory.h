// PartMemory: what a pair of parts is taken to know when it comes into contact.
//
// The parts of a geom that is not convex have a pair, and a memory, each (solid_numbers.h). What slides
// from one part to the next has not met the geom for the first time: the new pair begins with what the
// pair of the same geoms knew whose normal is nearest to its own. Without that a spring would take what
// it is pressed by at the seam for an overlap that it began with, or for an impact.
//
//   parts.pass_on(model.solids, data, state.contacts);
#pragma once

#include "abut/collide/contact_data.h"
#include "abut/model/contact_memory.h"
#include "abut/model/solid_numbers.h"

namespace abut {

class PartMemory {
 public:
  // Adds to `memory` the pairs of `data` that are new parts of geoms that it knows. What the memory has
  // of points stays with the old pair.
  void pass_on(const SolidNumbers& solids, const ContactData& data, ContactMemory& memory);

 private:
  ContactMemory more_;
};

}  // namespace abut
