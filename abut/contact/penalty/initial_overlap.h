// InitialOverlap: solids that a world puts into each other come apart gently.
//
// Springs whose depth nobody paid for throw a solid out: at the default gains of a step of 1 ms a
// cube of 3 m that begins 0.28 m deep left with 20 to 200 m/s. So springs act on a part s of the
// depth alone. With D the depth (m) that a pair did not come by through its own motion,
//
//   s = 1 - D / depth
//   D <- min(D exp(-h / T), depth)   in each step, T = kRecovery
//
// and the springs lift the solids at D / T, slower and slower. D begins as the whole depth where
// the state remembers nothing, and where a pair is new as what the motion of one step does not
// account for: a body that somebody has put somewhere else. Dampers are whole all the while.
//
// Not where somebody chose the gains (ForceModel::recovers): those do what their laws say.
//
//   overlap.begin(h, scene, before, slot);       // `before`: the last step's memory
//   scene.recovery = overlap.of(scene.data);     // for laws (force_law.h), in each stage
//   after.pair_values(pair)[slot] = overlap.left(key);
#pragma once

#include <span>
#include <vector>

#include "abut/contact/penalty/force_law.h"

namespace abut {

class InitialOverlap {
 public:
  // `on`: else all springs are whole, and nothing is remembered.
  InitialOverlap(const Model& model, bool on) : model_(model), on_(on) {}

  // The overlaps of this moment, with velocities before any impact. `fresh`: nothing is remembered.
  // Else D is the value `slot` of a pair in `before`.
  void begin(double h, const ForceScene& scene, const ContactMemory& before, bool fresh,
             std::size_t slot);
  // One a patch of `data`; none where all springs are whole. Valid until the next call.
  std::span<const Recovery> of(const ContactData& data);
  double left(PairKey key) const;  // D, for the next step

  static constexpr double kRecovery = 0.5;  // s

 private:
  struct Overlap {
    PairKey key = 0;
    double last = 0, now = 0;  // D (m)
  };
  double at_first_sight(const ForceScene& scene, int patch) const;
  const Overlap* find(PairKey key) const;

  const Model& model_;
  bool on_;
  std::vector<Overlap> overlaps_;  // ascending by key
  std::vector<Recovery> recovery_;
};

}  // namespace abut
