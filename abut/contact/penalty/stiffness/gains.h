// The gains of a penalty model, by pair: stiffness, damping, weight and memory of the integral
// term.
//
//   auto    stiffness from the step and the reduced mass (H-9, eq. 8): pi^2 m / (8 h)^2, a
//           bounce of 16 steps; more where a body would sag by more than 1e-3 of its size under its
//           own weight; never more than the step can follow at the corner that turns most easily
//           (see kStable). Damping 2 zeta sqrt(k_p m); k_i / k_p as Drumwright's.
//   paper   D-14: (100, 50, 2) times m1 + m2; what is fixed has no mass. Of models that
//           spread a force over an area H-9's: eq. 8 and zeta, whatever the step can follow.
//
// Springs are for parts of a step and for the loads that are there (step_parts.h). What is stacked
// is damped beyond what a single body's mass allows by stack_dampers.h.
//
// A force that is spread over an area is softer at a corner (a third of k_p) and turns a flat body
// less, so that more stiffness can be followed; what damping this leaves room for is found from the
// contacts that there are (step_budget.h).
//
// `abut.NAME.kp`, `.kv`, `.ki`, `.lambda`, `.zeta`, `.kt` (NAME the model's) replace single
// numbers, for all, a geom or a pair (pair_number.h); kv and ki follow a given kp by zeta and by
// the ratio.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/constrain/rows/pair_number.h"
#include "abut/contact/penalty/stiffness/step_parts.h"

namespace abut {

struct Gains {
  double kp = 0;         // N/m
  double kv = 0;         // N s/m
  double ki = 0;         // N/m per step's depth
  double lambda = 0.85;  // what of the sum is left after a step
  double kt = 0;         // N/m: along the surface; k_p, but eq. 8's at most where forces are spread
  bool free = false;     // nobody asked for this stiffness and damping: a model may lower them

  // N/m: what carries a weight once the sum has settled (D-E5).
  double settled() const { return kp + ki / (1 - lambda); }
};

// Which of a model's gains there are, and what `auto` is for it.
struct GainKind {
  std::string_view name = "deepest";  // abut.NAME.kp
  bool damped = true, integral = true;
  double zeta = 0.37;     // H-E6: what stops Hasegawa and Fujii's cube in its 70 steps
  double part = 1;        // of eq. 8
  bool carries = true;    // weights: stiffer where they would sag too much
  bool spread = false;    // over an area, that of all pieces of a body
  bool in_parts = false;  // the model takes its step in parts where it is too long
  bool capped = true;     // what a step can follow at the worst corner is the most; else the model
                          // sees to it where it knows what touches
};

class GainTable {
 public:
  // Throws WorldError for what the world says of them and cannot be.
  GainTable(const Model& model, const Collider& collider, const GainKind& kind);

  // `loads`: how many times its own weight the lighter of the two carries without sagging too much.
  // `load` (N): what the two are known to carry.
  Gains of(int geom_a, int geom_b, double loads = 1, double load = 0) const;
  // kg: least mass that a contact of the two can meet, at their corners.
  double least_mass(int geom_a, int geom_b) const { return 1 / mobility_->worst(geom_a, geom_b); }

  const Mobility& mobility() const { return *mobility_; }
  bool of_paper() const { return paper_; }
  // Nobody chose stiffness or damping.
  bool all_free() const {
    return !paper_ && !kp_.given() && !kv_.given() && !ki_.given() && !zeta_.given() &&
           !kt_.given();
  }
  StepParts& parts() { return *parts_; }
  const StepParts& parts() const { return *parts_; }
  double step() const { return parts_->step(); }  // s: what gains are for

  // Pairs for which the step is too long, or that sag too much; the worst of each, named.
  std::vector<std::string> warnings(const PairFilter& filter) const;

  // Semi-implicit Euler is stable where 2 a + b < 4, with a = h k_v / m, b = h^2 k_p / m (m the
  // mass that the contact meets); rk4 goes a little farther (D-N2). Default gains stay below
  // kStable at the worst corner.
  static constexpr double kStable = 3;
  // The same for forces that are spread: k_p h^2 / m at most, m the reduced mass or three times
  // that at the worst corner. In a stack, where each is held on two sides, twice as much works on a
  // body.
  static constexpr double kStiffest = 1, kStiffestCorner = 3;

 private:
  double stretch(const Gains& g, int geom_a, int geom_b) const;

  const Model& model_;
  std::string name_;
  std::shared_ptr<const Mobility> mobility_;  // parts_ refers to it, wherever this is moved
  PairNumber kp_, kv_, ki_, lambda_, zeta_, kt_;
  GainKind kind_;
  bool paper_ = false;
  double g_;  // m/s^2
  std::optional<StepParts> parts_;
};

}  // namespace abut
