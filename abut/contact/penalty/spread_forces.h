// SpreadForces: the frame of models that spread springs and dampers over the common part of two
// solids (volumetric.h, quasirigid.h). The model says how stiff a piece is and what presses there;
// the rest is the same for all:
//
//   pieces    contact_pieces.h
//   damping   as much as the step can follow (step_budget.h)
//   friction  at the place where the pressing force acts, and about its normal (spread_friction.h)
//
// What presses, unless the model says otherwise: springs through the centroid of the volume,
// dampers by a speed that is linear over the shadow, never a pull (H-E6, H-E7).
#pragma once

#include <vector>

#include "abut/contact/penalty/friction/spread_friction.h"
#include "abut/contact/penalty/stiffness/carried_loads.h"
#include "abut/contact/penalty/stiffness/gains.h"
#include "abut/contact/penalty/stiffness/stack_dampers.h"
#include "abut/contact/penalty/stiffness/step_budget.h"
#include "abut/contact/penalty/surface/contact_pieces.h"
#include "abut/contact/settings.h"

namespace abut {

class SpreadForces : public ForceModel {
 public:
  SpreadForces(const Model& model, const FrictionRule& friction, const Mobility& mobility,
               double step, const SurfaceOptions& options);

  int pair_width() const override { return kStoreysSlot + 1; }  // friction, load
  int point_width() const override { return 0; }
  bool wants_points() const override { return false; }
  void forces(const ForceScene& scene, const ContactMemory& memory,
              std::vector<ContactForce>& out) override;
  void point_ids(const ForceScene&, int, std::vector<std::uint64_t>& ids) override { ids.clear(); }
  void advance(const ForceScene& scene, const ContactMemory& before, ContactMemory& now,
               ContactMemory& after) override;
  bool holds() const override { return !stack_.empty(); }
  // Springs of piles become stiffer under loads that are learned, and would be left without energy.
  bool keeps_account(const Patch& patch) const override {
    return carried_.storeys(patch.geom_a, patch.geom_b) == 1;
  }
  void hold(const ForceScene& scene, std::span<const double> u, std::span<const double> u_rate,
            std::vector<ContactForce>& out) override;

 protected:
  // Of a piece: k, b of all its springs together along the normal, k_t along the surface, and what
  // it is pressed by.
  struct Pressed {
    double kp = 0, kv = 0, kt = 0;  // N/m, N s/m, N/m
    double rocking = 1;  // dampers resist tilting so many times as much as if spread evenly
    double settles = 0;  // N s/m: along the normal, of dampers of stacks (stack_dampers.h)
    double mu = 0;
    double damping = 1;          // what of kv the step can follow
    double load = 0;             // F_n (N)
    Vec3 point = Vec3::Zero();   // where it acts, and friction with it
    Vec3 couple = Vec3::Zero();  // N m, on B: of dampers, what no place in the shadow accounts for
  };
  // `load` (N): what the two bodies are known to carry (GainTable::follow_load), times finer() and
  // CarriedLoads::storeys().
  virtual Pressed stiffness(const PairView& pair, const ContactPiece& piece, double load) const = 0;
  virtual void follow_load(const PairView&, double /*load*/, double /*carried*/,
                           std::span<double> /*known*/) const {}
  // Of a pair's memory: what it is known to carry, times what makes it stiff enough for its deepest
  // place and its smallest body; the latter, as found last; CarriedLoads::storeys().
  static constexpr int kLoadSlot = kSpreadWidth + 2, kTimesSlot = kLoadSlot + 1,
                       kStoreysSlot = kTimesSlot + 1;
  StepParts::Slots slots() const {
    return {pair_width() + frame_width(), kLoadSlot, kTimesSlot, kStoreysSlot};
  }
  void set_step(double h) {
    step_ = h;
    budget_.set_step(h);
  }
  // Sets load, point and couple. The piece's surface pushes.
  virtual void press(const PairView& pair, int piece, Pressed& pressed);
  virtual bool limits_damping() const { return true; }

  const ContactPieces& pieces() const { return pieces_; }
  double finer(const PairView& pair) const {  // as carried_loads.h has it
    return carried_.finer(pair.patch.geom_a, pair.patch.geom_b);
  }
  double storeys(const PairView& pair) const {
    return carried_.storeys(pair.patch.geom_a, pair.patch.geom_b);
  }

 private:
  void look(const ForceScene& scene, const ContactMemory& memory);
  SpreadContactPoint friction_at(const PairView& pair, int piece) const;
  void find_loads(const ForceScene& scene);
  void find_stacks(const ForceScene& scene);
  double load_of(const PairView& pair) const;

  const Model& model_;
  double step_;  // s
  FrictionRule friction_;
  const Mobility& mobility_;
  StepBudget budget_;
  ContactPieces pieces_;
  CarriedLoads carried_;
  StackDampers stack_;
  std::vector<Pressed> pressed_;                   // one a piece
  std::vector<std::pair<PairKey, double>> loads_;  // of two bodies (N)
  const ContactData* looked_at_ = nullptr;  // by advance(); the next forces() asks for the same
};

}  // namespace abut
