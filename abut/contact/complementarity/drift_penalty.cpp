#include "abut/contact/complementarity/drift_penalty.h"

#include "abut/contact/penalty/deepest.h"
#include "abut/math/index.h"

namespace abut {

DriftPenalty::DriftPenalty(const Model& model, const Collider& collider)
    : model_(model),
      materials_(model),
      bouncing_(model),
      law_(make_drift_penalty(model, collider, "baraff")),
      overlap_(model, law_->recovers()) {}

void DriftPenalty::begin(double h, const State& state, const Input& input, const Derived& d,
                         const Collider& collider, const ContactData& data) {
  overlap_.begin(h, {model_, collider.solids(), materials_, input, d, data}, state.contacts,
                 state.contacts.pair_width() != kPairWidth, 0);
}

void DriftPenalty::add(const Input& input, const Derived& d, const Collider& collider,
                       const ContactData& data, std::span<double> force) {
  forces_.clear();
  law_->forces({model_, collider.solids(), materials_, input, d, data, overlap_.of(data)}, nothing_,
               forces_);
  if (bouncing_.any())
    std::erase_if(forces_, [&](const ContactForce& f) {
      return bouncing_.has(data.patches[at(f.patch)], data.points, d);
    });
  for (const ContactForce& f : forces_) {
    const Patch& patch = data.patches[at(f.patch)];
    const Spatial on_b{f.force, f.couple};
    add_wrench(model_, d, model_.geoms[at(patch.geom_b)].body, f.position, on_b, force);
    add_wrench(model_, d, model_.geoms[at(patch.geom_a)].body, f.position, on_b * -1.0, force);
  }
}

}  // namespace abut
