// TurningFriction: torsional and rolling friction of penalty models (MJCF's condim 4 and 6), the same
// for all of them. Each pair of solids has a spring and a damper against their turning against each
// other, about the normal and about the tangents:
//
//   m = -(k theta + c omega),   |m_n| <= mu_t F_n,   |m_r| <= mu_r F_n      (N m, on B)
//
// F_n is the sum of the pair's normal forces. theta (rad) is how far B has turned against A since
// nothing was strained; where m is at its limit, theta stays where k theta is the limit: what turns is
// braked, and held once it stands. k h^2 / I = 1/32 and critical damping for the smaller inertia I of the
// two, shared by the pairs that touch a body: what the step can follow.
//
// theta is memory, in the axes of A's geom: a stage of an integrator reads it, the end of a step writes
// what the first stage made of it.
//
//   turning.add(h, scene, memory, .., forces);   // appends couples
//   turning.keep(slot, after);
#pragma once

#include <span>
#include <vector>

#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/stiffness/mobility.h"

namespace abut {

inline constexpr int kTurningWidth = 3;  // theta of a pair

class TurningFriction {
 public:
  TurningFriction(const Model& model, const Collider& collider)
      : model_(model), mobility_(model, collider) {}

  // Of the pairs that `forces` press. Widths: of the whole memory; `slot`: of theta in a pair's
  // values. `first`: the first stage of a step.
  void add(double h, const ForceScene& scene, const ContactMemory& memory, int pair_width,
           int point_width, std::size_t slot, bool first, std::vector<ContactForce>& forces);
  // One pair a patch of the first stage.
  void keep(std::size_t slot, ContactMemory& after) const;

 private:
  struct Pressed {
    double load = 0;  // F_n (N)
    Vec3 point = Vec3::Zero();
  };
  ContactForce couple(double h, const PairView& pair, const Pressed& pressed, Vec3& theta) const;
  void count_pairs(const ForceScene& scene);
  int pairs_of(int body) const;

  const Model& model_;
  Mobility mobility_;
  std::vector<Pressed> pressed_;  // one a patch
  std::vector<int> pairs_;        // that turn, one a link
  std::vector<Vec3> theta_;       // after the first stage, one a patch; in A's axes
};

}  // namespace abut
