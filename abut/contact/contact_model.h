// ContactModel: the one door for contact models. A model is a class with the moments of a step
// below, a ModelInfo, and a line in the registry (registry.cpp); a program or a plug-in adds one
// from outside by add_contact_model() (registry.h; docs/add-a-contact-model.md).
//
// ContactStep (contact_step.h) calls the moments in this order:
//
//   choose_parts()    how many substeps the step takes
//   begin()           before the stages: contact data at the start, impacts
//   add_forces()      in every stage of the integrator: generalized forces
//   find()            contact data of the step ahead
//   strike()          impacts at the start of the step; the stages are then repeated
//   solve()           impulses of contacts and joints, as one problem
//   end()             after the move: what the state remembers
//
// Models of the family `forces` use begin(), add_forces() and end(), and leave solve() to the
// joints; those of the family `impulses` use find(), strike(), solve() and end(). Every function
// has a default that does nothing, or solves for the joints alone.
//
// A model may keep buffers and caches of its own, but nothing that changes the future: that is in
// State's contact memory.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/step/time_stepping.h"
#include "abut/contact/contact_force.h"
#include "abut/contact/model_info.h"
#include "abut/contact/settings.h"
#include "abut/dynamics/integrate.h"
#include "abut/math/threads/threads.h"

namespace abut {

// What a model is made with; all of it outlives the model.
struct ContactWorld {
  const Model& model;
  const ContactSettings& settings;
  Integrator integrator;       // the one that runs, which need not be the world's
  Collider& collider;          // contact data
  TimeStepping& stepping;      // joints, limits and rows of contacts as one problem
  Threads* threads = nullptr;  // where parts of a step may run; null: the caller's alone
};

// Takes a state from the start of the step to its end, with what constraints change of the
// velocities.
using MoveState = std::function<void(State&, std::span<const double> change)>;

// A step that is to be solved. Positions, velocities and the factor of M (with the damping that
// u_free has) are ready in start.d.
struct StepToSolve {
  double h;  // s
  StepMoment start;
  std::span<const double> u_free;   // end velocities without constraints, in solver coordinates
  std::span<const double> damping;  // on the diagonal of M
  const MoveState& move;
  bool may_halve = false;   // the model may ask for two halves instead
  bool may_bounce = false;  // the model may ask for a substep that ends at a bounce
};

enum class Solved {
  done,     // `change` is what constraints add to u_free
  halves,   // nothing was solved: take the step in two halves
  bounces,  // nothing was solved: a pair bounces at first_bounce()
};

class ContactModel {
 public:
  explicit ContactModel(const ContactWorld& world) : world_(world) {}
  virtual ~ContactModel() = default;

  // --- The moments of a step.
  // Before a step and all its substeps.
  virtual void start_step() {}
  // In how many equal parts the step is to be taken; parts(): what was chosen last.
  virtual int choose_parts(const State&) { return 1; }
  virtual int parts() const { return 1; }
  // Wants positions() and velocities() in d. Impacts change d's velocities and state.v.
  virtual void begin(double /*h*/, State& /*state*/, const Input& /*input*/, Derived& /*d*/) {}
  // force += generalized forces, one a dof. Reads the state's memory, writes none.
  virtual void add_forces(const State& /*stage*/, const Input& /*input*/, Derived& /*d*/,
                          std::span<double> /*force*/) {}
  // Contact data of the step from `start` on.
  virtual void find(double /*h*/, const StepMoment& /*start*/, std::span<const double> /*u_free*/) {
  }
  // Impacts at the start of the step: changes state.v and d's velocities, and says whether it did.
  virtual bool strike(double /*h*/, State& /*state*/, const Input& /*input*/, Derived& /*d*/) {
    return false;
  }
  // By default the joints alone.
  virtual Solved solve(const StepToSolve& step, std::span<double> change);
  // In a stage of rk4, in place of find() and solve(): rows by accelerations. `force` is what
  // add_forces() added.
  virtual void constrain(double h, const StepMoment& stage, std::span<const double> u_free,
                         std::span<const double> force, std::span<double> change);
  virtual void end(double /*h*/, State& /*state*/) {}

  // --- Bounces within a step, of models that follow them one by one.
  // Whether steps may end where solids bounce.
  virtual bool has_bounces() const { return false; }
  // After Solved::bounces: when (s from the start of the step).
  virtual double first_bounce() const { return kInfinity; }
  // Strikes all pairs that bounce in the step where they are now, at the gaps that are left: for
  // steps with more bounces than can be followed.
  virtual bool strike_ahead(double /*h*/, State& /*state*/, const Input& /*input*/,
                            Derived& /*d*/) {
    return false;
  }
  // Whether solve() has struck bodies on their way through the step: impact_work(), struck() and
  // struck_data() are then of these.
  virtual bool struck_on_the_way() const { return false; }
  // Impulses (N s in place of N) of the last strike, and the contacts that they act at.
  virtual std::span<const ContactForce> struck() const { return {}; }
  virtual const ContactData& struck_data() const { return data(); }

  // Whether contacts are part of the problem that solve() solves, and not forces alone.
  virtual bool has_rows() const { return true; }

  // --- What trees are held, for the rule that free flight is exact (Stepper::move): one a dof, the
  // generalized forces of contacts, infinite for trees that are held whatever these are; empty:
  // none. `force` is what add_forces() added in the last stage.
  virtual std::span<const double> held(std::span<const double> /*force*/) const { return {}; }

  // --- To be read after a step.
  // Contacts that the forces or impulses act at; ascending by pair.
  virtual const ContactData& data() const = 0;
  // Forces, where these are not impulses; null: they are.
  virtual const std::vector<ContactForce>* forces() const { return nullptr; }
  // Impulses (N s in place of N) of the last solve(), ascending by patch: by default those of
  // TimeStepping.
  virtual void impulses(std::vector<ContactForce>& out) const;
  // J: of these impulses (StepWork).
  virtual double work() const { return world_.stepping.work(); }
  virtual double work_on_free() const { return world_.stepping.work_on_free(); }
  // Whether the model may remove overlap itself; whether it does so for this pair of the last step,
  // so that the post-step leaves the pair as it is; and for all pairs of the last step.
  virtual bool may_keep_apart() const { return false; }
  virtual bool keeps_apart(const Patch&) const { return false; }
  virtual bool keeps_all_apart() const { return false; }
  // J: what contacts have stored at the end of the step (docs/laws.md).
  virtual double stored_energy() const { return 0; }
  // J: what the impacts of the last begin(), strike() or solve() did to the movers.
  virtual double impact_work() const { return 0; }
  // N s: momentum handed between bodies to keep the sum of angular momentum (peg).
  virtual double handed() const { return 0; }
  // Adds to the report of the step's problems: fallbacks of the model's own.
  virtual void add_to(SolveReport&) const {}
  // What a user should know of the world under this model; a line each.
  virtual std::vector<std::string> warnings() const { return {}; }

 protected:
  static const ContactData& data_of_joints();

  ContactWorld world_;
};

}  // namespace abut
