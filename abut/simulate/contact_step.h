// The part of a step that contacts and joints have: from the velocities that nothing constrains
// to those that respect them, and back onto the constraints after the move.
//
//   broad phase, contact data   find()
//   contact model               solve(): `change` of the velocities
//   stabilise                   settle(), after the move
//
// Penalty models are forces, and find() and solve() are left with the joints; baraff has a penalty
// beside its problem, and impacts before the step:
//
//   contact data                begin(), before the first stage
//   contact model               add(), in every stage of the integrator
//                               constrain(), in every stage of rk4, in place of find() and solve()
//                               end(), after the step
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/contact/complementarity/baraff.h"
#include "abut/contact/complementarity/time_stepping.h"
#include "abut/contact/penalty/penalty_forces.h"
#include "abut/contact/settings.h"
#include "abut/dynamics/integrate.h"
#include "abut/stabilize/post_step.h"

namespace abut {

class ContactsAhead;
class FeatureStepping;
class ImpactSet;
class LayerContacts;
class Peg;

// Neither the settings nor the world's flags turn contacts off.
inline bool has_contacts(const Model& model, const ContactSettings& settings) {
  return settings.model != ContactModel::none && model.option.contact_on &&
         model.option.constraint_on;
}

class ContactStep : public StageForces {
 public:
  // The model must outlive it. Throws WorldError for a world that cannot be. `integrator` is the
  // one that runs, which need not be the model's.
  ContactStep(const Model& model, const ContactSettings& settings, Integrator integrator);
  ~ContactStep();

  // Does nothing where contacts are impulses of find() and solve() alone, as do add() and end().
  void begin(double h, State& state, const Input& input, Derived& d);
  void add(double weight, const State& stage, const Input& input, Derived& d) override;
  void constrain(double weight, const State& stage, const Input& input, Derived& d) override;
  void end(double h, State& state);

  // Contacts of the step ahead; u_free are the end velocities that nothing constrains.
  void find(double h, const State& state, const Input& input, const Derived& d,
            std::span<const double> u_free);
  // Impacts of st and ap at the start of the step, among the contacts that find() found: changes
  // state.v, and d's velocities, and says whether it did. The step is then to begin anew.
  bool strike(double h, State& state, const Input& input, Derived& d);
  // Those that bounce in the step and are too many to end a part of it at each: struck where they
  // are, at the gaps that are left. After solve(), if bounce() is within the step.
  bool strike_ahead(double h, State& state, const Input& input, Derived& d);
  // Impulses (N s) of the last strike, and the contacts that they act at.
  std::span<const ContactForce> struck() const;
  const ContactData& struck_data() const { return *struck_data_; }
  // After solve(): when the first pair meets that is to bounce (s); infinite: none in the step.
  double bounce() const;
  // Whether steps are to end where solids bounce.
  bool has_bounces() const { return impacts_ != nullptr; }

  // What constraints add to u_free; end() puts the impulses into state's contact memory. `move`
  // takes a state from the start of the step to its end, for models that look there.
  using Move = std::function<void(State&, std::span<const double> change)>;
  void solve(double h, const State& state, const Input& input, Derived& d,
             std::span<const double> damping, std::span<const double> u_free, const Move& move,
             bool may_halve = false, bool may_bounce = true);
  // Nothing was solved: the step is to be taken in two halves. Only where it may be.
  bool wants_halves() const { return wants_halves_; }
  double last_step() const { return last_step_; }  // s: what was solved for last
  // Before a step and its parts.
  void start_report();
  // What the integrator gave to bodies that contacts held (Stepper::held_gain) counts as theirs.
  void add_work(double gain) { work_ += gain; }
  // A part of the step is taken again: work() is as it was before.
  void take_back(double work) { work_ = work; }
  // In how many parts the step from this state is to be taken, each a step of its own (penalty
  // models, gains.h). parts(): what was chosen last.
  int choose_parts(const State& state) { return penalty_ ? penalty_->choose_parts(state) : 1; }
  int parts() const { return penalty_ ? penalty_->parts() : 1; }
  std::span<const double> change() const { return change_; }
  // One a dof: the generalized forces of contacts in the last stage, infinite for trees that are
  // held whatever these are; empty where there are none.
  std::span<const double> held() const {
    return penalty_ || baraff_ || layers_ || moves_by_end_ ? std::span<const double>(force_)
                                                           : std::span<const double>();
  }
  // After the move.
  void settle(State& state, const Input& input);

