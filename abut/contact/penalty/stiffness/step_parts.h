// StepParts: the number of parts into which a penalty model divides the step, and the loads that its
// contacts carry.
//
// Explicit integration is stable for springs of up to about m / h^2. If carrying kLoads times a body's
// weight with a sag of 1e-3 of its size needs stiffer springs, the step is divided into equal parts:
// into 5 for a body of 1 cm at 1 ms. `abut.NAME.parts` sets the number. With gains of the user or of the
// papers, and for robots, the step is not divided.
//
// Loads. Larger loads are not known from the world; they are found during the run. The stacking of
// bodies (carried_loads.h) gives a load at first touch; the force between two bodies, filtered over 0.5
// sqrt(L/g) (follow_load), also shows pushes. Springs are made stiff enough to carry the load with a sag
// of 1e-3 L, and the step has as many parts as these springs need (choose), 64 at most; if this is too
// few, a warning says so. So a cube can carry a thousand others, and only such worlds pay for it.
//
//   StepParts parts(model, collider, mobility, "abut.volumetric", {.in_parts = true});
//   parts.choose(memory, width, slot);
//   take(parts.count(), parts.step());
#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/contact/penalty/stiffness/mobility.h"
#include "abut/model/contact_memory.h"

namespace abut {

// kg: what the lighter of two may have to carry of the other: up to four times its own mass. 0: is
// fixed or driven.
double loaded_mass(double mass_a, double mass_b);
// kg: of two the lighter, which the other most likely carries; what is fixed carries all.
double carried_mass(double mass_a, double mass_b);

class StepParts {
 public:
  struct Kind {
    bool in_parts = true;  // else the step is as it is
    bool free = true;      // nobody gave gains: parts and springs follow sizes and loads
  };
  // `name`: abut.NAME. Throws WorldError for an abut.NAME.parts that cannot be.
  StepParts(const Model& model, const Collider& collider, const Mobility& mobility,
            std::string name, const Kind& kind);

  // Of the world's step, as chosen last; what gains are for (s).
  int count() const { return count_; }
  double step() const { return step_; }
  double least_step() const { return least_step_; }  // s: of as few parts as sizes ask for
  bool follows_loads() const { return follows_loads_; }
  bool is_robot(int geom) const;

  // What two bodies that are pressed by `load` (N) and said to carry `carried` (N, carried_loads.h)
  // will be known to carry after a step: three numbers of memory, of which the last counts. The
  // first two filter the load: one alone would lag by a quarter of a turn behind what bounces, and
  // springs that follow it would feed the bounce. 0: gains do not follow loads.
  void follow_load(int geom_a, int geom_b, double load, double carried,
                   std::span<double> known) const;
  // Where a pair's memory has them: its load, times what makes it stiff enough (`times`, -1: 1),
  // and CarriedLoads::storeys().
  struct Slots {
    int width = 0, load = 0, times = -1, storeys = 0;
  };
  // For the step that begins with this memory.
  int choose(const ContactMemory& memory, const Slots& slots);
  // `lines`, and one of what carried more in the steps so far than they had parts for.
  std::vector<std::string> with_overload(std::vector<std::string> lines) const;

  // How many times its own weight a body may carry without sagging by more than kSpringSag.
  static constexpr double kLoads = 4;
  // Of m / h^2, m the reduced mass: springs that leave room for damping where a body has several.
  static constexpr double kAtEase = 0.4;

 private:
  int from_sizes(const Collider& collider) const;
  double parts_for(int geom_a, int geom_b, double load) const;

  const Model& model_;
  const Mobility& mobility_;
  std::string name_;
  double g_;  // m/s^2
  int least_ = 1, most_ = 1, count_ = 1;
  double least_step_ = 0, step_ = 0;  // s
  bool follows_loads_ = false;
  struct {
    PairKey pair = 0;
    double load = 0, parts = 0;  // N; how many it needs
  } overloaded_;                 // the worst so far of those that would need more parts
};

}  // namespace abut
