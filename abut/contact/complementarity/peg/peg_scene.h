// The poses that Peg (peg.h) looks at: those at the start of the step, and those at the end that a
// change of the velocities leads to. How a pair stands at either, and what the step before held it
// with.
//
//   scene.begin(step);
//   scene.go_to_end(change);
//   if (scene.view_end(choice)) gap = scene.view().proximity().distance;
#pragma once

#include <span>
#include <vector>

#include "abut/contact/complementarity/peg/peg_trial.h"
#include "abut/contact/complementarity/peg_step.h"

namespace abut {

class PegScene {
 public:
  PegScene(const Model& model, const Collider& collider);
  void begin(const PegStep& step);

  const Model& model() const { return model_; }
  const PegStep& step() const { return *step_; }
  const Derived& start() const { return step_->start.d; }
  // m: how far the two solids of a pair may come in the step, together.
  double reach(const PegChoice& c) const {
    return step_->reach[static_cast<std::size_t>(c.geom_a)] +
           step_->reach[static_cast<std::size_t>(c.geom_b)];
  }

  // The end that `change` leads to; nothing is done if it is there already. factor_end() adds what
  // rows need there.
  void go_to_end(std::span<const double> change);
  void factor_end();
  const Derived& end() const { return end_; }
  const State& end_state() const { return end_state_; }
  Around around(std::span<const double> change) const {
    return {{end_state_, end_input_, end_}, change};
  }

  // A pair at either moment, in view(). False: it has no planes.
  bool view_start(const PegChoice& c) { return view(c, start()); }
  bool view_end(const PegChoice& c) { return view(c, end_); }
  PlanePair& view() { return view_; }

  // m, at the start; -infinity: the plane is none there.
  double start_separation(const PegChoice& c);
  // Whether the two pass through each other on the way from the start to the end: clipping a corner
  // by less than half of the thinner one's width is let pass.
  bool goes_through(const PegChoice& c);
  // m: how deep a pair may stay in each other, once the step has fallen back to that.
  double slack_of(const PegChoice& c);
  void let_stay() { lets_stay_ = true; }  // level 2
  bool lets_stay() const { return lets_stay_; }

  // The plane of the pair in the step before, and whether its rows were where surfaces meet.
  SeparatingPlane remembered(PairKey key, bool* met = nullptr) const;
  static std::int32_t to_remember(const SeparatingPlane& plane, bool meets);

 private:
  bool view(const PegChoice& c, const Derived& d);

  const Model& model_;
  const PegStep* step_ = nullptr;
  PlanePair view_;
  bool lets_stay_ = false;
  State end_state_;
  Input end_input_;
  Derived end_;
  std::vector<double> end_change_;  // that end_ is of
  bool has_end_ = false, end_is_factored_ = false;
};

}  // namespace abut
