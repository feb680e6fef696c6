#include "abut/contact/contact_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/contact/impact/bouncing_pairs.h"
#include "abut/contact/no_contact.h"
#include "abut/contact/registry.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

bool closes_loops(const Model& model) {
  return model.option.constraint_on && model.option.equality_on &&
         std::any_of(model.equalities.begin(), model.equalities.end(),
                     [](const Equality& e) { return e.active; });
}

// The post-step leaves a pair alone that has just bounced, or is about to (the pair comes apart by
// itself, and moved apart it would gain potential energy), and pairs that the model keeps apart.
PositionErrors::Leaves pairs_to_leave(const Model& model, const ContactModel& contact,
                                      bool bounces) {
  if (const BouncingPairs bouncing(model); bounces && bouncing.any())
    return [bouncing, &contact](const Patch& patch, const ContactPoints& points, const Derived& d) {
      return contact.keeps_apart(patch) || bouncing.has(patch, points, d);
    };
  if (contact.may_keep_apart())
    return [&contact](const Patch& patch, const ContactPoints&, const Derived&) {
      return contact.keeps_apart(patch);
    };
  return {};
}

PostMetric metric_of(Stabilize stabilize) {
  using enum PostMetric;
  return stabilize == Stabilize::post_pinv    ? masses_pinv
         : stabilize == Stabilize::post_plain ? plain_pinv
                                              : masses;
}

bool sets_restitution(const Model& model) {
  const auto is_restitution = [](const TupleDesc& t) { return t.name == "abut.restitution"; };
  return model.custom.contains("abut.restitution") ||
         std::any_of(model.tuples.begin(), model.tuples.end(), is_restitution);
}

// Why a program cannot change contacts; empty: it can.
std::string why_no_changes(const Model& model, const std::string& contact) {
  if (contact != "st" && contact != "ap")
    return "contacts can be changed before they are solved under st and ap, which make rows of "
           "them; "
           "this world runs " +
           contact;
  if (Materials(model).any_bounces())
    return "contacts can be changed before they are solved in worlds without restitution, whose "
           "impacts are solved apart; remove abut.restitution";
  return {};
}

}  // namespace

void ContactStep::on_contact(const ChangeContact& change) {
  if (change) {
    if (const std::string why = why_no_changes(model_, settings_.model); !why.empty())
      throw WorldError(why);
    // what is switched off overlaps, and a post-step is to leave that
    post_.leaves = [change, materials = Materials(model_)](
                       const Patch& patch, const ContactPoints& points, const Derived&) {
      ContactChange c = described(patch, points);
      c.friction = materials.of(patch.geom_a, patch.geom_b).friction;
      change(c);
      return !c.on;
    };
  } else {
    post_.leaves = {};
  }
  stepping_.on_contact(change);
}

ContactStep::ContactStep(const Model& model, const ContactSettings& settings, Integrator integrator)
    : model_(model),
      settings_(resolved(settings)),
      contacts_on_(has_contacts(model, settings)),
      collider_(model),
      stepping_(model, step_settings(settings_, info_of(settings).gaps), collider_.sizes()),
      post_(model, collider_.sizes(),
            {.metric = metric_of(settings.stabilize),
             .repeat_for_overlap = looks_ahead(info_of(settings).gaps),
             .max_points = max_patch_points(settings_)}),
      loops_(closes_loops(model)),
      after_(model) {
  if (settings_.data == ContactSource::kissing && collider_.plane())
    throw WorldError("data kissing is of solids in space, and this world is planar; use manifold");
  const bool looks_at_solids =
      settings_.data == ContactSource::kissing || settings_.data == ContactSource::features;
  if (looks_at_solids && first_field(model) >= 0)
    throw WorldError(fmt::format(
        "data {} is of convex solids, and a mesh of this world collides by a distance field; use "
        "--data manifold, or abut.mesh = pieces",
        settings_.data == ContactSource::kissing ? "kissing" : "features"));
  collider_.use(&threads_);
  stepping_.solvers().use(&threads_);
  for (std::vector<double>* x : {&change_, &force_, &mean_, &u_rate_, &u_stage_})
    x->resize(at(model.nv));
  const ContactWorld world{model_, settings_, integrator, collider_, stepping_, &threads_};
  contact_ = contacts_on_ ? contact_model(settings_.model).make(world) : make_no_contact(world);
  const ModelInfo& info = info_of(settings);
  if (contacts_on_ && info.family == ContactFamily::impulses)
    post_.leaves = pairs_to_leave(model, *contact_, info.bouncing == Bouncing::impulses);
}

