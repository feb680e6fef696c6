// PenaltyMemory: the contact memory of a penalty model during a step.
//
//   now    what the stages of the step read: anchors and phases by the contact data at t_n
//   next   what the next step finds: sums over time include the depth at t_n, which the stages of
//          this step must not see
//
//   memory.begin(data, state.contacts);
//   memory.advance(scene, queries, state.contacts, phases, overlap);
//   state.contacts = memory.now();    // before the first stage
//   state.contacts = memory.next();   // after the last one
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/contact/impact/contact_phases.h"
#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/initial_overlap.h"
#include "abut/contact/penalty/part_memory.h"

namespace abut {

class PenaltyMemory {
 public:
  // The widths of the memory are those of `law`, which must outlive this object.
  PenaltyMemory(const Model& model, ForceModel& law);

  // Adds to `contacts`, the memory of the last step, new parts of geoms that it knows.
  void begin(const ContactData& data, ContactMemory& contacts);
  // Whether the last step left no memory of this model.
  bool is_fresh() const { return fresh_; }
  // Fills now() and next() for the pairs in contact. `phases`: null for models without impacts.
  void advance(const ForceScene& scene, std::span<const PairQuery> queries,
               const ContactMemory& before, const ContactPhases* phases,
               const InitialOverlap& overlap);

  const ContactMemory& now() const { return now_; }
  ContactMemory& next() { return next_; }
  int pair_width() const { return law_.pair_width() + law_.frame_width(); }
  int point_width() const { return law_.point_width(); }
  // Where the values of the frame begin among those of a pair (kFrameWidth, force_law.h).
  std::size_t frame_begin() const { return static_cast<std::size_t>(law_.pair_width()); }

 private:
  void add(const ForceScene& scene, const PairQuery& query, const ContactMemory& before,
           const ContactPhases* phases);
  void copy_values(const PairRecall& from, int pair);

  const Model& model_;
  ForceModel& law_;
  PartMemory parts_;
  bool fresh_ = false;
  ContactMemory now_, next_;
  std::vector<std::uint64_t> ids_;
};

}  // namespace abut
