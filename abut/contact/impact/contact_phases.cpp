#include "abut/contact/impact/contact_phases.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/impact/tolerances.h"
#include "abut/contact/penalty/tolerances.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

ContactPhases::ContactPhases(const Model& model, const Collider& collider,
                             const ContactSettings& settings)
    : model_(model),
      impacts_(model),
      sizes_(collider.sizes()),
      reach_(model.geoms.size()),
      u_(at(model.nv)),
      options_{.tolerance = settings.regress ? 0 : -kGrazingOverlap,
               .frictionless = settings.friction == FrictionKind::none,
               .law = settings.law,
               .ahead = settings.regress ? kInfinity : kStoppedEarly},
      kissing_(settings.data == ContactSource::kissing) {
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const Convex& solid = collider.solids()[g];
    radii_.push_back(std::isfinite(solid.radius) ? solid.radius : 0);
    centers_.push_back(solid.center);
  }
}

void ContactPhases::look(double h, const State& state, const Input& input, const Derived& d,
                         Collider& collider, bool merge_parts, ContactData& data,
                         std::vector<PairQuery>& queries) {
  for (std::size_t g = 0; g < reach_.size(); ++g) {
    const int body = model_.geoms[g].body;
    const Vec3 center = geom_pose(model_, d, static_cast<int>(g)) * centers_[g];
    const Spatial t = body_twist(model_, input, d, body, center);
    const double far = h * (t.lin.norm() + t.ang.norm() * radii_[g]);
    // half of kStoppedEarly each: what is slower than that comes no deeper in the step
    reach_[g] = options_.ahead < kInfinity && far > 0.5 * kStoppedEarly * sizes_[g] ? far : 0;
  }
  collider.find(model_, d, state.contacts,
                {.reach = {.geom = reach_}, .kissing = kissing_, .merge_parts = merge_parts}, data,
                queries);
}

bool ContactPhases::resolve(double h, State& state, const Input& input, Derived& d,
                            ContactData& data, std::vector<PairQuery>& queries) {
  const auto touches = [&](const Patch& p) {
    return p.distance <= options_.tolerance * (sizes_[at(p.geom_a)] + sizes_[at(p.geom_b)]);
  };
  const std::size_t count = data.patches.size();
  resting_.assign(count, 0);
  hit_.assign(count, 0);
  impulses_.clear();
  any_ = false;
  for (std::size_t p = 0; p < count; ++p) {
    const Patch& patch = data.patches[p];
    const int pair = state.contacts.find(patch.key());
    resting_[p] = pair >= 0 && touches(patch) &&
                  state.contacts.pairs()[at(pair)].phase == ContactPhase::resting;
    if (!resting_[p])
      any_ = any_ || impacts_.approaches(h, data, patch, sizes_, options_, input, d);
  }
  if (any_) {
    mass_matrix(model_, d);
    factor(model_, d);
    to_solver_velocity(model_, d, state.v, u_);
    options_.resting = resting_;
    any_ = impacts_.resolve(h, data, sizes_, options_, input, d, u_);
  }
  if (any_) {
    from_solver_velocity(model_, d, u_, state.v);
    velocities(model_, state, d);
    for (const ContactForce& p : impacts_.impulses()) hit_[at(p.patch)] = 1;
  }

  // those that are no contacts yet go
  new_index_.assign(count, -1);
  phases_.clear();
  int kept = 0;
  for (std::size_t p = 0; p < count; ++p) {
    if (!touches(data.patches[p]) && !hit_[p]) continue;
    new_index_[p] = kept;
    phases_.push_back(touches(data.patches[p]) ? ContactPhase::resting : ContactPhase::impacting);
    hit_[at(kept)] = hit_[p];
    data.patches[at(kept++)] = data.patches[p];
  }
  data.patches.resize(at(kept));
  for (PairQuery& q : queries)
    if (q.patch >= 0) q.patch = new_index_[at(q.patch)];
  if (any_)
    for (const ContactForce& p : impacts_.impulses()) {
      impulses_.push_back(p);
      impulses_.back().patch = new_index_[at(p.patch)];
    }
  return any_;
}

}  // namespace abut
