#include "abut/contact/penalty/penalty_forces.h"

#include <algorithm>
#include <utility>

#include "abut/dynamics/articulated.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"

namespace abut {

PenaltyForces::PenaltyForces(const Model& model, const Collider& collider,
                             std::unique_ptr<ForceModel> law, const ContactSettings& settings,
                             double reach)
    : model_(model),
      materials_(model),
      law_(std::move(law)),
      accounts_(model),
      overlap_(model, law_->recovers()),
      reach_(reach),
      kissing_(settings.data == ContactSource::kissing),
      limits_(law_->keeps_accounts() && (model.option.integrator == Integrator::euler ||
                                         model.option.integrator == Integrator::implicit)) {
  if (own(settings, settings.model + ".normal") == "facets") facets_.emplace();
  if (materials_.any_turns() && settings.friction != FrictionKind::none) {
    turning_.emplace(model, collider);
    law_->set_frame_width(kFrameWidth + kTurningWidth);
  }
  if (law_->has_impacts()) phases_.emplace(model, collider, settings);
  for (ContactMemory* m : {&now_, &after_}) m->set_widths(width(), law_->point_width());
}

CollideOptions PenaltyForces::options() const {
  return {.reach = {.pair = reach_},
          .max_points = law_->wants_points() ? 0 : 1,
          .kissing = kissing_,
          .merge_parts = law_->merges_parts()};
}

void PenaltyForces::begin(double h, State& state, const Input& input, Derived& d,
                          Collider& collider) {
  h_ = h;
  if (phases_)
    phases_->look(h, state, input, d, collider, law_->merges_parts(), data_, queries_);
  else
    collider.find(model_, d, state.contacts, options(), data_, queries_);
  if (facets_) facets_->apply(model_, collider.solids(), d, data_);
  if (model_.solids.any_compound()) parts_.pass_on(model_.solids, data_, state.contacts);
  const ContactMemory& before = state.contacts;
  fresh_ = before.pair_width() != width() || before.point_width() != law_->point_width();
  overlap_.begin(h, {model_, collider.solids(), materials_, input, d, data_}, before, fresh_,
                 at(law_->pair_width()));
  if (phases_) phases_->resolve(h, state, input, d, data_, queries_);
  const ForceScene scene{model_, collider.solids(), materials_, input, d,
                         data_,  overlap_.of(data_)};

  // the pairs of this moment, with what is known of them
  now_.set_widths(width(), law_->point_width());
  now_.clear();
  for (const PairQuery& query : queries_) {
    if (query.patch < 0) continue;
    const Patch& patch = data_.patches[at(query.patch)];
    const PairRecall old = recall(before, patch, width(), law_->point_width());
    PairMemory header;
    header.key = query.key;
    header.warm_start = query.warm_start;
    header.phase = ContactPhase::resting;
    if (old.known()) {
      header.phase = old.header().phase;
      header.branch = old.header().branch;
    }
    for (int k = 0; k < 3; ++k) header.normal[k] = patch.normal[k];
    if (phases_) {
      header.phase = phases_->phase(query.patch);
      header.branch = phases_->was_hit(query.patch) ? 1 : 0;
    }
    law_->point_ids(scene, query.patch, ids_);
    const int pair = now_.append(header, ids_);
    if (!old.known()) continue;
    const std::span<const double> values = old.values();
    std::copy(values.begin(), values.end(), now_.pair_values(pair).begin());
    const auto begin = static_cast<int>(now_.pairs()[at(pair)].point_begin);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const std::span<const double> point = old.point(ids_[i]);
      std::copy(point.begin(), point.end(), now_.point_values(begin + static_cast<int>(i)).begin());
    }
  }
  after_ = now_;
  law_->advance(scene, before, now_, after_);
  for (int p = 0; p < static_cast<int>(after_.pairs().size()); ++p)
    after_.pair_values(p)[at(law_->pair_width())] = overlap_.left(after_.pairs()[at(p)].key);
  state.contacts = now_;  // not swapped: each keeps what it has grown to
  first_ = true;
}

void PenaltyForces::add(const State& stage, const Input& input, Derived& d, Collider& collider,
                        std::span<double> force) {
  ContactData& data = first_ ? data_ : stage_data_;
  std::vector<ContactForce>& forces = first_ ? forces_ : stage_forces_;
  if (!first_) {
    collider.find(model_, d, stage.contacts, options(), data, stage_queries_);
    if (facets_) facets_->apply(model_, collider.solids(), d, data);
  }
  const bool first = std::exchange(first_, false);
  forces.clear();
  const ForceScene scene{model_, collider.solids(), materials_, input, d, data, overlap_.of(data)};
  law_->forces(scene, stage.contacts, forces);
  const std::size_t count = forces.size();
  if (turning_)
    turning_->add(h_, scene, stage.contacts, width(), law_->point_width(),
                  at(law_->pair_width() + 1), first, forces);
  apply(forces, data, d, force);
  if (law_->holds() && !forces.empty()) hold(stage, scene, d, force, forces);
  if (first) {
    accounts_.open(h_, fresh_ || !limits_, *law_, stage, scene, forces,
                   phases_ ? phases_->impulses() : std::span<const ContactForce>());
    if (limits_) limit(stage, scene, d, force);
  }
  // impulses are velocities already; they are listed for those who ask what acted
  if (first && phases_)
    for (ContactForce f : phases_->impulses()) {
      f.force /= h_;
      forces.push_back(f);
    }
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

void PenaltyForces::find_accelerations(const State& stage, Derived& d,
                                       std::span<const double> force) {
  for (std::vector<double>* x : {&tau_, &acceleration_, &u_, &u_rate_}) x->resize(at(model_.nv));
  for (std::size_t i = 0; i < tau_.size(); ++i) tau_[i] = d.tau[i] + force[i];
  articulated_acceleration(model_, stage.v, tau_, {}, d, acceleration_);
  to_solver_velocity(model_, d, stage.v, u_);
  to_solver_acceleration(model_, d, stage.v, acceleration_, u_rate_);
}

void PenaltyForces::limit(const State& stage, const ForceScene& scene, Derived& d,
                          std::span<double> force) {
  if (forces_.empty()) return;
  find_accelerations(stage, d, force);
  if (!accounts_.limit(scene, d.tau, u_, u_rate_, forces_)) return;
  std::fill(force.begin(), force.end(), 0.0);
  apply(forces_, data_, d, force);
}

void PenaltyForces::hold(const State& stage, const ForceScene& scene, Derived& d,
                         std::span<double> force, std::vector<ContactForce>& forces) {
  find_accelerations(stage, d, force);
  if (law_->wants_factor()) {
    mass_matrix(model_, d);
    factor(model_, d);
  }
  held_.clear();
  law_->hold(scene, u_, u_rate_, held_);
  apply(held_, scene.data, d, force);
  forces.insert(forces.end(), held_.begin(), held_.end());
}

// The pairs are the same as at begin(): nothing wrote to the memory since.
void PenaltyForces::end(State& state) {
  if (turning_) turning_->keep(at(law_->pair_width() + 1), after_);
  limits_ ? accounts_.close(state, after_) : accounts_.close_as_stored(after_);
  state.contacts = after_;
}

}  // namespace abut
