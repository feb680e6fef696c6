// The velocity terms of the joints that close loops: k in g'' = J u' + k, where g' = J u (Cline and
// Pai, section III-B), for all kinds alike. k = d(J u)/dt along the motion with constant u. It is a
// central difference over a hundredth of the step, so that its error is rounding: 1e-10 of the
// change of J u in a second.
//
//   abut::EqualityAcceleration terms(model);
//   terms.velocity_terms(h, state, input, d, u, k);
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/equality.h"

namespace abut {

class EqualityAcceleration {
 public:
  explicit EqualityAcceleration(const Model& model);

  // u is in solver coordinates (solver_velocity.h), d has the poses of the state; k has one entry
  // for each row of EqualityRows. Driven bodies are assumed to keep their velocities.
  void velocity_terms(double h, const State& state, const Input& input, const Derived& d,
                      std::span<const double> u, std::vector<double>& k);

 private:
  void rates_at(double t, const State& state, const Input& input, const Derived& d,
                std::span<const double> u, std::vector<double>& rate);

  const Model& model_;
  EqualityRows equalities_;
  ConstraintRows rows_;
  State moved_;
  Derived there_;
  std::vector<double> dp_, before_;
};

}  // namespace abut
