// PartForces: what contacts did in a step of several substeps (substeps.h), as the forces that do
// the same over the whole step: the mean over its time, so that force times step is the impulse.
//
//   parts.begin(h);
//   for (..) parts.add(contact_step, h_part);
//   parts.mean().pairs[0].force;   // N
//
// Points of a pair that has as many of them in each part are taken to be the same and are one in
// the mean; else those of all parts are there, each with what it had of the impulse.
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
  // The last thing that `step` did took h seconds.
  void add(const ContactStep& step, double h);
  // The impulses (N s) of the model's last strike.
  void add_struck(const ContactStep& step);
  // Since begin().
  bool any() const { return any_; }

  const ContactForces& mean() const { return mean_; }

 private:
  void add_part(double weight);

  double h_ = 0;
  bool any_ = false;
  ContactForces mean_, part_, sum_;
};

// out = all of `a`, and `weight` times all of `b`. `out` is neither of them; using it again
// allocates nothing.
void add_forces(const ContactForces& a, const ContactForces& b, double weight, ContactForces& out);

}  // namespace abut
