// StepBudget: how much damping the step can follow, from the contacts that there are at the moment.
//
// Semi-implicit Euler follows springs and dampers while 2 h D + h^2 K, measured by the inverse
// masses of what they move, is below 4 in every motion (D-N2). Of contacts that share bodies
// that need not be found all at once: with the mass of a body shared out among its contacts, each
// contact can be looked at alone (a Rayleigh quotient of sums is at most the largest of those of
// its parts). Where there is too much, its damping is cut down; springs are as they are, since
// stiffness is what carries weights. Damping then takes a little longer; too much of it would throw
// things about.
//
//   budget.begin();
//   for (..) budget.add(contact);
//   budget.finish();
//   kv *= budget.damping(i);
#pragma once

#include <vector>

#include "abut/contact/penalty/stiffness/mobility.h"

namespace abut {

struct SpreadContact {
  int link_a = -1, link_b = -1;                 // -1: fixed or driven
  Mat6 W_a = Mat6::Zero(), W_b = Mat6::Zero();  // Mobility::at_point() of the place
  double share = 1;                             // of the springs between two bodies
  Vec3 normal = Vec3::Zero();                   // world
  Vec3 first = Vec3::Zero();                    // m, about the place: of where the force is spread
  Mat3 second = Mat3::Zero();                   // m^2
  double kp = 0, kv = 0;                        // along the normal: N/m, N s/m
  double kt = 0, kvt = 0;                       // along the surface
  double rocking = 1;                           // dampers resist tilting this many times as much
};

class StepBudget {
 public:
  StepBudget(const Model& model, double step);

  void set_step(double h) { h_ = h; }
  void begin();
  void add(const SpreadContact& contact);  // numbered from 0
  void finish();
  // What is left of a contact's damping: 1, or less.
  double damping(int contact) const { return of(contact).scale; }
  // m/s or rad/s at the contact by a unit impulse along the surface, about the normal: largest.
  double along(int contact) const { return of(contact).along; }
  double about(int contact) const { return of(contact).about; }

  static constexpr double kRoom = 3.6;    // of the 4 above
  static constexpr double kLeast = 0.02;  // of the damping stays

 private:
  struct OfContact {
    int link[2];
    Mat6 W[2];
    double share, scale = 1, along = 0, about = 0;
    Mat6 springs, dampers;  // h^2 K, 2 h D
  };
  const OfContact& of(int contact) const { return contacts_[static_cast<std::size_t>(contact)]; }

  double h_;
  std::vector<double> shares_;  // of each link: of all its contacts
  std::vector<int> touched_;
  std::vector<OfContact> contacts_;
};

}  // namespace abut
