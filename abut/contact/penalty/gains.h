// The gains of a penalty model, by pair: stiffness, damping, weight and memory of the integral
// term.
//
//   auto    stiffness from the step and the reduced mass (seed 004, eq. 8): pi^2 m / (8 h)^2, a
//           bounce of 16 steps; more where a body would sag by more than 1e-3 of its size under its
//           own weight; never more than the step can follow at the corner that turns most easily
//           (see kStable). Damping 2 zeta sqrt(k_p m); k_i / k_p as in seed 000.
//   paper   seed 000, III-C: (100, 50, 2) times m1 + m2; what is fixed has no mass. Of models that
//           spread a force over an area seed 004's: eq. 8 and zeta, whatever the step can follow.
//
// Parts of a step. Explicit forces follow springs up to m / h^2 or so. Where carrying kLoads times
// a body's weight with a sag of 1e-3 of its size takes more, the step is taken in parts, each a
// step of its own: a body of 1 cm at 1 ms in 5. `abut.NAME.parts` says how many. Gains that the
// user gave, those of the papers, and robots have the step as it is.
//
// Loads. What a pair carries beyond that is not known from the world, but from the run: from who
// lies on whom (carried_loads.h) at once, and from the force that presses two bodies over 0.5
// sqrt(L/g) (follow_load), which knows of pushes too. Springs are as stiff as carrying it with a
// sag of 1e-3 L takes, and the step is taken in as many more parts as they need (choose_parts), 64
// at most; beyond that a warning says so. So a cube holds a thousand others, and costs that only
// where it does. What is stacked is damped beyond what a single body's mass allows by
// stack_dampers.h.
//
// A force that is spread over an area is softer at a corner (a third of k_p) and turns a flat body
// less, so that more stiffness can be followed; what damping this leaves room for is found from the
// contacts that there are (step_budget.h).
//
// `abut.NAME.kp`, `.kv`, `.ki`, `.lambda`, `.zeta`, `.kt` (NAME the model's) replace single
// numbers, for all, a geom or a pair (pair_number.h); kv and ki follow a given kp by zeta and by
// the ratio.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/contact/pair_number.h"
#include "abut/contact/penalty/mobility.h"
#include "abut/model/contact_memory.h"

namespace abut {

// How many parts of the world's step a penalty model asks for: 1 in most worlds.
int step_parts(const Model& model, const Collider& collider, const Mobility& mobility,
               std::string_view name, bool free_gains);

// kg: what the lighter of two may have to carry of the other: up to four times its own mass. 0: is
// fixed or driven.
double loaded_mass(double mass_a, double mass_b);

struct Gains {
  double kp = 0;         // N/m
  double kv = 0;         // N s/m
  double ki = 0;         // N/m per step's depth
  double lambda = 0.85;  // what of the sum is left after a step
  double kt = 0;         // N/m: along the surface; k_p, but eq. 8's at most where forces are spread
  bool free = false;     // nobody asked for this stiffness and damping: a model may lower them

  // N/m: what carries a weight once the sum has settled (spec D-E5).
  double settled() const { return kp + ki / (1 - lambda); }
};

// Which of a model's gains there are, and what `auto` is for it.
struct GainKind {
  std::string_view name = "deepest";  // abut.NAME.kp
  bool damped = true, integral = true;
  double zeta = 0.37;     // spec H-E6: what stops seed 004's cube in its 70 steps
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
  // What two bodies that are pressed by `load` (N) and said to carry `carried` (N, carried_loads.h)
  // will be known to carry after a step: three numbers of memory, of which the last counts. The
  // first two filter the load: one alone would lag by a quarter of a turn behind what bounces, and
  // springs that follow it would feed the bounce. 0: gains do not follow loads.
  void follow_load(int geom_a, int geom_b, double load, double carried,
                   std::span<double> known) const;
  // For the step that begins with this memory, in which values()[slot] of a pair is its load, or
  // that times values()[times_slot].
  int choose_parts(const ContactMemory& memory, int width, int slot, int times_slot = -1);
  // kg: least mass that a contact of the two can meet, at their corners.
  double least_mass(int geom_a, int geom_b) const { return 1 / mobility_.worst(geom_a, geom_b); }

  const Mobility& mobility() const { return mobility_; }
  bool of_paper() const { return paper_; }
  // Of the world's step, as chosen last; what gains are for (s).
  int parts() const { return parts_; }
  double step() const { return step_; }

  // Pairs for which the step is too long, or that sag too much; the worst of each, named.
  std::vector<std::string> warnings(const PairFilter& filter) const;
  // `lines`, and one of what carried more in the steps so far than they had parts for.
  std::vector<std::string> with_overload(std::vector<std::string> lines) const;

  // Semi-implicit Euler is stable where 2 a + b < 4, with a = h k_v / m, b = h^2 k_p / m (m the
  // mass that the contact meets); rk4 goes a little farther (spec D-N2). Default gains stay below
  // kStable at the worst corner.
  static constexpr double kStable = 3;
  // The same for forces that are spread: k_p h^2 / m at most, m the reduced mass or three times
  // that at the worst corner; and how many times its own weight a body may carry without sagging
  // by more than 1e-3 of its size. In a stack, where each is held on two sides, twice as much
  // works on a body.
  static constexpr double kStiffest = 1, kStiffestCorner = 3, kLoads = 4;
  // Of m / h^2, m the reduced mass: springs that leave room for damping where a body has several.
  static constexpr double kAtEase = 0.4;

 private:
  double stretch(const Gains& g, int geom_a, int geom_b) const;
  double parts_for(int geom_a, int geom_b, double load) const;  // of the world's step

  const Model& model_;
  std::string name_;
  Mobility mobility_;
  PairNumber kp_, kv_, ki_, lambda_, zeta_, kt_;
  GainKind kind_;
  bool paper_ = false;
  double g_;  // m/s^2
  int least_parts_ = 1, most_parts_ = 1, parts_ = 1;
  double least_step_ = 0, step_ = 0;  // s
  bool follows_loads_ = false;
  struct {
    PairKey pair = 0;
    double load = 0, parts = 0;  // N; how many it needs
  } overloaded_;                 // the worst so far of those that would need more parts
};

}  // namespace abut
