// PartForces: the contact forces of a step of several substeps (substeps.h), as the time average
// over the step, so that force times step is the impulse.
//
//   parts.begin(h);
//   for (..) parts.add(contact_step, h_part);
//   parts.mean().pairs[0].force;   // N
//
// If a pair has the same number of points in each substep, the points are identified with each
// other and averaged. Otherwise the points of all substeps are listed, each with its part of the
// impulse.
#pragma once

#include "abut/simulate/contact_forces.h"

namespace abut {

class PartForces {
 public:
  void begin(double h) {
    h_ = h;
    any_ = false;
    mean_.pairs.clear();
    mean_.points.clear();
  }
  // Adds the last substep of `step`, which took h seconds.
  void add(const ContactStep& step, double h);
  // Adds the impulses (N s) of the model's last impact.
  void add_struck(const ContactStep& step);
  // Whether anything was added since begin().
  bool any() const { return any_; }

  const ContactForces& mean() const { return mean_; }

 private:
  void add_part(double weight);

  double h_ = 0;
  bool any_ = false;
  ContactForces mean_, part_, sum_;
};

// out = all of `a` plus `weight` times all of `b`. `out` must be a different object; reusing it
// allocates nothing.
void add_forces(const ContactForces& a, const ContactForces& b, double weight, ContactForces& out);

}  // namespace abut
