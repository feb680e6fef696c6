#include "abut/contact/penalty/penalty_forces.h"

#include <algorithm>
#include <utility>

#include "abut/dynamics/mass_matrix.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// With torsional or rolling friction the frame keeps more of a pair; the memory needs the law's final
// width.
std::unique_ptr<ForceModel> with_turning(std::unique_ptr<ForceModel> law, bool turns) {
  if (turns) law->set_frame_width(kFrameWidth + kTurningWidth);
  return law;
}

}  // namespace

PenaltyForces::PenaltyForces(const Model& model, const Collider& collider,
                             std::unique_ptr<ForceModel> law, const ContactSettings& settings)
    : model_(model),
      materials_(model),
      law_(with_turning(std::move(law),
                        materials_.any_turns() && settings.friction != FrictionKind::none)),
      memory_(model, *law_),
      accounts_(model),
      overlap_(model, law_->recovers()),
      kissing_(settings.data == ContactSource::kissing),
      limits_(law_->keeps_accounts() && (model.option.integrator == Integrator::euler ||
                                         model.option.integrator == Integrator::implicit)) {
  if (own(settings, settings.model + ".normal") == "facets") facets_.emplace();
  if (law_->frame_width() > kFrameWidth) turning_.emplace(model, collider);
  if (law_->has_impacts()) phases_.emplace(model, collider, settings);
}

CollideOptions PenaltyForces::options() const {
  return {.reach = {},
          .max_points = law_->wants_points() ? 0 : 1,
          .kissing = kissing_,
          .merge_parts = law_->merges_parts()};
}

void PenaltyForces::begin(double h, State& state, const Input& input, Derived& d,
                          Collider& collider) {
  h_ = h;
  ContactData& data = first_.data;
  std::vector<PairQuery>& queries = first_.queries;
  if (phases_)
    phases_->look(h, state, input, d, collider, law_->merges_parts(), data, queries);
  else
    collider.find(model_, d, state.contacts, options(), data, queries);
  if (facets_) facets_->apply(model_, collider.solids(), d, data);
  memory_.begin(data, state.contacts);
  overlap_.begin(h, {model_, collider.solids(), materials_, input, d, data}, state.contacts,
                 memory_.is_fresh(), memory_.frame_begin());
  if (phases_) phases_->resolve(h, state, input, d, data, queries);
  memory_.advance({model_, collider.solids(), materials_, input, d, data, overlap_.of(data)},
                  queries, state.contacts, phases(), overlap_);
  state.contacts = memory_.now();  // not swapped: each keeps what it has grown to
  is_first_ = true;
}

void PenaltyForces::add(const State& stage, const Input& input, Derived& d, Collider& collider,
                        std::span<double> force) {
  const bool first = std::exchange(is_first_, false);
  auto& [data, queries, forces] = first ? first_ : later_;
  if (!first) {
    collider.find(model_, d, stage.contacts, options(), data, queries);
    if (facets_) facets_->apply(model_, collider.solids(), d, data);
  }
  forces.clear();
  const ForceScene scene{model_, collider.solids(), materials_, input, d, data, overlap_.of(data)};
  law_->forces(scene, stage.contacts, forces);
  const std::size_t count = forces.size();
  if (turning_)
    turning_->add(h_, scene, stage.contacts, memory_.pair_width(), memory_.point_width(),
                  memory_.frame_begin() + 1, first, forces);
  apply(forces, data, d, force);
  if (law_->holds() && !forces.empty()) hold(stage, scene, d, force, forces);
  if (first) open_accounts(stage, scene, d, force);
  if (first && phases_) list_impulses();
  if (forces.size() > count) std::ranges::sort(forces, {}, &ContactForce::patch);
}

void PenaltyForces::apply(const std::vector<ContactForce>& forces, const ContactData& data,
                          const Derived& d, std::span<double> force) const {
  for (const ContactForce& f : forces) {
    const Patch& patch = data.patches[at(f.patch)];
    const int body_a = model_.geoms[at(patch.geom_a)].body,
              body_b = model_.geoms[at(patch.geom_b)].body;
    add_wrench(model_, d, body_b, f.position, {f.force, f.couple}, force);
    add_wrench(model_, d, body_a, f.position, {-f.force, -f.couple}, force);
  }
}

// Opens the pairs' accounts for the step, and limits the forces of the first stage by them.
void PenaltyForces::open_accounts(const State& stage, const ForceScene& scene, Derived& d,
                                  std::span<double> force) {
  accounts_.open(h_, memory_.is_fresh() || !limits_, *law_, stage, scene, first_.forces,
                 phases_ ? phases_->impulses() : std::span<const ContactForce>());
  if (!limits_ || first_.forces.empty()) return;
  motion_.find(model_, stage, d, force);
  if (!accounts_.limit(scene, d.tau, motion_.u(), motion_.u_rate(), first_.forces)) return;
  std::fill(force.begin(), force.end(), 0.0);
  apply(first_.forces, first_.data, d, force);
}

void PenaltyForces::hold(const State& stage, const ForceScene& scene, Derived& d,
                         std::span<double> force, std::vector<ContactForce>& forces) {
  motion_.find(model_, stage, d, force);
  if (law_->wants_factor()) {
    mass_matrix(model_, d);
    factor(model_, d);
  }
  held_.clear();
  law_->hold(scene, motion_.u(), motion_.u_rate(), held_);
  apply(held_, scene.data, d, force);
  forces.insert(forces.end(), held_.begin(), held_.end());
}

// Impulses have changed the velocities already; they are listed because contact_forces() reports them.
void PenaltyForces::list_impulses() {
  for (ContactForce f : phases_->impulses()) {
    f.force /= h_;
    first_.forces.push_back(f);
  }
}

// The pairs are the same as at begin(): nothing wrote to the memory since.
void PenaltyForces::end(State& state) {
  if (turning_) turning_->keep(memory_.frame_begin() + 1, memory_.next());
  limits_ ? accounts_.close(state, memory_.next()) : accounts_.close_as_stored(memory_.next());
  state.contacts = memory_.next();
}

}  // namespace abut
