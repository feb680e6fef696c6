// The velocity terms of contacts: k in psi'' = J u' + k, where psi' = J u, for shapes of any kind.
// k is the rate of change of J u while u stays constant: the normal turns with its face, and the
// contact point moves over both surfaces. k is a central difference over a hundredth of the step to
// either side, as for joints (equality_acceleration.h). Each contact is found again by the name of its
// point. A contact that is found on one side only has a one-sided difference; a contact that is found
// on neither side has k = 0.
//
//   abut::GapAcceleration terms(model);
//   terms.find(h, tolerance, state, input, d, u, collider, data, k);   // one a point of `data`
#pragma once

#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/model/state.h"

namespace abut {

class GapAcceleration {
 public:
  explicit GapAcceleration(const Model& model);

  // `u`: in solver coordinates (solver_velocity.h); `d`: the poses of the state. Driven bodies keep
  // their velocities. `reach`: of each geom (m), the one with which `data` was found.
  void find(double h, std::span<const double> reach, const State& state, const Input& input,
            const Derived& d, std::span<const double> u, Collider& collider,
            const ContactData& data, std::vector<double>& k);

 private:
  void rates_at(double t, std::span<const double> reach, const State& state, const Input& input,
                const Derived& d, std::span<const double> u, Collider& collider,
                const ContactData& data, std::vector<double>& rate);

  const Model& model_;
  State moved_;
  Input input_;
  Derived there_;
  ContactData data_;
  std::vector<PairQuery> queries_;
  std::vector<double> dp_, before_, now_;
};

}  // namespace abut
