// ContactPhases: which pairs impact and which pairs rest (Drumwright, Fig. 2; D-1).
//
//   apart      -> impacting   the two come into contact, and approach
//   apart,
//   impacting  -> resting     in contact, and no longer approaching: after the impulse
//   resting    -> resting     at whatever velocity, as long as they touch: forces do it
//   resting    -> impacting   only where a third body hits one of the two
//   resting    -> apart       they have parted
//
// Impulses stop the impacting pairs before the step (impacts.h). A pair that would be deeper than
// kStoppedEarly of its size at the end of the step is stopped one step early, at the remaining gap:
// otherwise a small fast body would be found deep inside another, and be thrown out. This does not apply
// where steps end at impacts (abut.impact.time regress).
//
//   phases.look(h, state, input, d, collider, data, queries);        // contacts, also of the step
//   if (phases.resolve(h, state, input, d, data, queries)) ..        // velocities changed
#pragma once

#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/contact/impact/impacts.h"
#include "abut/model/state.h"

namespace abut {

class ContactPhases {
 public:
  ContactPhases(const Model& model, const Collider& collider, const ContactSettings& settings);

  // Contacts at this moment (CollideOptions::merge_parts) and those that are near enough to come about in the step.
  void look(double h, const State& state, const Input& input, const Derived& d, Collider& collider,
            bool merge_parts, ContactData& data, std::vector<PairQuery>& queries);
  // Impacts among them: state.v and d's velocities change if it says true. Of `data` only pairs
  // that overlap or were hit are left, and `queries` says so. Wants state's contact memory as the
  // last step left it, where pairs that rest say so.
  bool resolve(double h, State& state, const Input& input, Derived& d, ContactData& data,
               std::vector<PairQuery>& queries);

  // Of a pair that is left.
  ContactPhase phase(int patch) const { return phases_[static_cast<std::size_t>(patch)]; }
  bool was_hit(int patch) const { return hit_[static_cast<std::size_t>(patch)] != 0; }
  // Of the last resolve(), by the patches that are left.
  std::span<const ContactForce> impulses() const { return impulses_; }
  double work() const { return any_ ? impacts_.work() : 0; }

 private:
  const Model& model_;
  Impacts impacts_;
  std::vector<double> sizes_, radii_, reach_, u_;
  std::vector<Vec3> centers_;
  Impacts::Options options_;
  bool kissing_;  // contact data: CollideOptions
  bool any_ = false;
  std::vector<std::uint8_t> resting_, hit_;
  std::vector<ContactPhase> phases_;
  std::vector<ContactForce> impulses_;
  std::vector<int> new_index_;
};

}  // namespace abut
