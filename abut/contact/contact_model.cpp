#include "abut/contact/contact_model.h"

namespace abut {

Solved ContactModel::solve(const StepToSolve& step, std::span<double> change) {
  const auto& [state, input, d] = step.start;
  world_.stepping.solve(step.h, state, input, d, data_of_joints(), step.u_free, change);
  return Solved::done;
}

void ContactModel::constrain(double h, const StepMoment& stage, std::span<const double> u_free,
                             std::span<const double> /*force*/, std::span<double> change) {
  const auto& [state, input, d] = stage;
  world_.stepping.solve(h, state, input, d, data_of_joints(), u_free, change, {.joints = true});
}

// A problem of joints alone has no contacts.
const ContactData& ContactModel::data_of_joints() {
  static const ContactData kNone;
  return kNone;
}

}  // namespace abut
