// The part of a step that contacts and joints have: from the velocities that nothing constrains
// to those that respect them, and back onto the constraints after the move.
//
//   broad phase, contact data   find()
//   contact model               solve(): `change` of the velocities
//   stabilise                   settle(), after the move
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/contact/complementarity/time_stepping.h"
#include "abut/contact/settings.h"
#include "abut/stabilize/post_step.h"

namespace abut {

class ContactStep {
 public:
  // The model must outlive it. Throws WorldError for a world that cannot be.
  ContactStep(const Model& model, const ContactSettings& settings);

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
  ContactData data_;
  std::vector<PairQuery> queries_;
  ContactMemory next_;
  Derived after_;
  std::vector<double> sizes_, reach_, change_;
  std::vector<std::uint64_t> ids_;
};

}  // namespace abut
