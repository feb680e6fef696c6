// Measurements of a run, the same for every contact model: from the state alone.
#pragma once

#include <memory>

#include "abut/constrain/rows/equality.h"
#include "abut/dynamics/energy.h"
#include "abut/simulate/overlap.h"

namespace abut {

struct Sample {
  double time = 0;  // s
  Energy energy;
  Momentum momentum;
  Overlap overlap;
  double joint_error = 0;  // largest error of joints that close loops (m or rad)
};

class Measure {
 public:
  explicit Measure(const Model& model);

  Sample sample(const State& state, const Input& input);

  // Forgets all samples, for another run. What is made of the world's solids stays.
  void restart();
  // Adds a sample to the run's figures; drift is relative to the first sample.
  const Sample& record(const State& state, const Input& input);

  const Sample& first() const { return run_.first; }
  const Sample& last() const { return run_.last; }
  int count() const { return run_.count; }

  // Largest |E(t) - E(0)|, divided by the larger of |E(0)| and the largest kinetic energy.
  double energy_drift() const;
  // Largest |p(t) - p(0)|, linear or angular, divided by the largest |p(t)| of its kind.
  double momentum_drift() const;
  // Over all samples: the deepest overlap, and the mean over touching pairs and samples.
  const Overlap& overlap() const { return run_.overlap; }
  double joint_error_max() const { return run_.joint_error; }

  const Derived& derived() const { return derived_; }
  // Of the last sample.
  OverlapMeasure& solids() { return *solids_; }

 private:
  const Model& model_;
  Derived derived_;
  std::unique_ptr<OverlapMeasure> solids_;  // created on first use
  EqualityRows equalities_;
  ConstraintRows rows_;
  struct Figures {  // of the samples
    Overlap overlap;
    double joint_error = 0;
    Sample first, last;
    int count = 0;
    double energy_change = 0, kinetic_max = 0;
    double linear_change = 0, linear_max = 0, angular_change = 0, angular_max = 0;
  };
  Figures run_;
};

// The first body that has diverged: a non-finite number, or a speed above 1e6 of its sizes per
// second. -1: none.
int diverged_body(const Model& model, const State& state);

}  // namespace abut
