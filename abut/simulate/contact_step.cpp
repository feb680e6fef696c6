#include "abut/simulate/contact_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/contacts_ahead.h"
#include "abut/contact/complementarity/feature_stepping.h"
#include "abut/contact/complementarity/peg.h"
#include "abut/contact/impact/bouncing_pairs.h"
#include "abut/contact/impact/impact_set.h"
#include "abut/contact/penalty/deepest.h"
#include "abut/contact/penalty/multipoint.h"
#include "abut/contact/penalty/quasirigid.h"
#include "abut/contact/penalty/volumetric.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// The models of Williams, Lu and Trinkle know faces: of curved solids they take those over a plane
// alone.
void check_faces(const Model& model, const ContactSettings& settings, const Collider& collider) {
  const ConvexSet& solids = collider.solids();
  const auto name_of = [&](int g) { return fmt::format("'{}'", model.geom_names[g]); };
  for (int a = 0; a < solids.count(); ++a)
    for (int b = a + 1; b < solids.count(); ++b) {
      if (!solids.can_collide(a) || !solids.can_collide(b) || !collider.filter().allows(a, b))
        continue;
      const bool half = solids[a].is_half_space() || solids[b].is_half_space();
      if (half || (solids[a].is_polyhedron() && solids[b].is_polyhedron())) continue;
      const int curved = solids[a].is_polyhedron() ? b : a;
      throw WorldError(
          fmt::format("geom {} is curved and may touch geom {}: contact {} takes curved "
                      "solids against planes alone; use --contact st, exclude the "
                      "pair, or make it a mesh",
                      name_of(curved), name_of(curved == a ? b : a), name(settings.model)));
    }
}

}  // namespace

ContactStep::ContactStep(const Model& model, const ContactSettings& settings, Integrator integrator)
    : model_(model),
      settings_(settings),
      collider_(model),
      stepping_(model, settings, collider_.sizes()),
      post_(model, collider_.sizes(),
            {.pseudo_inverse = settings.stabilize == Stabilize::post_pinv}),
      after_(model),
      sizes_(collider_.sizes()),
      reach_(model.geoms.size()),
      change_(at(model.nv)) {
  next_.set_widths(0, TimeStepping::kPointMemory);
  for (const Equality& e : model.equalities)
    joints_ = joints_ || (e.active && model.option.constraint_on && model.option.equality_on);
  for (std::vector<double>* x : {&force_, &mean_, &u_rate_, &u_stage_}) x->resize(at(model.nv));
  if (!contacts_on()) return;
  moves_by_end_ = knows_features(settings.model);
  if (knows_features(settings.model)) check_faces(model, settings, collider_);
  if (settings.model == ContactModel::deepest)
    penalty_.emplace(model, collider_, make_deepest(model, collider_, settings));
  if (settings.model == ContactModel::volumetric)
    penalty_.emplace(model, collider_, make_volumetric(model, collider_, settings));
  if (settings.model == ContactModel::multipoint)
    penalty_.emplace(model, collider_, make_multipoint(model, collider_, settings), settings);
  if (settings.model == ContactModel::quasirigid) {
    if (has_explicit_layers(settings, integrator))
      penalty_.emplace(model, collider_, make_quasirigid(model, collider_, settings));
    else
      layers_ = std::make_unique<LayerContacts>(model, collider_, settings);
  }
  if (settings.model == ContactModel::baraff) baraff_.emplace(model, settings, collider_);
  if (settings.model == ContactModel::peg)
    peg_ = std::make_unique<Peg>(model, settings_, collider_);
  else if (data_of(settings) == ContactSource::features)
    features_ = std::make_unique<FeatureStepping>(model, settings_, collider_);
  if (settings.model == ContactModel::st || settings.model == ContactModel::ap ||
      settings.model == ContactModel::baraff)
    leave_bounces();
  if (settings.model != ContactModel::st && settings.model != ContactModel::ap) return;
  if (settings.model == ContactModel::st && !features_ && !settings.contacts_of_start &&
      !settings.recover_velocity)
    ahead_ = std::make_unique<ContactsAhead>(model, collider_);
  moves_by_end_ = settings.model == ContactModel::st && !ahead_;
  if (Materials(model).any_bounces()) impacts_ = std::make_unique<ImpactSet>(model, settings_);
}