  const ContactSettings& settings() const { return settings_; }
  const Collider& collider() const { return collider_; }
  Collider& collider() { return collider_; }
  // What the contacts and forces are of: at the start of the step, or at the end for peg.
  const ContactData& data() const;
  const TimeStepping& stepping() const { return stepping_; }
  const Peg* peg() const { return peg_.get(); }                        // null: another model
  const FeatureStepping* features() const { return features_.get(); }  // lnc, peg-paper
  // How the solving went: of peg and its kin, `level` and `fallbacks` are those of its branches.
  SolveReport report() const;
  const PostReport& post() const { return post_report_; }
  const PenaltyForces* penalty() const { return penalty_ ? &*penalty_ : nullptr; }
  // What acts at the start of the step, where contacts are not stepping()'s impulses alone.
  const std::vector<ContactForce>* forces() const {
    return penalty_ ? &penalty_->forces() : baraff_ ? &baraff_->forces() : nullptr;
  }
  // J: what contacts have stored at the end of the last step (docs/laws.md); 0 where they are
  // rigid. Before the first step it is not known, and 0.
  double stored_energy() const;
  // J: what contacts did to the movers in the last step. Negative where they took energy.
  double work() const { return work_; }
  // J: the same from what the step's forces lead to (TimeStepping::work_on_free), impacts included:
  // never positive where contacts are impulses.
  double work_on_free() const { return work_on_free_; }
  // What a user should know of the world under this contact model; a line each.
  std::vector<std::string> warnings() const;

  // Every problem from now on, and its answer: those of contacts and joints, and the post-steps'.
  void watch(const std::function<void(const Problem&, const Answer&)>& seen) {
    stepping_.solvers().for_each([&](Solver& s) { s.watch = seen; });
    post_.solver().watch = seen;
  }

  bool contacts_on() const { return has_contacts(model_, settings_); }

 private:
  void hold_patches();
  void leave_bounces();
  void find_pressed(const ContactMemory& memory);
  void remember();
  void solve_ahead(double h, const State& state, const Input& input, Derived& d,
                   std::span<const double> u_free, const Move& move, bool may_bounce);
  bool strike(double h, double touch, const ContactData& data, State& state, const Input& input,
              Derived& d);
  void solve_joints_and_contacts(double h, const State& state, const Input& input, Derived& d,
                                 std::span<const double> u_free, bool stage,
                                 std::span<const std::uint8_t> used = {});
  int peg_level() const;

  bool wants_halves_ = false, halved_ = false;
  int exhausted_ = 0;  // impacts of the step that ended with one solve for all
  int level_ = 0;      // the worst of the step and its halves
  double last_step_ = 0;

  const Model& model_;
  ContactSettings settings_;
  Collider collider_;
  TimeStepping stepping_;
  std::unique_ptr<Peg> peg_;
  std::unique_ptr<FeatureStepping> features_;
  std::unique_ptr<ImpactSet> impacts_;    // st and ap in a world with restitution
  std::unique_ptr<ContactsAhead> ahead_;  // st
  const ContactData* struck_data_ = nullptr;
  State end_state_;
  PostStep post_;
  PostReport post_report_;
  std::optional<PenaltyForces> penalty_;
  std::optional<Baraff> baraff_;
  std::unique_ptr<LayerContacts> layers_;  // quasirigid, implicit
  ContactData patches_;                    // what its samples are of
  double h_ = 0;                           // s: of the step that began
  bool moves_by_end_ = false;  // peg and its kin, st as printed: what is near ends where h u' leads
  bool joints_ = false;        // some that close loops
  bool remembered_ = false;    // next_ is for the state after the step
  std::vector<double> u_rate_, u_stage_;
  std::vector<double> force_, mean_;  // generalized: of the last stage, mean over the stages
  std::vector<double> start_;         // v when the step began
  double work_ = 0, work_on_free_ = 0;
  ContactData data_;
  std::vector<PairQuery> queries_;
  ContactMemory next_;
  Derived after_;
  std::vector<double> sizes_, reach_, change_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::uint8_t> presses_;  // one a patch
  std::vector<std::uint8_t> pressed_;  // one a geom, ap
};

}  // namespace abut
