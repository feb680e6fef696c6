#include "abut/contact/impulse_model.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

ImpulseModel::ImpulseModel(const ContactWorld& world, int pair_width)
    : ContactModel(world),
      reach_(world.model, world.collider, world.settings.tolerance),
      memory_(pair_width),
      held_(at(world.model.nv)) {}

void ImpulseModel::begin(double, State&, const Input&, Derived&) { memory_.forget(); }

void ImpulseModel::find(double h, const StepMoment& start, std::span<const double> u_free) {
  find_within(reach_.find(h, start, u_free), start);
}

void ImpulseModel::find_within(std::span<const double> reach, const StepMoment& start) {
  world_.collider.find(world_.model, start.d, start.state.contacts,
                       {.reach = {.geom = reach},
                        .max_points = max_patch_points(world_.settings),
                        .kissing = world_.settings.data == ContactSource::kissing,
                        .calm = calm_},
                       near_, queries_);
}

void ImpulseModel::end(double, State& state) { memory_.put_into(state); }

void ImpulseModel::hold_patches() {
  const Model& model = world_.model;
  std::fill(held_.begin(), held_.end(), 0.0);
  for (const Patch& patch : near_.patches)
    for (const int geom : {patch.geom_a, patch.geom_b}) {
      const int link = model.bodies[at(model.geoms[at(geom)].body)].link;
      if (link >= 0) held_[at(model.trees[at(model.links[at(link)].tree)].dof_begin)] = kInfinity;
    }
}

}  // namespace abut