// Bodies of the patches do not fly, even while nothing presses: their gaps are asked for where h u'
// leads.
void ContactStep::hold_patches() {
  std::fill(force_.begin(), force_.end(), 0.0);
  for (const Patch& patch : data_.patches)
    for (const int geom : {patch.geom_a, patch.geom_b}) {
      const int link = model_.bodies[at(model_.geoms[at(geom)].body)].link;
      if (link >= 0)
        force_[at(model_.trees[at(model_.links[at(link)].tree)].dof_begin)] = kInfinity;
    }
}

// The post-step lets a pair be that has just bounced, or is about to: it comes apart by itself, and
// moved apart it would gain potential energy.
void ContactStep::leave_bounces() {
  const BouncingPairs bouncing(model_);
  if (!bouncing.any()) return;
  post_.leaves = [bouncing](const Patch& patch, const ContactPoints& points, const Derived& d) {
    return bouncing.has(patch, points, d);
  };
}

void ContactStep::begin(double h, State& state, const Input& input, Derived& d) {
  h_ = h;
  remembered_ = false;
  if (penalty_) {
    penalty_->begin(h, state, input, d, collider_);
    if (penalty_->phases()) work_ += penalty_->phases()->work();
  }
  if (baraff_) {
    baraff_->begin(h, state, input, d, collider_);
    work_ += baraff_->impacts().work();
  }
  start_ = state.v;
  mean_.assign(mean_.size(), 0.0);
}

void ContactStep::add(double weight, const State& stage, const Input& input, Derived& d) {
  if (!penalty_ && !baraff_) return;
  std::fill(force_.begin(), force_.end(), 0.0);
  if (penalty_) penalty_->add(stage, input, d, collider_, force_);
  if (baraff_) baraff_->add(stage, input, d, collider_, force_);
  for (std::size_t i = 0; i < force_.size(); ++i) {
    d.tau[i] += force_[i];
    mean_[i] += weight * force_[i];
  }
  // springs want the same rule for all steps: bodies that hop would fly in some and not in others
  if (penalty_) std::fill(force_.begin(), force_.end(), kInfinity);
}

// As a step of length h from the stage on, of which the accelerations are taken.
void ContactStep::constrain(double weight, const State& stage, const Input& input, Derived& d) {
  if (!baraff_ && !joints_) return;
  to_solver_velocity(model_, d, stage.v, u_stage_);
  to_solver_acceleration(model_, d, stage.v, d.acceleration, u_rate_);
  for (std::size_t i = 0; i < u_stage_.size(); ++i) u_stage_[i] += h_ * u_rate_[i];
  mass_matrix(model_, d);
  factor(model_, d);
  solve_joints_and_contacts(h_, stage, input, d, u_stage_, true);
  from_solver_velocity(model_, d, change_, u_rate_);
  for (std::size_t i = 0; i < u_rate_.size(); ++i) d.acceleration[i] += u_rate_[i] / h_;
  work_ += weight * stepping_.work();
}

void ContactStep::solve_joints_and_contacts(double h, const State& state, const Input& input,
                                            Derived& d, std::span<const double> u_free, bool stage,
                                            std::span<const std::uint8_t> used) {
  AccelerationTerms terms;
  terms.used = used;
  if (baraff_) terms = baraff_->terms(h, state, input, d, collider_, force_);
  terms.joints = stage;
  if (layers_) {
    terms.yield = layers_->yield();
    terms.softness = layers_->softness();
  }
  stepping_.solve(h, state, input, d, baraff_ ? baraff_->data() : data_, u_free, change_, terms);
  if (!baraff_) return;
  baraff_->keep(h, stepping_);
  if (baraff_->in_first_stage()) remember();
}

void ContactStep::end(double h, State& state) {
  if (penalty_) penalty_->end(state);
  if (remembered_) {
    std::swap(state.contacts, next_);
    next_.set_widths(0, TimeStepping::kPointMemory);
  }
  if (peg_ && !peg_->end_velocity().empty())
    std::copy(peg_->end_velocity().begin(), peg_->end_velocity().end(), state.v.begin());
  if (!penalty_ && !baraff_) return;
  for (std::size_t i = 0; i < mean_.size(); ++i)
    work_ += 0.5 * h * mean_[i] * (start_[i] + state.v[i]);
}

