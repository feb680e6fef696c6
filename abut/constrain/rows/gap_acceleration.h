// The velocity terms of contacts: k in psi'' = J u' + k, where psi' = J u, for shapes of any kind.
// k is the rate of J u along the motion with u held: the normal turns with the face that it belongs
// to, the point runs over both surfaces. Taken as a difference over a hundredth of the step to both
// sides, as for joints (equality_acceleration.h), each contact found again by its name; one that is
// found on one side alone is differenced to that side, one that is not has k = 0.
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

  // u as solvers speak it (solver_velocity.h), d the poses of the state. Driven bodies go on as
  // they do. `reach`: of each geom (m), as `data` was found with.
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
