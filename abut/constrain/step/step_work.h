// StepWork: what the impulses of a step did to the movers.
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/step/step_rows.h"

namespace abut {

class StepWork {
 public:
  explicit StepWork(const Model& model);

  // From impulses p, J u before the step, u_free, and the change that constraints made of it.
  void find(const StepRows& rows, std::span<const double> p, std::span<const double> before,
            std::span<const double> u_free, std::span<const double> change);
  void clear();

  // J: by contacts, p . J (u + u') / 2, from the velocities before the step to those after it.
  // Negative where friction and impacts took energy.
  double of_contacts() const { return of_contacts_; }
  // J: the same from what the forces of the step lead to, p . J (u_free + u') / 2. Never positive,
  // but for what asks for it: overlap that pushes, driven bodies. A body that rests has lost here
  // what gravity gave it in the step.
  double on_free() const { return on_free_; }
  // J: of the change, in the metric of the masses: 1/2 (u' - u_free)' M (u' - u_free).
  double motion() const { return motion_; }

 private:
  double of_rates(const StepRows& rows, std::span<const double> p) const;

  double of_contacts_ = 0, on_free_ = 0, motion_ = 0;
  std::vector<double> u_;     // one a dof
  std::vector<double> rate_;  // one a row
};

}  // namespace abut
