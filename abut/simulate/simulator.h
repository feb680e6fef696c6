// Simulator: computes time steps.
//
//   abut::Model model = abut::load_model("worlds/pendulum.xml");
//   abut::State state(model);
//   abut::Input input(model);
//   abut::Simulator simulator(model);
//   for (int i = 0; i < 1000; ++i) simulator.step(state, input);
//
//   State + Input --kinematics--> poses --forces--> tau --dynamics--> v free --contact data-->
//     patches --contact model--> v' --integrate--> --stabilise--> State'
//
// Under a penalty model contacts are forces: contact data are computed after the poses, and the
// model adds to tau.
#pragma once

#include "abut/contact/contact_step.h"
#include "abut/dynamics/integrate.h"
#include "abut/simulate/contact_forces.h"
#include "abut/simulate/impact_time.h"
#include "abut/simulate/part_forces.h"
#include "abut/simulate/profile.h"
#include "abut/simulate/substeps.h"

namespace abut {

class Simulator {
 public:
  // Step length and integrator come from model.option, the contact model from the world
  // (contact_settings). The model must outlive the simulator. Throws WorldError for a world that
  // cannot be run. If rk4 cannot handle the impulses of the world, and the world has
  // abut.integrator.else = euler (as files that request RK4 have), euler runs and warnings() says
  // so.
  explicit Simulator(const Model& model);
  Simulator(const Model& model, const ContactSettings& settings);

  // Advances the state by one time step under a constant input. It allocates nothing after the
  // first call. Throws WorldError if the input does not fit the model.
  void step(State& state, const Input& input);

  // Poses, forces and accelerations at the start of the last step.
  const Derived& derived() const { return derived_; }
  // Contacts, impulses and solver results of the last step.
  const ContactStep& contact() const { return contact_; }
  // Unconstrained end velocities of the last step, in solver coordinates (solver_velocity.h);
  // contact().change() is the change by constraints.
  const std::vector<double>& free_velocities() const { return u_free_; }
  ContactStep& contact() { return contact_; }
  // Called for every pair before it is solved, to change its friction, the velocity of its surface,
  // or to switch it off (constrain/rows/contact_change.h); under st and ap. An empty one ends it.
  void on_contact(const ChangeContact& change) { contact_.on_contact(change); }
  // Whether impulses of joints or contacts may be part of a step.
  bool is_constrained() const { return constrained_; }
  // What accelerate() made of the last step: its implicit damping.
  const Stepper& stepper() const { return stepper_; }
  // v at the start of the last step.
  std::span<const double> velocities_before() const { return v_before_; }
  // Contact forces of the last step: the time average over its substeps. The second form allocates
  // nothing if `out` is reused.
  ContactForces contact_forces() const;
  void contact_forces(ContactForces& out) const;
  // On how many threads a step may run (0: all cores; 1 unless set). Results do not depend on it.
  void set_threads(int count) { contact_.set_threads(count); }
  int threads() const { return contact_.threads().count(); }
  Profile& profile() { return profile_; }
  const Profile& profile() const { return profile_; }
  const Model& model() const { return model_; }
  Integrator integrator() const { return integrator_; }  // the integrator that runs
  // Warnings about the world under this contact model and integrator, one line each.
  std::vector<std::string> warnings() const;

 private:
  bool advance(double h, State& state, const Input& input);
  void predict(double h, State& state, const Input& input);
  bool constrain(double h, State& state, const Input& input);
  void bounce(double h, State& state, const Input& input);
  bool ends_at_impact(State& state);
  void count_turns(State& state) const;
  Integrator choose_integrator(const ContactSettings& settings);

  const Model& model_;
  Integrator integrator_;
  std::string integrator_warning_;  // empty: the requested integrator runs
  Derived derived_;
  Stepper stepper_;
  ContactStep contact_;
  bool constrained_;  // impulses must be computed: of joints or of contacts
  std::vector<double> u_free_, v_before_;
  Substeps substeps_;
  PartForces part_forces_;
  int bounces_left_ = 0;  // substeps of the step that may still end at a bounce
  bool regresses_;        // substeps end where solids meet
  ImpactTime impact_time_;
  Input after_;  // input after a substep that may be repeated
  double work_before_ = 0;
  Profile profile_;
};

// Why rk4 cannot run this world under these settings; empty if it can.
std::string why_not_rk4(const Model& model, const ContactSettings& settings);

// Why a world cannot be simulated; empty if it can.
std::string why_not_simulated(const Model& model);

}  // namespace abut
