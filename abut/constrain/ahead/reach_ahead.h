// ReachAhead: how far each geom may come in a step (m), for the contact data of models that look
// ahead: its contact tolerance, what it does by its velocity, and what forces add.
//
//   collider.find(model, d, memory, {.reach = {.geom = reach.find(h, start, u_free)}}, ..);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/step/step_moment.h"

namespace abut {

class ReachAhead {
 public:
  // `tolerance`: part of a geom's size.
  ReachAhead(const Model& model, const Collider& collider, double tolerance);

  // One a geom. u_free: end velocities that nothing constrains, in solver coordinates. `only`: one
  // a geom, or empty: those whose motion counts; others have the tolerance alone.
  std::span<const double> find(double h, const StepMoment& start, std::span<const double> u_free,
                               std::span<const std::uint8_t> only = {});
  // The same without known end velocities: of bodies in free fall.
  std::span<const double> find(double h, const Input& input, const Derived& d);
  // Of the last find(); before the first one the tolerance alone.
  std::span<const double> last() const { return reach_; }

 private:
  double motion_of(std::size_t geom, double h, const StepMoment& start,
                   std::span<const double> u_free) const;

  const Model& model_;
  const Collider& collider_;
  std::vector<double> tolerance_, reach_;  // m, one a geom
};

}  // namespace abut