std::vector<std::string> ContactStep::warnings() const {
  if (settings_.model == ContactModel::none) return {};
  std::vector<std::string> lines = collider_.warnings();
  const auto is_restitution = [](const TupleDesc& t) { return t.name == "abut.restitution"; };
  if ((knows_features(settings_.model) ||
       (is_penalty(settings_.model) && !has_impacts(settings_.model))) &&
      (model_.custom.contains("abut.restitution") ||
       std::any_of(model_.tuples.begin(), model_.tuples.end(), is_restitution)))
    lines.push_back(fmt::format(
        "contact {} {}: abut.restitution is not used", name(settings_.model),
        knows_features(settings_.model) ? "does not bounce" : "bounces as its damping says"));
  if (settings_.regress && !has_impacts(settings_.model))
    lines.push_back(
        fmt::format("contact {} has no impulses of impacts: abut.impact.time is not used",
                    name(settings_.model)));
  if (penalty_)
    for (std::string& line : penalty_->warnings()) lines.push_back(std::move(line));
  if (baraff_)
    for (std::string& line : baraff_->warnings()) lines.push_back(std::move(line));
  return lines;
}

ContactStep::~ContactStep() = default;

const ContactData& ContactStep::data() const {
  if (penalty_) return penalty_->data();
  if (baraff_) return baraff_->first_data();
  if (peg_) return peg_->data();
  return features_ && knows_features(settings_.model) ? features_->data() : data_;
}

void ContactStep::start_report() {
  halved_ = false, level_ = 0, exhausted_ = 0;
  work_ = work_on_free_ = 0;
  if (peg_) peg_->start_step();
}

double ContactStep::stored_energy() const {
  return penalty_ ? penalty_->energy() : layers_ ? layers_->energy() : 0;
}

int ContactStep::peg_level() const {
  return peg_ ? peg_->report().level : features_ ? features_->report().level : 0;
}

void ContactStep::find(double h, const State& state, const Input& input, const Derived& d,
                       std::span<const double> u_free) {
  if (baraff_) return;  // begin() has
  if (!contacts_on() || penalty_) {
    data_.clear();
    queries_.clear();
    return;
  }
  if (layers_) {
    collider_.find(model_, d, state.contacts, {.reach = {.pair = 0}, .max_points = 1}, patches_,
                   queries_);
    layers_->find(h, input, d, collider_, patches_, state.contacts, data_);
    hold_patches();
    return;
  }
  if (settings_.model == ContactModel::ap) find_pressed(state.contacts);
  // how far each may come in the step: what it does by its velocity, and what forces add
  const double fall = h * h * gravity(model_).norm();
  for (std::size_t g = 0; g < reach_.size(); ++g) {
    reach_[g] = std::isfinite(sizes_[g]) ? settings_.tolerance * sizes_[g] : 0;
    if (settings_.model == ContactModel::ap && !pressed_[g]) continue;
    const Geom& geom = model_.geoms[g];
    const Convex& solid = collider_.solids()[static_cast<int>(g)];
    const int link = model_.bodies[at(geom.body)].link;
    const double radius = std::isfinite(solid.radius) ? solid.radius : 0;
    if (link < 0) {
      const int mocap = model_.bodies[at(model_.bodies[at(geom.body)].weld)].mocap;
      if (mocap >= 0) {
        const Vec6& v = input.mocap_velocity[at(mocap)];
        reach_[g] += h * (v.head<3>().norm() + v.tail<3>().norm() * radius);
      }
      continue;
    }
    const Vec3 center = geom_pose(model_, d, static_cast<int>(g)) * solid.center;
    const Spatial t = twist_at(model_, d, link, center);
    double speed = t.lin.norm() + t.ang.norm() * radius;
    const Tree& tree = model_.trees[at(model_.links[at(link)].tree)];
    if (tree.free_body) {
      const double* u = &u_free[at(tree.dof_begin)];
      speed = std::max(speed, std::hypot(u[0], u[1], u[2]) + std::hypot(u[3], u[4], u[5]) * radius);
    }
    // u_free of a free body has fallen already
    reach_[g] += h * speed + (tree.free_body ? 0 : fall);
  }
  collider_.find(model_, d, state.contacts, {.reach = {.geom = reach_}}, data_, queries_);
  if (features_ && !knows_features(settings_.model)) features_->find(d, data_, reach_, data_);
  if (moves_by_end_) hold_patches();
}

