// PenaltyForces: contact as forces of springs and dampers, for any integrator.
//
//   begin()   before the first stage: contact data at t_n; impacts, for models that have them
//             (contact_phases.h); writes anchors and phases to State's contact memory
//   add()     in every stage: contact data at the stage's poses; adds forces. Reads the memory and
//             does not write it; a pair without memory touches for the first time
//   end()     after the last stage: adds the depth at t_n to sums over steps
//
// The anchors for t_{n+1} are therefore updated at the beginning of the next step. They need contact
// data at t_{n+1}, which are those of its first stage, so that one query a step is enough; and changes
// that the user makes between two steps are taken into account.
//
//   forces.begin(h, state, input, d, collider);
//   forces.add(state, input, d, collider, d.tau);   // as often as there are stages
//   forces.end(state);
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/contact/impact/contact_phases.h"
#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/forced_motion.h"
#include "abut/contact/penalty/friction/turning.h"
#include "abut/contact/penalty/initial_overlap.h"
#include "abut/contact/penalty/pair_accounts.h"
#include "abut/contact/penalty/penalty_memory.h"
#include "abut/contact/penalty/surface/facet_normals.h"
#include "abut/model/state.h"

namespace abut {

class PenaltyForces {
 public:
  PenaltyForces(const Model& model, const Collider& collider, std::unique_ptr<ForceModel> law,
                const ContactSettings& settings = {});

  // Needs positions() and velocities() in d. Impacts change the velocities in d and state.
  void begin(double h, State& state, const Input& input, Derived& d, Collider& collider);
  // force += generalized forces of the contacts, in v's coordinates. The first call after begin()
  // must be at its poses.
  void add(const State& stage, const Input& input, Derived& d, Collider& collider,
           std::span<double> force);
  void end(State& state);

  // Of the first stage, at t_n: the contacts and their forces, ascending by patch. An impulse of an
  // impact is reported as a force over the whole step.
  const ContactData& data() const { return first_.data; }
  const std::vector<ContactForce>& forces() const { return first_.forces; }
  // J: what the contacts have stored (pair_accounts.h), at the start and the end of the last step.
  double energy_at_start() const { return accounts_.at_start(); }
  double energy() const { return accounts_.at_end(); }
  const ContactPhases* phases() const { return phases_ ? &*phases_ : nullptr; }  // null: no impacts
  // Of a step: force_law.h.
  int choose_parts(const State& state) { return law_->choose_parts(state.contacts); }
  int parts() const { return law_->parts(); }
  std::vector<std::string> warnings() const { return law_->warnings(); }

 private:
  // The contacts of one stage of the integrator.
  struct StageContacts {
    ContactData data;
    std::vector<PairQuery> queries;
    std::vector<ContactForce> forces;
  };

  CollideOptions options() const;
  void apply(const std::vector<ContactForce>& forces, const ContactData& data, const Derived& d,
             std::span<double> force) const;
  void open_accounts(const State& stage, const ForceScene& scene, Derived& d,
                     std::span<double> force);
  void hold(const State& stage, const ForceScene& scene, Derived& d, std::span<double> force,
            std::vector<ContactForce>& forces);
  void list_impulses();

  const Model& model_;
  Materials materials_;
  std::unique_ptr<ForceModel> law_;
  std::optional<ContactPhases> phases_;
  std::optional<FacetNormals> facets_;      // where the model's setting `normal` is facets
  std::optional<TurningFriction> turning_;  // where geoms ask for it
  PenaltyMemory memory_;
  PairAccounts accounts_;
  InitialOverlap overlap_;
  ForcedMotion motion_;
  bool kissing_;           // contact data: CollideOptions
  bool limits_;            // accounts limit forces
  bool is_first_ = false;  // the next stage is the first of the step
  double h_ = 0;           // s
  StageContacts first_, later_;
  std::vector<ContactForce> held_;
};

}  // namespace abut
