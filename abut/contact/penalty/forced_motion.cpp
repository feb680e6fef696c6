#include "abut/contact/penalty/forced_motion.h"

#include "abut/dynamics/articulated.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"

namespace abut {

void ForcedMotion::find(const Model& model, const State& stage, Derived& d,
                        std::span<const double> force) {
  for (std::vector<double>* x : {&tau_, &acceleration_, &u_, &u_rate_}) x->resize(at(model.nv));
  for (std::size_t i = 0; i < tau_.size(); ++i) tau_[i] = d.tau[i] + force[i];
  articulated_acceleration(model, stage.v, tau_, {}, d, acceleration_);
  to_solver_velocity(model, d, stage.v, u_);
  to_solver_acceleration(model, d, stage.v, acceleration_, u_rate_);
}

}  // namespace abut