// Geoms of pairs that pressed in the last step: ap keeps these while they can still touch.
void ContactStep::find_pressed(const ContactMemory& memory) {
  pressed_.assign(model_.geoms.size(), 0);
  for (const PairMemory& pair : memory.pairs())
    if (pair.phase == ContactPhase::resting)
      pressed_[pair.key >> 32] = pressed_[pair.key & 0xffffffff] = 1;
}

void ContactStep::solve(double h, const State& state, const Input& input, Derived& d,
                        std::span<const double> damping, std::span<const double> u_free,
                        const Move& move, bool may_halve, bool may_bounce) {
  wants_halves_ = false;
  last_step_ = h;
  mass_matrix(model_, d);
  factor(model_, d, damping);
  const Peg::Step step{h,    {state, input, d}, damping, u_free, data_, collider_,
                       move, may_halve,         reach_};
  if (peg_ && !peg_->solve(step, stepping_, change_)) {
    wants_halves_ = halved_ = true;
    return;
  }
  if (features_ && knows_features(settings_.model))
    features_->solve(step, reach_, stepping_, change_);
  if (ahead_ && contacts_on())
    solve_ahead(h, state, input, d, u_free, move, may_bounce);
  else if (!knows_features(settings_.model) || !contacts_on())
    solve_joints_and_contacts(h, state, input, d, u_free, false);
  work_ += stepping_.work();
  work_on_free_ += stepping_.work_on_free();
  level_ = std::max({level_, peg_level(), halved_ ? 1 : 0});
  if (contacts_on() && !penalty_ && !baraff_) remember();
}

// With the pairs that touch, then with those that meet by what comes out, and with gaps that are
// right where the step ends.
void ContactStep::solve_ahead(double h, const State& state, const Input& input, Derived& d,
                              std::span<const double> u_free, const Move& move, bool may_bounce) {
  ahead_->begin(state.contacts, d, data_);
  for (int round = 0;;) {
    if (round == ContactsAhead::kMostRounds) ahead_->use_all();
    solve_joints_and_contacts(h, state, input, d, u_free, false, ahead_->used());
    for (std::size_t i = 0; i < u_stage_.size(); ++i) u_stage_[i] = u_free[i] + change_[i];
    const ContactsAhead::Step step{h, state, input, d, change_, reach_, u_stage_};
    if (round >= ContactsAhead::kMostRounds || !ahead_->looks_ahead(step, data_)) return;
    end_state_ = state;
    move(end_state_, change_);
    positions(model_, end_state_, input, after_);
    if (ahead_->extend(step, after_, may_bounce && impacts_, collider_, data_)) {
      ++round;
      continue;
    }
    presses_.assign(data_.patches.size(), 0);
    for (std::size_t i = 0; i < stepping_.contacts().size(); ++i)
      if (stepping_.impulses()[i].squaredNorm() > 0)
        presses_[at(stepping_.contacts()[i].patch)] = 1;
    if (!ahead_->correct(step, after_, presses_, collider_, data_)) return;
  }
}

double ContactStep::bounce() const { return ahead_ && impacts_ ? ahead_->bounce() : kInfinity; }

bool ContactStep::strike(double h, State& state, const Input& input, Derived& d) {
  if (!impacts_) return false;
  return strike(h, ahead_ ? ContactsAhead::kTouch : settings_.tolerance, data_, state, input, d);
}

bool ContactStep::strike_ahead(double h, State& state, const Input& input, Derived& d) {
  ++exhausted_;
  return strike(h, kInfinity, ahead_->bouncing(), state, input, d);
}

