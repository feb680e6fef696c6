// The part of a step that contacts and joints have: from the velocities that nothing constrains
// to those that respect them, and back onto the constraints after the move.
//
//   broad phase, contact data   find()
//   contact model               solve(): `change` of the velocities
//   stabilise                   settle(), after the move
//
// Penalty models are forces, and find() and solve() are left with the joints:
//
//   contact data                begin(), before the first stage
//   contact model               add(), in every stage of the integrator
//                               end(), after the step
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/contact/complementarity/time_stepping.h"
#include "abut/contact/penalty/penalty_forces.h"
#include "abut/contact/settings.h"
#include "abut/dynamics/integrate.h"
#include "abut/stabilize/post_step.h"

namespace abut {

class ContactStep : public StageForces {
 public:
  // The model must outlive it. Throws WorldError for a world that cannot be.
  ContactStep(const Model& model, const ContactSettings& settings);

  // Does nothing where contacts are no forces, as do add() and end().
  void begin(State& state, const Input& input, const Derived& d);
  void add(double weight, const State& stage, const Input& input, Derived& d) override;
  void end(double h, State& state);

  // Contacts of the step ahead; u_free are the end velocities that nothing constrains.
  void find(double h, const State& state, const Input& input, const Derived& d,
            std::span<const double> u_free);
  // What constraints add to u_free; the impulses go to state's contact memory.
  void solve(double h, State& state, const Input& input, Derived& d,
             std::span<const double> damping, std::span<const double> u_free);
  std::span<const double> change() const { return change_; }
  // After the move.
  void settle(State& state, const Input& input);

  const ContactSettings& settings() const { return settings_; }
  const Collider& collider() const { return collider_; }
  const ContactData& data() const { return data_; }
  const TimeStepping& stepping() const { return stepping_; }
  const PostReport& post() const { return post_report_; }
  const PenaltyForces* penalty() const { return penalty_ ? &*penalty_ : nullptr; }
  // J: what contacts did to the movers in the last step. Negative where they took energy.
  double work() const { return stepping_.work() + work_; }
  // What a user should know of the world under this contact model; a line each.
  std::vector<std::string> warnings() const;

  // Every problem from now on, and its answer: those of contacts and joints, and the post-steps'.
  void watch(const std::function<void(const Problem&, const Answer&)>& seen) {
    stepping_.solvers().for_each([&](Solver& s) { s.watch = seen; });
    post_.solver().watch = seen;
  }

  bool contacts_on() const {
    return settings_.model != ContactModel::none && model_.option.contact_on &&
           model_.option.constraint_on;
  }

 private:
  void remember(State& state);

  const Model& model_;
  ContactSettings settings_;
  Collider collider_;
  TimeStepping stepping_;
  PostStep post_;
  PostReport post_report_;
  std::optional<PenaltyForces> penalty_;
  std::vector<double> force_, mean_;  // generalized: of the last stage, mean over the stages
  std::vector<double> start_;         // v when the step began
  double work_ = 0;
  ContactData data_;
  std::vector<PairQuery> queries_;
  ContactMemory next_;
  Derived after_;
  std::vector<double> sizes_, reach_, change_;
  std::vector<std::uint64_t> ids_;
};

}  // namespace abut
