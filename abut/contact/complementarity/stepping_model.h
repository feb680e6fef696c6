// st (Stewart and Trinkle) and ap (Anitescu and Potra) as contact models: time stepping by one
// problem in impulses (time_stepping.h).
//
//   st   looks ahead: pairs that meet in the step take part (contacts_ahead.h)
//   ap   contacts within the contact tolerance, and pairs that pressed in the last step
//
// Pairs with restitution that arrive fast enough bounce by impulses of their own
// (impact/impact_set.h): those that touch at the start of the step in strike(). Of those that st
// meets on the way, bodies that fly are followed on their own (impact/flights.h), and others by
// substeps that end there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "abut/constrain/ahead/contacts_ahead.h"
#include "abut/contact/complementarity/feature_stepping.h"
#include "abut/contact/impact/bouncing_pairs.h"
#include "abut/contact/impact/flights.h"
#include "abut/contact/impact/impact_set.h"
#include "abut/contact/impulse_model.h"

namespace abut {

class SteppingModel : public ImpulseModel {
 public:
  enum class Kind { st, ap };
  SteppingModel(const ContactWorld& world, Kind kind);

  void start_step() override;
  void find(double h, const StepMoment& start, std::span<const double> u_free) override;
  bool strike(double h, State& state, const Input& input, Derived& d) override;
  Solved solve(const StepToSolve& step, std::span<double> change) override;
  void end(double h, State& state) override;

  bool has_bounces() const override { return impacts_ != nullptr; }
  double first_bounce() const override;
  bool strike_ahead(double h, State& state, const Input& input, Derived& d) override;
  bool struck_on_the_way() const override { return flights_ && flights_->any_blows(); }
  std::span<const ContactForce> struck() const override;
  const ContactData& struck_data() const override;

  std::span<const double> held(std::span<const double>) const override {
    return moves_by_end_ ? held_patches() : std::span<const double>();
  }
  double impact_work() const override;
  void add_to(SolveReport& report) const override { report.fallbacks += exhausted_; }

 protected:
  // Patches (one each, or empty) that a model derived from this one solves by itself, until the next
  // call.
  void leave_out(std::span<const std::uint8_t> patches) { left_out_ = patches; }
  bool looks_ahead() const { return ahead_ != nullptr; }
  // After solve() is done: what State is to remember.
  virtual void remember() { memory_.write(near_, near_, queries_, world_.stepping); }

 private:
  void find_pressed(const ContactMemory& memory);
  void solve_ahead(const StepToSolve& step, std::span<double> change);
  bool follow_flights(const StepToSolve& step, std::span<const double> change);
  void solve_used(const StepToSolve& step, std::span<const std::uint8_t> used,
                  std::span<double> change);
  bool strike_at(double h, double touch, const ContactData& data, State& state, const Input& input,
                 Derived& d);

  Kind kind_;
  std::span<const std::uint8_t> left_out_;
  std::vector<double> sizes_;
  BouncingPairs bouncing_;
  std::unique_ptr<ContactsAhead> ahead_;       // st
  std::unique_ptr<FeatureStepping> features_;  // --data features
  std::unique_ptr<ImpactSet> impacts_;         // in a world with restitution
  std::unique_ptr<Flights> flights_;           // st, in a world with restitution
  double followed_until_ = kInfinity;          // s: where flights_ leave it to the step
  const ContactData* struck_data_ = nullptr;
  bool looked_ahead_ = false;  // after_ is of the last solution
  bool moves_by_end_ = false;  // st as printed: what is near ends where h u' leads
  int exhausted_ = 0;          // impacts of the step that ended with one problem for all
  State end_state_;
  Derived after_;
  std::vector<double> u_;
  std::vector<std::uint8_t> presses_;  // one a patch
  std::vector<std::uint8_t> pressed_;  // one a geom, ap
};

// What st, ap and fast have in common.
ModelInfo stepping_info();
const ModelInfo& st_info();
const ModelInfo& ap_info();
std::unique_ptr<ContactModel> make_st(const ContactWorld& world);
std::unique_ptr<ContactModel> make_ap(const ContactWorld& world);

}  // namespace abut
