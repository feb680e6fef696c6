// StepBudget: how much damping the step can follow, from the contacts that each body has at the
// moment.
//
// Semi-implicit Euler follows springs and dampers while 2 a + b < 4, where b = h^2 k w and a = h
// k_v w add up what all contacts of a body do to it, w being the inverse mass that each of them
// meets (spec D-N2). With J = [-J_A, J_B] a contact between two movers works on each of them as one
// of twice its strength on it alone would, at most: J' k J <= 2 (J_A' k J_A + J_B' k J_B). So the
// sums are taken body by body, and where a sum is too large the damping of that body's contacts is
// cut down; springs are as they are, since stiffness is what carries weights. Damping then takes a
// little longer; too much of it would throw things about.
//
//   budget.begin();
//   for (..) budget.add(d, contact);
//   budget.finish();
//   kv *= budget.damping(i);
#pragma once

#include <vector>

#include "abut/contact/penalty/mobility.h"
#include "abut/model/derived.h"

namespace abut {

struct SpreadContact {
  int body_a = 0, body_b = 0;
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  // world
  Mat3 second = Mat3::Zero();  // m^2, about the point: of where the force is spread
  double kp = 0, kv = 0;       // along the normal: N/m, N s/m
  double kt = 0, kvt = 0;      // along the surface
};

class StepBudget {
 public:
  StepBudget(const Model& model, const Mobility& mobility);

  void begin();
  void add(const Derived& d, const SpreadContact& contact);  // numbered from 0
  void finish();
  // What is left of a contact's damping: 1, or less.
  double damping(int contact) const { return scale_[static_cast<std::size_t>(contact)]; }
  // m/s or rad/s at the contact by a unit impulse along the surface, about the normal: largest.
  double along(int contact) const { return along_[static_cast<std::size_t>(contact)]; }
  double about(int contact) const { return about_[static_cast<std::size_t>(contact)]; }

  // The 4 above and a little more, as largest eigenvalues are added up that are not all of one
  // motion: found on stacks, piles and inclines of small random solids, where 3.8 rattles for lack
  // of damping and 5 for too much.
  static constexpr double kRoom = 4.4;
  static constexpr double kLeast = 0.02;  // of the damping stays

 private:
  struct OfLink {
    double springs = 0, dampers = 0;  // b, 2 a
  };
  struct OfContact {
    int link[2];
  };
  void add_side(const Derived& d, const SpreadContact& c, int link, double factor, double& along,
                double& about);

  const Model& model_;
  const Mobility& mobility_;
  double h_;
  std::vector<OfLink> links_;
  std::vector<int> touched_;
  std::vector<OfContact> contacts_;
  std::vector<double> scale_, along_, about_;
};

}  // namespace abut
