// ContactStep: the part of a step that contacts and joints have. It calls the moments of the
// contact model (contact_model.h) in their order, adds up what contacts did, and removes errors of
// position after the move.
//
//   contact data     begin()        before the first stage
//   contact model    add()          in every stage of the integrator: forces
//                    constrain()    in every stage of rk4, in place of find() and solve()
//   contact data     find()         of the step ahead
//   contact model    strike()       impacts at the start of the step
//                    solve()        `change` of the velocities
//                    end()          after the move: what the state remembers
//   stabilise        settle()       back onto the constraints
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/stabilize/post_step.h"
#include "abut/constrain/step/time_stepping.h"
#include "abut/contact/choose.h"
#include "abut/contact/contact_model.h"
#include "abut/contact/settings.h"
#include "abut/dynamics/integrate.h"
#include "abut/math/threads/threads.h"

namespace abut {

class ContactStep : public StageForces {
 public:
  // The model must outlive it. Throws WorldError for a world that cannot be. `integrator` is the
  // one that runs, which need not be the world's.
  ContactStep(const Model& model, const ContactSettings& settings, Integrator integrator);

  // --- A step, in this order.
  // Before a step and all its substeps.
  void start_step();
  int choose_parts(const State& state) { return contact_->choose_parts(state); }
  int parts() const { return contact_->parts(); }  // what was chosen last
  void begin(double h, State& state, const Input& input, Derived& d);
  void add(double weight, const State& stage, const Input& input, Derived& d) override;
  void constrain(double weight, const State& stage, const Input& input, Derived& d) override;
  // u_free: the end velocities that nothing constrains.
  void find(double h, const State& state, const Input& input, const Derived& d,
            std::span<const double> u_free);
  // Changes state.v, and d's velocities, and says whether it did. The step is then to begin anew.
  bool strike(double h, State& state, const Input& input, Derived& d);
  bool strike_ahead(double h, State& state, const Input& input, Derived& d);
  Solved solve(const StepToSolve& step, Derived& d);
  void end(double h, State& state);
  // After the move.
  void settle(State& state, const Input& input);

  // What the integrator gave to bodies that contacts held (Stepper::held_gain) counts as theirs.
  void add_work(double gain) { work_ += gain; }
  // A substep is taken again: work() is as it was before.
  void take_back(double work) { work_ = work; }

  // Called for every pair before it is solved (constrain/rows/contact_change.h). Throws WorldError
  // under a model that cannot.
  void on_contact(const ChangeContact& change);

  // --- To be read.
  const ContactModel& contact() const { return *contact_; }
  // The model as its own class; null: another one runs.
  template <class Kind>
  const Kind* as() const {
    return dynamic_cast<const Kind*>(contact_.get());
  }
  const ContactSettings& settings() const { return settings_; }  // without a `natural`
  const Collider& collider() const { return collider_; }
  Collider& collider() { return collider_; }
  // Where contact data are found and islands are solved; one thread unless set.
  const Threads& threads() const { return threads_; }
  void set_threads(int count) { threads_ = Threads(count); }
  const TimeStepping& stepping() const { return stepping_; }
  bool contacts_on() const { return contacts_on_; }
  // What constraints added to the end velocities of the last step.
  std::span<const double> change() const { return change_; }
  // ContactModel::held() of the last stage.
  std::span<const double> held() const { return contact_->held(force_); }
  const ContactData& data() const { return contact_->data(); }
  const std::vector<ContactForce>* forces() const { return contact_->forces(); }
  double stored_energy() const { return contact_->stored_energy(); }
  // How the solving went, and the fallbacks of the model.
  SolveReport report() const;
  const PostReport& post() const { return post_report_; }
  // J: what contacts did to the movers in the last step. Negative where they took energy.
  double work() const { return work_; }
  // J: the same from what the step's forces lead to (TimeStepping::work_on_free), impacts included:
  // never positive where contacts are impulses.
  double work_on_free() const { return work_on_free_; }
  // What a user should know of the world under this contact model; a line each.
  std::vector<std::string> warnings() const;

  // Every problem from now on, and its answer: those of contacts and joints, and the post-steps'.
  void watch(const std::function<void(const Problem&, const Answer&)>& seen);

 private:
  void add_impact_work();

  const Model& model_;
  const ContactSettings settings_;
  const bool contacts_on_;
  Threads threads_;
  Collider collider_;
  TimeStepping stepping_;
  PostStep post_;
  PostReport post_report_;
  std::unique_ptr<ContactModel> contact_;
  bool loops_ = false;  // joints that close some
  double h_ = 0;        // s: of the substep that began
  std::vector<double> change_, u_rate_, u_stage_;
  std::vector<double> force_, mean_;  // generalized: of the last stage, mean over the stages
  std::vector<double> start_;         // v when the substep began
  double work_ = 0, work_on_free_ = 0;
  Derived after_;
};

}  // namespace abut
