// ImpulseModel: what contact models of the family `impulses` share: contact data as far ahead as
// bodies may come in the step, and the memory of impulses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/constrain/ahead/reach_ahead.h"
#include "abut/constrain/step/impulse_memory.h"
#include "abut/contact/contact_model.h"

namespace abut {

class ImpulseModel : public ContactModel {
 public:
  // pair_width: of memory_.
  explicit ImpulseModel(const ContactWorld& world, int pair_width = 0);

  void begin(double h, State& state, const Input& input, Derived& d) override;
  void find(double h, const StepMoment& start, std::span<const double> u_free) override;
  void end(double h, State& state) override;
  const ContactData& data() const override { return near_; }

 protected:
  // Fills near_ and queries_; `reach`: one a geom (m).
  void find_within(std::span<const double> reach, const StepMoment& start);
  // Trees of the patches of near_ do not fly, even while nothing presses: their gaps are asked for
  // where h u' leads. After find(); held() returns it.
  void hold_patches();
  std::span<const double> held_patches() const { return held_; }

  ReachAhead reach_;
  std::span<const std::uint8_t> calm_;  // of the contact data of the step (CollideOptions::calm)
  ContactData near_;  // contacts ahead, at the start of the step
  std::vector<PairQuery> queries_;
  ImpulseMemory memory_;

 private:
  std::vector<double> held_;  // one a dof
};

}  // namespace abut
