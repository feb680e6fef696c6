// ForceSlopes: exact derivatives of the smooth forces, passive + actuation + applied (forward.h), in the
// tangent space of q, and of the activations after a step.
//
//   abut::ForceSlopes slopes(model);
//   if (slopes.why_not().empty()) slopes.find(state, input, d);
//   slopes.by_q, slopes.by_v, slopes.by_act, slopes.by_ctrl        // rows: forces on the dofs
#pragma once

#include <string>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

class ForceSlopes {
 public:
  explicit ForceSlopes(const Model& model) : model_(model) {}

  // What the model has of which there are no derivatives; empty: nothing.
  std::string why_not() const;
  // What of the input, or of forces that are just at a bound, has none; empty: nothing. d has
  // smooth_forces() of the state.
  std::string why_not(const State& state, const Input& input, const Derived& d) const;

  void find(const State& state, const Input& input, const Derived& d);

  MatX by_q, by_v, by_act, by_ctrl;  // nv rows
  MatX act_by_act, act_by_ctrl;      // na rows: of the activations after the step
  VecX damping_by_v;                 // -d2(force)/dv2 of each dof's damper

 private:
  void add_springs(const State& state);
  void add_dampers(const State& state);
  void add_tendons(const Derived& d);
  void add_carried_weights(const Derived& d);
  void add_applied(const Input& input, const Derived& d);
  void add_actuators(const State& state, const Input& input, const Derived& d);
  void add_actuator(int index, const State& state, const Input& input, const Derived& d);

  const Model& model_;
};

}  // namespace abut
