// ImpactSet: all contacts of a moment that share an impact, as one problem (Newton's and Poisson's
// law for simultaneous impacts). Velocities change, positions do not.
//
// Each point that touches is a contact. In an island where some contact arrives fast enough to
// bounce, a round (impact_round.h) solves one problem for all contacts V that do not part. Under the
// law `sequential` these are the contacts of the pair that approaches fastest alone; pairs as fast
// as it to 1e-9 meet at the same time, so that what is symmetric stays so.
//
// A round can make other contacts approach; these meet in the next round. Contacts that part before
// a round are not in it, so the work of a round is sum p_i v_i- (1 - e_i) / 2 without friction:
// never positive, and zero where every e is 1. Joints that close loops hold in every round.
//
// Below bounce_speed() a contact does not bounce. An island of n contacts has kRounds + 4 n rounds
// at most; what still approaches is then stopped by one problem with e = 0, and exhausted() says
// so.
//
//   abut::ImpactSet impacts(model, settings);
//   if (impacts.resolve(h, data, sizes, input, d, u)) ..
#pragma once

#include <span>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/constrain/rows/equality.h"
#include "abut/constrain/rows/islands.h"
#include "abut/constrain/rows/step_contacts.h"
#include "abut/contact/contact_force.h"
#include "abut/contact/impact/impact_round.h"
#include "abut/contact/settings.h"

namespace abut {

class ImpactSet {
 public:
  static constexpr int kRounds = 64;

  ImpactSet(const Model& model, const ContactSettings& settings);

  // Contacts are the points nearer than `touch` of their pair's size. Changes u (solver_velocity.h)
  // and says true if something bounced. Wants positions(), and factor() if there are trees that are
  // no free bodies. `slowest`: one a patch (m/s), or empty: approaches above it bounce, in place of
  // bounce_speed().
  bool resolve(double h, double touch, const ContactData& data, std::span<const double> sizes,
               const State& state, const Input& input, const Derived& d, std::span<double> u,
               std::span<const double> slowest = {});

  // Of the last resolve(): what the impulses did to the movers (J), never positive.
  double work() const { return work_; }
  int rounds() const { return rounds_; }
  bool exhausted() const { return exhausted_; }
  // The impulses (N s in place of N), ascending by patch.
  std::span<const ContactForce> impulses() const { return impulses_; }

 private:
  const Contact* contact_of(int group) const;  // null: a joint
  double approach(int group) const;            // m/s, > 0: comes nearer; joints: 0
  bool bounces(int group) const;
  void build(double touch, const ContactData& data, std::span<const double> sizes,
             const State& state, const Input& input, const Derived& d);
  void measure(std::span<const double> u);
  void strike(std::span<const int> groups, std::span<double> u);
  bool pick(std::span<const int> groups);
  void pick_fastest(double fastest);
  void add(int group);
  void solve_round(bool plastic, std::span<double> u);
  void note_impulses();

  const Model& model_;
  RestitutionLaw law_;
  bool frictionless_;
  StepContacts contacts_;
  EqualityRows joints_;
  ConstraintRows rows_;
  Islands islands_;
  ImpactRound round_;
  double h_ = 0;
  std::span<const double> slowest_;
  std::vector<double> slow_;     // one a contact (m/s): approaches below this are none
  std::vector<double> w_, p_;    // one a row: relative velocity; impulse of the whole impact
  std::vector<double> fastest_;  // one a patch (m/s): its approach, sequential
  std::vector<ImpactRound::Member> members_;  // of the round
  std::vector<ContactForce> impulses_;
  double work_ = 0;
  int rounds_ = 0;
  bool exhausted_ = false;
};

// Speed of arrival (m/s) below which a contact with restitution e does not bounce, where bodies
// accelerate by `a` (m/s^2):
//
//   v < 2 a h (1 - e) / e   all bounces still to come would be over within four steps; not more
//   than
//                           2 a h, so that small e bounce as well
//   v < a h / 2             the next bounce would be within the same step
//
// A contact that stops loses (e v)^2 / 2 of kinetic energy for each kg: at h = 1 ms on the earth
// 2e-4 J at most, and 1.2e-5 J for e = 1. Without gravity everything bounces.
double bounce_speed(double e, double a, double h);

}  // namespace abut
