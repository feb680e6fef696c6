#include "abut/constrain/step/step_rows.h"

#include "abut/constrain/rows/loop_softness.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// In the last step.
bool pressed(const ContactMemory& last, const Patch& patch) {
  const int pair = last.find(patch.key());
  return pair >= 0 && last.pairs()[at(pair)].phase == ContactPhase::resting;
}

}  // namespace

StepRows::StepRows(const Model& model, std::vector<double> sizes)
    : model_(model),
      contacts_(model),
      loops_(model),
      loop_softness_(abut::loop_softness(model)),
      joints_(model),
      rows_(model),
      sizes_(std::move(sizes)) {}

double StepRows::size_of(const Patch& patch) const {
  return sizes_[at(patch.geom_a)] + sizes_[at(patch.geom_b)];
}

void StepRows::build(double h, const StepSettings& settings, const StepMoment& moment,
                     const ContactMemory& last, const ContactData& data,
                     std::span<const double> u_free, const StepTerms& terms) {
  const auto& [state, input, d] = moment;
  rows_.begin(d);
  loops_.add(state, input, d, rows_);
  const bool keep = settings.gaps == GapRule::keep;
  joints_.add_limits({settings.tolerance, keep ? 0 : h}, state, d, u_free, rows_);
  joints_.add_friction(d, rows_);
  joints_.add_inertia(h, d, rows_);
  contacts_.build(data, input, d, settings.cone == FrictionCone::none, rows_,
                  [&](const Patch& patch, int i) {
                    const auto index = static_cast<std::size_t>(&patch - data.patches.data());
                    if (!terms.used.empty() && !terms.used[index]) return false;
                    return !keep || data.points.psi[at(i)] <= settings.tolerance * size_of(patch) ||
                           pressed(last, patch);
                  });
  turning_.add(
      contacts(), model_, input, d,
      [&](const Contact& c) { return size_of(data.patches[at(c.patch)]); }, rows_);
  if (rows_.rows() == 0) return;

  rows_.finish();
  contact_of_group_.assign(rows_.groups().size(), -1);
  for (std::size_t c = 0; c < contacts().size(); ++c)
    contact_of_group_[at(contacts()[c].group)] = static_cast<int>(c);
}

}  // namespace abut
