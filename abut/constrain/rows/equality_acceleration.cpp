#include "abut/constrain/rows/equality_acceleration.h"

#include "abut/dynamics/solver_velocity.h"
#include "abut/model/kinematics.h"

namespace abut {

EqualityAcceleration::EqualityAcceleration(const Model& model)
    : model_(model),
      equalities_(model),
      rows_(model),
      moved_(model),
      there_(model),
      dp_(static_cast<std::size_t>(model.nv)) {}

void EqualityAcceleration::velocity_terms(double h, const State& state, const Input& input,
                                          const Derived& d, std::span<const double> u,
                                          std::vector<double>& k) {
  const double t = 0.01 * h;
  rates_at(-t, state, input, d, u, before_);
  rates_at(t, state, input, d, u, k);
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = (k[i] - before_[i]) / (2 * t);
}

// J u at the configuration after t seconds.
void EqualityAcceleration::rates_at(double t, const State& state, const Input& input,
                                    const Derived& d, std::span<const double> u,
                                    std::vector<double>& rate) {
  for (std::size_t i = 0; i < dp_.size(); ++i) dp_[i] = t * u[i];
  moved_.q = state.q;
  moved_.turn = state.turn;
  displace(model_, d, dp_, moved_.q);
  positions(model_, moved_, input, there_);
  rows_.begin(there_);
  equalities_.add(moved_, input, there_, rows_);
  rate.resize(static_cast<std::size_t>(rows_.rows()));
  rows_.velocities(u, rate);
}

}  // namespace abut
