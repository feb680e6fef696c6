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

void ContactModel::impulses(std::vector<ContactForce>& out) const {
  out.clear();
  const std::vector<Contact>& contacts = world_.stepping.contacts();
  for (std::size_t c = 0; c < contacts.size(); ++c)
    out.push_back({.patch = contacts[c].patch,
                   .position = contacts[c].position,
                   .force = world_.stepping.impulses()[c],
                   .couple = world_.stepping.couples()[c]});
}

// A problem of joints alone has no contacts.
const ContactData& ContactModel::data_of_joints() {
  static const ContactData kNone;
  return kNone;
}

}  // namespace abut