bool ContactStep::strike(double h, double touch, const ContactData& data, State& state,
                         const Input& input, Derived& d) {
  if (data.patches.empty()) return false;
  struck_data_ = &data;
  mass_matrix(model_, d);
  factor(model_, d);
  to_solver_velocity(model_, d, state.v, u_stage_);
  if (!impacts_->resolve(h, touch, data, sizes_, state, input, d, u_stage_)) return false;
  from_solver_velocity(model_, d, u_stage_, state.v);
  velocities(model_, state, d);
  work_ += impacts_->work();
  work_on_free_ += impacts_->work();
  exhausted_ += impacts_->exhausted() ? 1 : 0;
  return true;
}

std::span<const ContactForce> ContactStep::struck() const {
  return impacts_ ? impacts_->impulses() : std::span<const ContactForce>();
}

SolveReport ContactStep::report() const {
  SolveReport r = stepping_.report();
  r.fallbacks += exhausted_;
  if (baraff_ && baraff_->impacts().exhausted()) ++r.fallbacks;
  if (!knows_features(settings_.model) || !contacts_on()) return r;
  r.level = level_;
  r.fallbacks = r.level > 0 ? 1 : 0;
  return r;
}

// Pairs that were near, what their query found, and the impulse (N s) at each point.
void ContactStep::remember() {
  remembered_ = true;
  next_.set_widths(0, TimeStepping::kPointMemory);
  next_.clear();
  const ContactData& data = this->data();
  const std::vector<PairQuery>& queries = baraff_ ? baraff_->queries() : queries_;
  std::size_t contact = 0;
  const std::vector<Contact>& contacts = stepping_.contacts();
  const ContactData& used = data;
  const ContactData& near = baraff_ ? data : data_;
  std::size_t next_patch = 0;  // of `used`, which ascend by key
  for (const PairQuery& query : queries) {
    if (query.patch < 0) continue;
    const auto key_of = [](const Patch& p) { return pair_key(p.geom_a, p.geom_b); };
    while (next_patch < used.patches.size() && key_of(used.patches[next_patch]) < query.key)
      ++next_patch;
    const bool is_used =
        next_patch < used.patches.size() && key_of(used.patches[next_patch]) == query.key;
    // all patches of the pair: one, or one for each of its features' contacts
    std::size_t end_patch = next_patch;
    while (is_used && end_patch < used.patches.size() &&
           key_of(used.patches[end_patch]) == query.key)
      ++end_patch;
    const Patch& patch = is_used ? used.patches[next_patch] : near.patches[at(query.patch)];
    PairMemory header;
    header.key = query.key;
    header.warm_start = query.warm_start;
    for (int k = 0; k < 3; ++k) header.normal[k] = patch.normal[k];
    ids_.clear();
    if (is_used)
      ids_.assign(used.points.id.begin() + patch.begin,
                  used.points.id.begin() + used.patches[end_patch - 1].end);
    const int pair = next_.append(header, ids_);
    if (!is_used) continue;
    bool pressed = false;
    // the contacts are in the order of the patches and their points
    while (contact < contacts.size() && contacts[contact].patch < static_cast<int>(next_patch))
      ++contact;
    for (; contact < contacts.size() && contacts[contact].patch < static_cast<int>(end_patch);
         ++contact) {
      const Vec3& p = stepping_.impulses()[contact];
      const int point = static_cast<int>(next_.pairs()[at(pair)].point_begin) +
                        contacts[contact].point - patch.begin;
      const std::span<double> values = next_.point_values(point);
      for (std::size_t k = 0; k < 3; ++k) values[k] = p[static_cast<int>(k)];
      pressed |= p.squaredNorm() > 0;
    }
    next_.pairs()[at(pair)].phase = pressed ? ContactPhase::resting : ContactPhase::apart;
    if (peg_ && pressed) next_.pairs()[at(pair)].branch = peg_->memory_of(next_patch);
  }
  stepping_.remember_joints(next_);
}

void ContactStep::settle(State& state, const Input& input) {
  post_report_ = {};
  if (settings_.stabilize != Stabilize::post && settings_.stabilize != Stabilize::post_pinv) return;
  post_report_ =
      post_.apply(settings_.post_steps, settings_.tolerance,
                  contacts_on() && stabilizes_contacts(settings_), input, collider_, state, after_);
}

}  // namespace abut
