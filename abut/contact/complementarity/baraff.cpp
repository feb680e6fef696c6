#include "abut/contact/complementarity/baraff.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

Baraff::Order order_of(const Model& model) {
  const auto it = model.custom.find("abut.baraff.order");
  if (it == model.custom.end() || it->second.text == "baraff") return Baraff::Order::baraff;
  if (it->second.text != "guendelman")
    throw WorldError(
        it->second.source,
        fmt::format("abut.baraff.order = '{}': there are baraff, guendelman", it->second.text));
  return Baraff::Order::guendelman;
}

}  // namespace

std::string Baraff::why_not_rk4(const Model& model) {
  if (order_of(model) == Order::baraff) return {};
  return "abut.baraff.order = 'guendelman' has one place for contact, after the forces, and rk4 "
         "has "
         "four; use euler";
}

Baraff::Baraff(const Model& model, const ContactSettings& settings, const Collider& collider)
    : model_(model),
      order_(order_of(model)),
      max_points_(max_patch_points(settings)),
      impact_options_{.tolerance = settings.tolerance,
                      .frictionless = settings.friction == FrictionKind::none,
                      .law = settings.law},
      sizes_(collider.sizes()),
      reach_(model, collider, settings.tolerance),
      impacts_(model),
      gaps_(model),
      drift_(model, collider),
      u_(at(model.nv)),
      lift_(at(model.nv)) {
  if (order_ == Order::guendelman) impact_options_.ahead = 0;
}

void Baraff::look(const State& state, const Derived& d, Collider& collider, ContactData& data,
                  std::vector<PairQuery>& queries) {
  collider.find(model_, d, state.contacts,
                {.reach = {.geom = reach_.last()}, .max_points = max_points_}, data, queries);
}

void Baraff::begin(double h, State& state, const Input& input, Derived& d, Collider& collider) {
  if (order_ == Order::guendelman) reach_.find(h, input, d);
  look(state, d, collider, data_, queries_);
  drift_.begin(h, state, input, d, collider, data_);
  stage_ = 0;
  forces_.clear();
  mass_matrix(model_, d);
  factor(model_, d);
  to_solver_velocity(model_, d, state.v, u_);
  hit_ = impacts_.resolve(h, data_, sizes_, impact_options_, input, d, u_);
  if (!hit_) return;
  from_solver_velocity(model_, d, u_, state.v);
  velocities(model_, state, d);
}

void Baraff::add(const State& stage, const Input& input, Derived& d, Collider& collider,
                 std::span<double> force) {
  if (++stage_ > 1) {
    look(stage, d, collider, stage_data_, stage_queries_);
    // pairs that meet during the step are left to the impacts of the next step
    std::erase_if(stage_data_.patches, [&](const Patch& patch) {
      const PairKey key = patch.key();
      const auto it = std::lower_bound(data_.patches.begin(), data_.patches.end(), key,
                                       [](const Patch& p, PairKey k) { return p.key() < k; });
      return it == data_.patches.end() || it->key() != key;
    });
  }
  drift_.add(input, d, collider, data(), force);
  if (stage_ == 1) first_drift_ = drift_.forces();
}

StepTerms Baraff::terms(double h, const State& stage, const Input& input, const Derived& d,
                        Collider& collider, std::span<const double> force) {
  to_solver_velocity(model_, d, stage.v, u_);
  if (order_ == Order::baraff)
    gaps_.find(h, reach_.last(), stage, input, d, u_, collider, data(), k_);
  // what the penalty does to u in the step
  std::copy(force.begin(), force.end(), u_.begin());
  solve(model_, d, u_);
  to_solver_velocity(model_, d, u_, lift_);
  for (double& x : lift_) x *= h;
  return {.gap = k_, .lift = lift_, .velocities = order_ == Order::guendelman};
}

void Baraff::keep(double h, const TimeStepping& solved) {
  if (stage_ != 1) return;
  forces_.clear();
  const std::vector<Contact>& contacts = solved.contacts();
  std::size_t c = 0, f = 0, i = 0;
  const std::span<const ContactForce> hits =
      hit_ ? impacts_.impulses() : std::span<const ContactForce>();
  for (int p = 0; p < static_cast<int>(data_.patches.size()); ++p) {
    for (; c < contacts.size() && contacts[c].patch == p; ++c)
      forces_.push_back({.patch = p,
                         .position = contacts[c].position,
                         .force = solved.impulses()[c] / h,
                         .couple = solved.couples()[c] / h});
    for (; f < first_drift_.size() && first_drift_[f].patch == p; ++f)
      forces_.push_back(first_drift_[f]);
    for (; i < hits.size() && hits[i].patch == p; ++i) {
      forces_.push_back(hits[i]);
      forces_.back().force /= h;
    }
  }
}

}  // namespace abut
