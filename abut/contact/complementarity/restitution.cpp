// The part of TimeStepping that makes contacts bounce.
//
// Newton's law: the velocity after is e times the one before, turned round: e u-_n in w_n.
// Poisson's: the impulse of expansion is e times that of compression, by a second solve from
// where the first one ended; what must not get nearer gets more (Anitescu and Potra 1997).
//
// Layers bounce by what their damping leaves. The models of seed 001 do not bounce: their gaps are
// those at the end of the step, and say nothing of speeds.
//
// st closes a gap in one step and bounces in the next: in between, the gap's rate is psi / h,
// which says nothing of the speed of arrival. So that is remembered with the point (and for
// Poisson the impulse that took it away).
#include <algorithm>

#include "abut/contact/complementarity/time_stepping.h"
#include "abut/dynamics/bias.h"

namespace abut {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// What arrives and how fast, from the memory and from `before_`.
void TimeStepping::find_arrivals(double h, const ContactData& data) {
  const double slow = 2 * h * gravity(model_).norm();
  slowed_.assign(arrival_.size(), 0.0);
  for (std::size_t i = 0; i < arrival_.size(); ++i) {
    const Contact& c = contacts_.contacts()[i];
    const RowGroup& g = rows_.groups()[at(c.group)];
    if (arrival_[i] < 0) slowed_[i] = last_[at(g.row)];
    const double speed = std::min(arrival_[i], before_[at(g.row)] + c.driven[0]);
    const bool springs_back = c.material.restitution > 0 && !knows_features(settings_.model) &&
                              !is_penalty(settings_.model);
    arrival_[i] = springs_back && speed < -slow ? speed : 0;
    if (settings_.law == RestitutionLaw::newton && bounces(i, data))
      b_[at(g.row)] += c.material.restitution * arrival_[i];
  }
}

bool TimeStepping::bounces(std::size_t contact, const ContactData& data) const {
  const Contact& c = contacts_.contacts()[contact];
  return arrival_[contact] < 0 && c.psi <= tolerance_of(data.patches[at(c.patch)]);
}

// Those on their way keep their speed of arrival, if it is being taken from them.
void TimeStepping::keep_arrivals(const ContactData& data) {
  for (std::size_t i = 0; i < arrival_.size(); ++i) {
    const RowGroup& g = rows_.groups()[at(contacts_.contacts()[i].group)];
    if (bounces(i, data) || p_[at(g.row)] <= 0) arrival_[i] = 0;
  }
}

// Poisson's second half. Friction has its cone in the compression, and in what is added here
// beside e times it; e times the friction of compression is not repeated.
void TimeStepping::expand(const ContactData& data) {
  compression_ = p_;
  bool any = false;
  for (std::size_t i = 0; i < arrival_.size(); ++i) {
    if (!bounces(i, data)) continue;
    const Contact& c = contacts_.contacts()[i];
    const int row = rows_.groups()[at(c.group)].row;
    compression_[at(row)] += c.material.restitution * (p_[at(row)] + slowed_[i]);
    any = true;
  }
  if (!any) return;
  // w of where that leads, and what is left of the joints' bounds
  std::fill(u_.begin(), u_.end(), 0.0);
  rows_.add_impulses(compression_, u_);
  rows_.velocities(u_, before_);
  for (std::size_t i = 0; i < b_.size(); ++i) b_[i] += before_[i];
  for (std::size_t i = 0; i < lo_.size(); ++i) {
    lo_[i] -= compression_[i];
    hi_[i] -= compression_[i];
    b_[i] += softness_[i] * compression_[i];
  }
  last_.assign(b_.size(), 0.0);
  for (int i = 0; i < islands_.count(); ++i) solve_island(islands_.groups(i));
  for (std::size_t i = 0; i < p_.size(); ++i) p_[i] += compression_[i];
}

}  // namespace abut
