// Flights: bounces of bodies that fly, followed one after another within a step, each pair at its
// own time. A bounce concerns the bodies that touch there, and nothing else has to stop for it: a
// step with a thousand bounces costs a thousand small problems and not as many steps of the world.
//
// A body flies while it is free, nothing but gravity acts on it and no constraint of the step
// changes its velocity. The first bounces come from ContactsAhead; at each the bodies concerned
// are flown to its time, struck by ImpactSet together with all that touches them, and looked at
// again: first_meeting() with each geom on their new way. Bodies that wander as they turn are
// looked at anew for each leg of their flight (flying_bodies.h). Three kinds of meetings are left
// to the step, which then ends there and goes on from there:
//
//   with a body that does not fly
//   too slow to bounce, below slowest()
//   beyond most_blows() of a step, which SteppingModel counts as a fallback
//
//   flights.start(derived);                               // at the start of a substep: which bodies may fly
//   if (flights.follows(a, b, step)) ..                   // a meeting of these can be followed
//   double until = flights.follow(step, state, meetings, collider);
//   if (until >= h) flights.put_into(state);              // after the move of all others
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/constrain/ahead/flight_rule.h"
#include "abut/constrain/rows/material.h"
#include "abut/contact/impact/blow_log.h"
#include "abut/contact/impact/flying_bodies.h"
#include "abut/contact/impact/impact_set.h"
#include "abut/contact/impact/meeting_queue.h"

namespace abut {

class Flights final : public FlightRule {
 public:
  // Part of bounce_speed() below which a pair that flies does not bounce: a body that bounces
  // on the floor may then do so 16 times in a step.
  static constexpr double kSlowest = 1.0 / 16;

  using Bounce = FollowedBounce;

  Flights(const Model& model, const ContactSettings& settings, const Collider& collider);

  // Whether bodies of this world can fly.
  bool any() const { return any_; }
  void start_step() { blows_ = 0; }
  // Of a substep. Wants forces in d.
  void start(const Derived& d);
  // Whether some body flies whose step takes more than one leg: follow() finds its meetings.
  bool has_legs(const StepMotion& step) const;
  // Whether meetings of the pair are followed: one flies, and the other flies or is fixed.
  bool follows(int geom_a, int geom_b, const StepMotion& step) const override;
  bool flies(int geom, const StepMotion& step) const;
  // m/s: approaches of two that fly, or of one that flies to what is fixed, bounce above this.
  double slowest(int geom_a, int geom_b) const override;
  // Blows of a step, at most.
  int most_blows() const { return 1024 + 64 * static_cast<int>(may_fly_.size()); }
  bool is_spent() const { return blows_ >= most_blows(); }

  // Time (s) until which all meetings were followed, infinite: to the end of the step.
  double follow(const StepMotion& step, const State& state, std::span<const Bounce> first,
                Collider& collider);
  // After follow() ended at the start of the step: the bodies concerned do not fly in this substep.
  void ground();

  // --- Of the last follow().
  bool any_blows() const { return log_.any(); }
  // Bodies that were struck, to where they are at the end of the step.
  void put_into(State& state);
  double work() const { return work_; }  // J, never positive
  bool exhausted() const { return exhausted_; }
  std::span<const ContactForce> impulses() const { return log_.impulses(); }  // blow_log.h
  const ContactData& data() const { return log_.data(); }
  void clear();

 private:
  void begin(const StepMotion& step, std::span<const Bounce> first, Collider& collider);
  void begin_leg(int tree, Collider& collider);
  bool find_cluster(const Bounce& bounce);
  double touch_time(const Bounce& bounce, Collider& collider) const;
  bool take(const Bounce& bounce, const StepMotion& step, const State& state, Collider& collider);
  bool gather(double time, Collider& collider);
  bool gather_around(std::size_t index, double time, Collider& collider);
  bool strike(const StepMotion& step, const State& state);
  void look(int tree, Collider& collider);

  const Model& model_;
  Materials materials_;
  ImpactSet impacts_;
  FlyingBodies bodies_;
  PairFilter filter_;
  std::vector<double> sizes_;
  bool any_ = false;
  int blows_ = 0;
  double h_ = 0;
  std::vector<std::uint8_t> may_fly_, flies_;  // one a tree
  MeetingQueue meetings_;
  std::vector<int> cluster_;     // trees of the blow
  ContactData touching_;         // contacts of the blow
  std::vector<double> slowest_;  // one a patch of it
  Derived here_;                 // poses of the blow
  std::vector<double> u_;
  BlowLog log_;
  double work_ = 0;
  bool exhausted_ = false;
};

}  // namespace abut
