#include "abut/contact/impact/flights.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "abut/constrain/tolerances.h"
#include "abut/contact/impact/tolerances.h"
#include "abut/dynamics/bias.h"
#include "abut/math/index.h"

namespace abut {

namespace {

constexpr int kMostHalvings = 60;

void write(const Vec3& v, double* to) {
  for (int k = 0; k < 3; ++k) to[k] = v[k];
}

}  // namespace

Flights::Flights(const Model& model, const ContactSettings& settings, const Collider& collider)
    : model_(model),
      materials_(model),
      impacts_(model, settings),
      bodies_(model, collider),
      filter_(model),
      sizes_(collider.sizes()),
      may_fly_(model.trees.size(), 0),
      flies_(model.trees.size(), 0),
      meetings_(bodies_),
      u_(at(model.nv), 0.0) {
  const bool joined = std::any_of(model.equalities.begin(), model.equalities.end(),
                                  [](const Equality& e) { return e.active; });
  any_ = !joined && std::any_of(model.trees.begin(), model.trees.end(),
                                [](const Tree& tree) { return tree.free_body; });
}

void Flights::start(const Derived& d) {
  for (std::size_t t = 0; t < may_fly_.size(); ++t) {
    const Tree& tree = model_.trees[t];
    const auto tau = std::span(d.tau).subspan(at(tree.dof_begin), at(tree.dof_count));
    may_fly_[t] = tree.free_body &&
                  std::all_of(tau.begin(), tau.end(), [](double force) { return force == 0; });
  }
}

bool Flights::flies(int geom, const StepMotion& step) const {
  const int tree = bodies_.tree_of(geom);
  return tree >= 0 && may_fly_[at(tree)] && step.is_unchanged(model_.trees[at(tree)]);
}

bool Flights::follows(int a, int b, const StepMotion& step) const {
  const bool a_flies = flies(a, step), b_flies = flies(b, step);
  return (a_flies && (b_flies || bodies_.is_fixed(b))) || (b_flies && bodies_.is_fixed(a));
}

// Two that fly have no acceleration towards each other. Pairs that lose energy must come to rest
// all the same: their bounces would have no end.
double Flights::slowest(int a, int b) const {
  const double e = materials_.of(a, b).restitution, g = gravity(model_).norm();
  const bool both = bodies_.tree_of(a) >= 0 && bodies_.tree_of(b) >= 0;
  const double h = model_.option.timestep, L = sizes_[at(a)] + sizes_[at(b)];
  const double least = 2 * slowest_approach(g, L, h);
  if (both) return kSlowest * bounce_speed(e, (1 - e) * g, h) + least;
  // what rests gains this speed on its way through the gap that counts as touching
  const double rests = 2 * std::sqrt(2 * g * kMeetingDeep * L);
  return std::max(kSlowest * bounce_speed(e, g, h), rests) + least;
}

void Flights::clear() {
  log_.clear();
  work_ = 0;
  exhausted_ = false;
}

bool Flights::has_legs(const StepMotion& step) const {
  for (std::size_t t = 0; t < may_fly_.size(); ++t)
    if (may_fly_[t] && step.is_unchanged(model_.trees[t]) &&
        bodies_.has_legs(step, static_cast<int>(t)))
      return true;
  return false;
}

void Flights::begin(const StepMotion& step, std::span<const Bounce> first, Collider& collider) {
  clear();
  h_ = step.h;
  for (std::size_t t = 0; t < flies_.size(); ++t)
    flies_[t] = may_fly_[t] && step.is_unchanged(model_.trees[t]);
  bodies_.begin(step, flies_);
  here_.body_pose = step.start.body_pose;
  here_.body_rotation = step.start.body_rotation;
  meetings_.clear(static_cast<int>(model_.trees.size()));
  cluster_.clear();
  // meetings of bodies with legs were found along a motion that is not theirs
  const auto has_legs = [&](int geom) { return bodies_.leg_of(geom) < h_; };
  for (const Bounce& bounce : first)
    if (!has_legs(bounce.geom_a) && !has_legs(bounce.geom_b)) meetings_.push(bounce);
  for (std::size_t t = 0; t < flies_.size(); ++t)
    if (flies_[t] && bodies_.body(static_cast<int>(t)).leg < h_)
      begin_leg(static_cast<int>(t), collider);
}

void Flights::begin_leg(int tree, Collider& collider) {
  meetings_.turn(tree);
  look(tree, collider);
  if (const double end = bodies_.body(tree).leg; end < h_) meetings_.push({end, tree, -1, false});
}

double Flights::follow(const StepMotion& step, const State& state, std::span<const Bounce> first,
                       Collider& collider) {
  begin(step, first, collider);
  for (Bounce bounce; meetings_.pop(bounce);) {
    if (bounce.geom_b < 0) {
      bodies_.fly_to(bounce.time, bounce.geom_a);
      cluster_.assign(1, bounce.geom_a);
      begin_leg(bounce.geom_a, collider);
      continue;
    }
    exhausted_ = is_spent();
    if (exhausted_ || !take(bounce, step, state, collider)) return bounce.time;
    ++blows_;
  }
  log_.sort();
  return kInfinity;
}

// The trees of the two. False: one of them does not fly.
bool Flights::find_cluster(const Bounce& bounce) {
  cluster_.clear();
  bool all_fly = true;
  for (const int geom : {bounce.geom_a, bounce.geom_b}) {
    const int tree = bodies_.tree_of(geom);
    if (tree >= 0 && flies_[at(tree)])
      cluster_.push_back(tree);
    else
      all_fly = all_fly && bodies_.is_fixed(geom);
  }
  return all_fly;
}

// A body whose axis of rotation wanders is not quite where its even motion led. Where the two
// overlap, the time before at which they touched (s).
double Flights::touch_time(const Bounce& bounce, Collider& collider) const {
  const int a = bounce.geom_a, b = bounce.geom_b;
  const double touch = kTouchAhead * (sizes_[at(a)] + sizes_[at(b)]);
  const auto gap = [&](double time) {
    return collider.distance(a, b, bodies_.exact_pose(a, time), bodies_.exact_pose(b, time))
        .distance;
  };
  double after = bounce.time;
  if (gap(after) >= -touch) return after;
  double before = 0;
  for (const int tree : cluster_) before = std::max(before, bodies_.body(tree).time);
  for (int i = 0; i < kMostHalvings; ++i) {
    const double middle = 0.5 * (before + after), g = gap(middle);
    if (std::abs(g) <= touch) return middle;
    (g > 0 ? before : after) = middle;
  }
  return before;
}

// False: the bounce is not to be followed.
bool Flights::take(const Bounce& bounce, const StepMotion& step, const State& state,
                   Collider& collider) {
  if (!find_cluster(bounce) || bounce.slow) return false;
  const double time = touch_time(bounce, collider);
  for (const int tree : cluster_) bodies_.fly_to(time, tree);
  const double L = sizes_[at(bounce.geom_a)] + sizes_[at(bounce.geom_b)];
  const Proximity there =
      collider.distance(bounce.geom_a, bounce.geom_b, bodies_.pose(bounce.geom_a, time),
                        bodies_.pose(bounce.geom_b, time));
  if (there.distance <= kTouchAhead * L) {
    if (!gather(time, collider)) return false;
    if (!strike(step, state)) return false;
    log_.add(touching_, impacts_.impulses());
  }
  for (const int tree : cluster_) begin_leg(tree, collider);
  return true;
}

// All that touches the two, and what touches that. False: among it is a body that does not fly.
bool Flights::gather(double time, Collider& collider) {
  touching_.clear();
  for (std::size_t i = 0; i < cluster_.size(); ++i)
    if (!gather_around(i, time, collider)) return false;
  std::sort(touching_.patches.begin(), touching_.patches.end(), [](const Patch& a, const Patch& b) {
    return pair_key(a.geom_a, a.geom_b) < pair_key(b.geom_a, b.geom_b);
  });
  slowest_.clear();
  for (const Patch& patch : touching_.patches)
    slowest_.push_back(slowest(patch.geom_a, patch.geom_b));
  return true;
}

bool Flights::gather_around(std::size_t index, double time, Collider& collider) {
  const int tree = cluster_[index];
  for (const int g : bodies_.geoms_of(tree))
    for (const int other : bodies_.geoms()) {
      const int of_other = bodies_.tree_of(other);
      if (of_other == tree || !filter_.allows(g, other)) continue;
      const double touch = kTouchAhead * (sizes_[at(g)] + sizes_[at(other)]);
      if (!bodies_.may_touch(g, other, time, touch)) continue;
      const auto known = std::find(cluster_.begin(), cluster_.end(), of_other);
      if (known < cluster_.begin() + static_cast<long>(index)) continue;  // seen from there
      const int a = std::min(g, other), b = std::max(g, other);
      const Pose X_WA = bodies_.pose(a, time), X_WB = bodies_.pose(b, time);
      if (collider.distance(a, b, X_WA, X_WB).distance > touch) continue;
      if (of_other >= 0 && flies_[at(of_other)] && bodies_.body(of_other).time > time) continue;
      if (of_other >= 0 ? !flies_[at(of_other)] : !bodies_.is_fixed(other)) return false;
      if (of_other >= 0 && known == cluster_.end()) {
        bodies_.fly_to(time, of_other);
        cluster_.push_back(of_other);
      }
      collider.append_pair(a, b, bodies_.pose(a, time), bodies_.pose(b, time),
                           {.reach = touch, .max_points = kMostPatchPoints}, touching_);
    }
  return true;
}

bool Flights::strike(const StepMotion& step, const State& state) {
  for (const int tree : cluster_) {
    const FlyingBodies::Body& body = bodies_.body(tree);
    const Link& link = model_.links[at(model_.trees[at(tree)].link_begin)];
    here_.body_rotation[at(link.body)] = body.q.toRotationMatrix();
    here_.body_pose[at(link.body)] = {body.center - body.q * link.mass.com, body.q};
    double* u = &u_[at(model_.trees[at(tree)].dof_begin)];
    write(body.velocity, u);
    write(body.q * body.omega, u + 3);
  }
  if (!impacts_.resolve(model_.option.timestep, kTouchAhead, touching_, sizes_, state, step.input,
                        here_, u_, slowest_))
    return false;
  work_ += impacts_.work();
  exhausted_ = exhausted_ || impacts_.exhausted();
  for (const int tree : cluster_) {
    const double* u = &u_[at(model_.trees[at(tree)].dof_begin)];
    bodies_.set_velocity(tree, {u[0], u[1], u[2]}, {u[3], u[4], u[5]});
  }
  return true;
}

// Meetings of a body on its leg.
void Flights::look(int tree, Collider& collider) {
  const double time = bodies_.body(tree).time;
  for (const int g : bodies_.geoms_of(tree))
    for (const int other : bodies_.geoms()) {
      const int of_other = bodies_.tree_of(other);
      if (of_other == tree || !filter_.allows(g, other)) continue;
      const double until = std::min(bodies_.leg_of(g), bodies_.leg_of(other));
      if (!(until > time) || !bodies_.may_meet(g, other, time, until)) continue;
      const int a = std::min(g, other), b = std::max(g, other);
      const std::optional<Meeting> meeting =
          first_meeting(collider, a, bodies_.motion(a, time, until), b,
                        bodies_.motion(b, time, until), until - time);
      if (meeting)
        meetings_.push({time + meeting->time, a, b, !(meeting->approach > slowest(a, b))});
    }
}

void Flights::put_into(State& state) {
  if (!log_.any()) return;
  for (std::size_t t = 0; t < flies_.size(); ++t) {
    const int tree = static_cast<int>(t);
    if (!flies_[t] || !bodies_.body(tree).changed) continue;
    while (bodies_.body(tree).time < h_) bodies_.fly_to(bodies_.body(tree).leg, tree);
    const FlyingBodies::Body& body = bodies_.body(tree);
    const Tree& of = model_.trees[t];
    const Vec3& com = model_.links[at(of.link_begin)].mass.com;
    double* q = &state.q[at(model_.joints[at(model_.dofs[at(of.dof_begin)].joint)].q)];
    double* v = &state.v[at(of.dof_begin)];
    write(body.center - body.q * com, q);
    q[3] = body.q.w();
    write(body.q.vec(), q + 4);
    write(body.velocity - body.q * body.omega.cross(com), v);
    write(body.omega, v + 3);
  }
}

void Flights::ground() {
  for (const int tree : cluster_) may_fly_[at(tree)] = 0;
}

}  // namespace abut