void ContactStep::start_step() {
  work_ = work_on_free_ = 0;
  contact_->start_step();
}

void ContactStep::begin(double h, State& state, const Input& input, Derived& d) {
  h_ = h;
  contact_->begin(h, state, input, d);
  work_ += contact_->forces() != nullptr ? contact_->impact_work() : 0;
  start_ = state.v;
  mean_.assign(mean_.size(), 0.0);
}

void ContactStep::add(double weight, const State& stage, const Input& input, Derived& d) {
  if (contact_->forces() == nullptr) return;
  std::fill(force_.begin(), force_.end(), 0.0);
  contact_->add_forces(stage, input, d, force_);
  for (std::size_t i = 0; i < force_.size(); ++i) {
    d.tau[i] += force_[i];
    mean_[i] += weight * force_[i];
  }
}

// As a step of length h from the stage on, of which the accelerations are taken.
void ContactStep::constrain(double weight, const State& stage, const Input& input, Derived& d) {
  if (!contact_->has_rows() && !loops_) return;
  to_solver_velocity(model_, d, stage.v, u_stage_);
  to_solver_acceleration(model_, d, stage.v, d.acceleration, u_rate_);
  for (std::size_t i = 0; i < u_stage_.size(); ++i) u_stage_[i] += h_ * u_rate_[i];
  mass_matrix(model_, d);
  factor(model_, d);
  contact_->constrain(h_, {stage, input, d}, u_stage_, force_, change_);
  from_solver_velocity(model_, d, change_, u_rate_);
  for (std::size_t i = 0; i < u_rate_.size(); ++i) d.acceleration[i] += u_rate_[i] / h_;
  work_ += weight * stepping_.work();
}

void ContactStep::find(double h, const State& state, const Input& input, const Derived& d,
                       std::span<const double> u_free) {
  contact_->find(h, {state, input, d}, u_free);
}

bool ContactStep::strike(double h, State& state, const Input& input, Derived& d) {
  if (!contact_->strike(h, state, input, d)) return false;
  add_impact_work();
  return true;
}

bool ContactStep::strike_ahead(double h, State& state, const Input& input, Derived& d) {
  if (!contact_->strike_ahead(h, state, input, d)) return false;
  add_impact_work();
  return true;
}

void ContactStep::add_impact_work() {
  work_ += contact_->impact_work();
  work_on_free_ += contact_->impact_work();
}

Solved ContactStep::solve(const StepToSolve& step, Derived& d) {
  mass_matrix(model_, d);
  factor(model_, d, step.damping);
  const Solved solved = contact_->solve(step, change_);
  if (solved != Solved::done) return solved;
  work_ += contact_->work();
  work_on_free_ += contact_->work_on_free();
  if (contact_->struck_on_the_way()) add_impact_work();
  return solved;
}

void ContactStep::end(double h, State& state) {
  contact_->end(h, state);
  if (contact_->forces() == nullptr) return;
  for (std::size_t i = 0; i < mean_.size(); ++i)
    work_ += 0.5 * h * mean_[i] * (start_[i] + state.v[i]);
}

void ContactStep::settle(State& state, const Input& input) {
  post_report_ = {};
  if (!is_post(settings_.stabilize)) return;
  const bool contacts = contacts_on_ && settings_.stabilize_contacts == StabilizeContacts::on &&
                        !contact_->keeps_all_apart();
  post_report_ = post_.apply(settings_.post_steps, settings_.tolerance, contacts, input, collider_,
                             state, after_);
}

SolveReport ContactStep::report() const {
  SolveReport report = stepping_.report();
  contact_->add_to(report);
  return report;
}

std::vector<std::string> ContactStep::warnings() const {
  const ModelInfo& info = info_of(settings_);
  if (info.family == ContactFamily::none) return {};
  std::vector<std::string> lines = collider_.warnings();
  if (info.bouncing != Bouncing::impulses && sets_restitution(model_))
    lines.push_back(fmt::format(
        "contact {} {}: abut.restitution is not used", info.name,
        info.bouncing == Bouncing::none ? "does not bounce" : "bounces as its damping says"));
  if (settings_.regress && !info.regresses)
    lines.push_back(fmt::format(
        "contact {} has no impulses of impacts: abut.impact.time is not used", info.name));
  for (std::string& line : contact_->warnings()) lines.push_back(std::move(line));
  return lines;
}

void ContactStep::watch(const std::function<void(const Problem&, const Answer&)>& seen) {
  stepping_.solvers().watch(seen);
  post_.solver().watch = seen;
}

}  // namespace abut
